// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "tessera/search/best_first.hpp"
#include "tessera/search/ida_star.hpp"
#include "tessera/search/problem.hpp"

namespace tessera {

/// A board of many, to be solved by one thread.
struct BoardJob {
  std::uint32_t index = 0;
  Problem problem;
};

/// How each is solved.
struct BatchOptions {
  IdaStarOptions ida;
  std::optional<BestFirstOptions> best_first;  ///< instead; its memory is for one search
  std::uint64_t node_limit = 0;                ///< of each board, as the user says; 0: none
  /// Nodes after which a board is given back as too hard for one thread; 0: never.
  std::uint64_t easy_nodes = 0;
};

struct BoardOutcome {
  std::uint32_t index = 0;
  bool too_hard = false;  ///< given back; the result says nothing
  SearchResult result;    ///< of any engine
};

/// Solves one board in the calling thread. Only the deadline and the interruption of `limits`
/// count.
[[nodiscard]] BoardOutcome solve_board(const BoardJob& job, const BatchOptions& options,
                                       Limits limits);

/// Called in the thread that waits for a batch, in any order of boards.
using BoardDone = std::function<void(BoardOutcome)>;

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
  /// `progress` ended it. Unless overridden, threads of this process make them, one per worker.
  virtual bool prepare(const Problem& problem, const TableProgress& progress) {
    return open_tables(problem, workers(), progress);
  }
};

}  // namespace tessera
