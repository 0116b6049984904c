// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "program.hpp"

namespace tessera::cli {

/// What must be equal over backends, ranks, threads, schedules and kills.
inline nlohmann::json signature(const nlohmann::json& row) {
  nlohmann::json parts{row["id"], row["length"], row["moves"], row["nodes"]};
  for (const auto& i : row["iterations"]) {
    parts.push_back({i["bound"], i["expanded"], i["generated"], i["complete"]});
  }
  return parts;
}
inline nlohmann::json signature(const std::string& out) {
  nlohmann::json rows;
  for (const auto& row : json_lines(out)) rows.push_back(signature(row));
  return rows;
}

}  // namespace tessera::cli
