// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "model/simulate.hpp"
#include "model/simulated_tree.hpp"

namespace tessera {

/// How the time of all ranks and threads was spent in a replay.
struct Replayed {
  double completed_at = 0;     ///< seconds: when the last subtree was completed
  double end = 0;              ///< seconds: when the last rank knew the end
  double idle_seconds = 0;     ///< of threads, until the last subtree was completed
  double starved_seconds = 0;  ///< of these, until fewer than 95 of 100 threads had work
  double lost_to_polls = 0;    ///< share of a search thread used by its main thread's polls
};

/// Simulates main threads and search threads from the first subtree until all ranks know the end.
/// `rate`: nodes per second of each thread. `items`, `arrival`: the first subtrees of each rank,
/// and when they arrive. Counts branches, answers and messages in `result`.
[[nodiscard]] Replayed replay(const SimulationOptions& options, const SimulatedTree& tree,
                              double rate, std::vector<std::vector<SimulatedNode>> items,
                              const std::vector<double>& arrival, Simulation& result);

/// The duration of an all-reduce over all ranks, each of which polls at intervals.
[[nodiscard]] double round_seconds(const Machine& machine);

}  // namespace tessera
