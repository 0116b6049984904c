// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace tessera {

/// Which moves a search skips: `none`, the one straight back (`parent`), or with a larger number
/// those that complete a duplicate of at most that many moves (pruning.hpp).
enum class PruneRule : std::uint8_t { none, parent };

/// The length of the longest duplicates that it excludes: none are of one move, and those of two
/// go straight back.
[[nodiscard]] constexpr int depth_of(PruneRule rule) {
  return rule == PruneRule::none ? 1 : rule == PruneRule::parent ? 2 : static_cast<int>(rule);
}
/// "none", "parent" or "fsm:DEPTH".
[[nodiscard]] std::string to_string(PruneRule rule);
/// Throws Error(input).
[[nodiscard]] PruneRule parse_prune(const std::string& name);

}  // namespace tessera
