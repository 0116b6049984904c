// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace tessera {

/// Which moves a search skips: `none`, the one straight back (`parent`), or with a larger number
/// those that complete a duplicate of at most that many moves (pruning.hpp). With `mirror` added,
/// it also skips first moves whose mirror image is searched.
enum class PruneRule : std::uint8_t { none, parent, mirror = 0x80 };

[[nodiscard]] constexpr bool has_mirror(PruneRule rule) {
  return rule >= PruneRule::mirror;
}
[[nodiscard]] constexpr PruneRule without_mirror(PruneRule rule) {
  return static_cast<PruneRule>(static_cast<unsigned>(rule) &
                                ~static_cast<unsigned>(PruneRule::mirror));
}
/// The length of the longest duplicates that it excludes: none are of one move, and those of two
/// go straight back.
[[nodiscard]] constexpr int depth_of(PruneRule rule) {
  const auto number = static_cast<int>(without_mirror(rule));
  return number < 2 ? number + 1 : number;
}
/// "none", "parent" or "fsm:DEPTH", perhaps with "+mirror".
[[nodiscard]] std::string to_string(PruneRule rule);
/// Throws Error(input).
[[nodiscard]] PruneRule parse_prune(const std::string& name);

}  // namespace tessera
