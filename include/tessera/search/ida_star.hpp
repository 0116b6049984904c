// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tessera/search/executor.hpp"
#include "tessera/search/frontier.hpp"
#include "tessera/search/limits.hpp"
#include "tessera/search/observer.hpp"

namespace tessera {

struct IdaStarOptions {
  bool finish_iteration = false;  ///< visit all nodes of the last bound too
  bool all = false;               ///< count all optimal solutions; implies finish_iteration
  bool independent = false;       ///< each subtree its own IDA*, as the seeds did
  bool every_depth = false;       ///< bounds 0, 1, 2, ...: iterative deepening by depth
  Schedule schedule = Schedule::stealing;
  std::size_t frontier = 0;        ///< subtrees to cut the tree into; 0: from the workers
  std::optional<int> split_depth;  ///< cut at this depth instead
};

/// The answer for one board.
struct IdaStarResult {
  std::optional<std::string> solution;  ///< tile letters
  bool optimal = false;                 ///< proven: every smaller bound was searched to its end
  std::optional<Stop> stop;
  int bound = 0;                     ///< the last bound begun
  Counts counts;                     ///< over all iterations, the root generated once
  std::uint64_t solution_count = 0;  ///< with `all`
  std::vector<IterationReport> iterations;
  std::vector<WorkerTimes> times;
  double seconds = 0;
  double setup_seconds = 0;  ///< making tables and waking workers, not in `seconds`
};

/// Iterative-deepening A* (Korf 1985) of one instance over any executor. Short iterations run in
/// the calling thread, since waking workers would take longer than the search; from then on the
/// tree is cut into subtrees that the executor spreads. Counts do not depend on where it is cut.
[[nodiscard]] IdaStarResult ida_star(const Problem& problem, const IdaStarOptions& options,
                                     Executor& executor, const Limits& limits, Observer& observer);

}  // namespace tessera
