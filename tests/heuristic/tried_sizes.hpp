// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "tessera/base/error.hpp"
#include "tessera/heuristic/registry.hpp"
#include "tessera/puzzle/goal.hpp"

namespace tessera {

/// Whether the heuristic of that name takes boards of that size, with tables that a test may make.
inline bool is_tried(std::string_view heuristic, Size size) {
  constexpr std::uint64_t most_entries = 5'000'000;
  try {
    (void)resolve_heuristic(heuristic, Goal().board(size));
  } catch (const Error&) {
    return false;
  }
  return heuristic != Fringe::info.name || FringePattern::entries(size) <= most_entries;
}

}  // namespace tessera
