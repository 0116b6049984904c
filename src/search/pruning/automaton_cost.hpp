// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "puzzle/size.hpp"
#include "search/pruning/prune_rule.hpp"

namespace tessera {

/// The memory of an automaton of duplicate moves and the time to build it, estimated from above.
struct AutomatonCost {
  std::uint64_t bytes = 0;        ///< while it is used
  std::uint64_t build_bytes = 0;  ///< while it is built, at least; more makes that faster
  double build_seconds = 0;       ///< on one core
};
[[nodiscard]] AutomatonCost automaton_cost(Size size, int depth);
/// The same for a rule; nothing for those without an automaton worth counting.
[[nodiscard]] AutomatonCost automaton_cost(Size size, PruneRule rule);

/// How an automaton is built within `free_bytes` by at most `threads` threads.
struct AutomatonBuild {
  int threads = 1;
  std::size_t hash_bytes = 0;  ///< for the hash table of each thread
};
[[nodiscard]] AutomatonBuild plan_build(Size size, int depth, int threads,
                                        std::uint64_t free_bytes);

/// The automaton of the largest of `depth`, `depth` - 2, ... that `suits`, else `parent`.
[[nodiscard]] PruneRule deepest_automaton(
    Size size, int depth, const std::function<bool(PruneRule, const AutomatonCost&)>& suits);

}  // namespace tessera
