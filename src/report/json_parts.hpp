// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

#include "tessera/report/board_result.hpp"

namespace tessera {

/// What the record of a board begins with, a BoardResult or a BoardEstimate.
template <class Record>
[[nodiscard]] nlohmann::ordered_json board_json(const char* schema, const Record& record) {
  nlohmann::ordered_json json;
  json["schema"] = schema;
  json["id"] = record.id;
  json["size"] = to_string(record.board.size());
  json["goal"] = record.goal;
  json["metric"] = to_string(record.metric);
  json["board"] = record.board.tiles();
  json["solvable"] = record.solvable;
  return json;
}

inline void add_workers(nlohmann::ordered_json& json, const RunSetup& setup) {
  json["backend"] = setup.backend;
  json["ranks"] = setup.ranks;
  json["threads"] = setup.threads;
  json["hosts"] = setup.hosts;
}

}  // namespace tessera
