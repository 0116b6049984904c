// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "puzzle/size.hpp"

namespace tessera {

/// The memory of an automaton of duplicate moves, estimated from above.
struct AutomatonCost {
  std::uint64_t bytes = 0;        ///< while it is used
  std::uint64_t build_bytes = 0;  ///< while it is built, at least; more makes that faster
};
[[nodiscard]] AutomatonCost automaton_cost(Size size, int depth);
/// The same for a rule by its name; nothing for those without an automaton worth counting.
[[nodiscard]] AutomatonCost automaton_cost(Size size, std::string_view prune);

/// How an automaton is built within `free_bytes` by at most `threads` threads.
struct AutomatonBuild {
  int threads = 1;
  std::size_t hash_bytes = 0;  ///< for the hash table of each thread
};
[[nodiscard]] AutomatonBuild plan_build(Size size, int depth, int threads,
                                        std::uint64_t free_bytes);

/// "fsm:D" for the largest D of `depth`, `depth` - 2, ... whose automaton can be built and used
/// within that many bytes, else "parent".
[[nodiscard]] std::string deepest_automaton(Size size, int depth, std::uint64_t bytes);

}  // namespace tessera
