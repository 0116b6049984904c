// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string_view>

#include "base/error.hpp"
#include "heuristic/registry.hpp"
#include "puzzle/goal.hpp"

namespace tessera {

/// Whether the heuristic of that name takes boards of that size, with tables that a test may make.
inline bool is_tried(std::string_view heuristic, Size size) {
  constexpr std::uint64_t most_entries = 5'000'000;
  try {
    const Board goal = Goal().board(size);
    const auto tables = table_requests(resolve_heuristic(heuristic, goal), size, goal.blank());
    return std::all_of(tables.begin(), tables.end(), [](const TableRequest& table) {
      return table.cost.entries <= most_entries;
    });
  } catch (const Error&) {
    return false;
  }
}

}  // namespace tessera
