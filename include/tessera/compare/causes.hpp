// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "tessera/compare/comparison.hpp"

namespace tessera {

/// One reason why two configurations differ in time, in their median runs.
struct Cause {
  enum class Kind {
    workers,      ///< search threads in all
    nodes,        ///< expanded nodes: the search overhead of one over the other
    rate,         ///< nodes per second of searching, of one worker
    wait,         ///< share of all worker time
    communicate,  ///< share of all worker time
    start_up,     ///< share of all worker time: cutting the tree, waking workers, replaying
  };
  Kind kind{};
  double faster = 0;  ///< its value in the faster configuration
  double slower = 0;
  double weight = 0;  ///< its part of ln(slower's seconds / faster's); below 0: it works against
};

/// All six; the weights add up to ln(slower's seconds / faster's). With N expanded nodes, r nodes
/// per second of searching and W workers that search a share s of their time, a run takes N / (r W
/// s); what s differs by is divided among waiting, communication and start-up in proportion to what
/// their shares differ by (the logarithmic mean Divisia index: Ang, Energy Policy 32, 2004). Empty
/// if a median run has no time, no nodes or no searching.
[[nodiscard]] std::vector<Cause> causes_of(const TimedRun& faster, const TimedRun& slower);

/// "Why: it has 2 workers instead of 1, although it waits 1.2 % of its time instead of 0.1 %", `it`
/// being the faster one. Leaves out what contributes little; empty if no cause is known.
[[nodiscard]] std::string explanation_of(const std::vector<Cause>& causes);

}  // namespace tessera
