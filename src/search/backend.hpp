// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "search/best_first/best_first.hpp"
#include "search/problem.hpp"
#include "search/tree/ida_star.hpp"

namespace tessera {

/// One board of a batch, to be solved by one thread.
struct BoardJob {
  std::uint32_t index = 0;
  Problem problem;
  std::string known = {};  ///< a solution, in tile letters; the search ends if none is shorter
};

/// How each board is solved.
struct BatchOptions {
  IdaStarOptions ida;
  std::optional<BestFirstOptions> best_first;  ///< if set, used instead; memory per search
  std::uint64_t node_limit = 0;                ///< of each board, as requested; 0: none
  std::chrono::nanoseconds time_limit{};       ///< of each board; 0: none
  /// After this many nodes a board is returned as too hard for one thread; 0: never.
  std::uint64_t easy_nodes = 0;
};

struct BoardOutcome {
  std::uint32_t index = 0;
  bool too_hard = false;  ///< returned unsolved; the result is meaningless
  SearchResult result;    ///< of any engine
  /// When its search ended, on the steady clock of this process; in a message, how long ago that
  /// is, since each host has its own clock.
  std::chrono::nanoseconds end{};
  double wall_seconds = 0;  ///< of its search
  double cpu_seconds = 0;   ///< that the thread had a CPU meanwhile
};

/// Solves one board in the calling thread. Only the deadline and the interruption of `limits`
/// apply.
[[nodiscard]] BoardOutcome solve_board(const BoardJob& job, const BatchOptions& options,
                                       Limits limits);

/// Called in the thread that waits for the batch, in any order of boards.
using BoardDone = std::function<void(BoardOutcome)>;

/// Everything that a set of workers can do: the calling thread, the threads of a process, or the
/// ranks of a job. For code that chooses the workers; algorithms take the narrower interfaces.
class Backend : public SubtreeExecutor {
 public:
  /// A best-first search. Greedy search rarely finds a solution of a large board: if it generates
  /// too many nodes, beam searches follow, ever wider ones until one finds a solution.
  SearchResult best_first(const Problem& problem, const BestFirstOptions& options,
                          const Limits& limits, Observer& observer);
  /// Solves each board with one worker, starting them in this order; boards left after an
  /// interruption are not `done`. Returns how the workers spent their time. By default in the
  /// calling thread.
  virtual std::vector<WorkerTimes> solve_boards(std::vector<BoardJob> jobs,
                                                const BatchOptions& options, const Limits& limits,
                                                const BoardDone& done);
  /// Opens a problem's tables on the workers, which divide up the building of missing ones. False
  /// if `progress` stopped it. By default, threads of this process build them, one per worker.
  virtual bool prepare(const Problem& problem, const TableProgress& progress) {
    return open_tables(problem, workers(), progress);
  }

 protected:
  /// The search itself, by default in the calling thread.
  virtual SearchResult search_stored(const Problem& problem, const BestFirstOptions& options,
                                     const Limits& limits, Observer& observer) {
    return tessera::best_first(problem, options, limits, observer);
  }
};

}  // namespace tessera
