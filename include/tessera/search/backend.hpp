// SPDX-License-Identifier: MIT
#pragma once

#include "tessera/search/batch.hpp"
#include "tessera/search/best_first.hpp"
#include "tessera/search/ida_star.hpp"
#include "tessera/search/problem.hpp"

namespace tessera {

/// All that a set of workers does: the calling thread, the threads of a process, or the ranks of a
/// job. For those who choose the workers; algorithms take the interface that they use.
class Backend : public IdaStarExecutor {
 public:
  /// A best-first search. Unless overridden, in the calling thread.
  virtual SearchResult best_first(const Problem& problem, const BestFirstOptions& options,
                                  const Limits& limits, Observer& observer) {
    return tessera::best_first(problem, options, limits, observer);
  }
  /// Solves each board by one worker, in this order as far as workers are free; boards that an
  /// interruption leaves are not `done`. Returns where the workers' time went. Unless overridden,
  /// in the calling thread.
  virtual std::vector<WorkerTimes> solve_boards(std::vector<BoardJob> jobs,
                                                const BatchOptions& options, const Limits& limits,
                                                const BoardDone& done);
  /// Opens a problem's tables on the workers, which share out what must be made first. False where
  /// `progress` ended it. Unless overridden, the calling thread makes them.
  virtual bool prepare(const Problem& problem, const TableProgress& progress) {
    return open_tables(problem, 1, progress);
  }
};

}  // namespace tessera
