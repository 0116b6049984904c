// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "base/temporary_folder.hpp"
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

/// Waits until a file holds this so often, at most half a minute; else the test fails.
inline void wait_for_content(const std::string& path, const std::string& part, int times) {
  for (int tries = 0; tries < 6000; ++tries) {
    const std::string text = content_of(path);
    int found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    if (found >= times) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ADD_FAILURE() << path << " never held " << part;
}

}  // namespace tessera::cli
