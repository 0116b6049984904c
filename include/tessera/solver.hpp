// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include <tessera/board.hpp>
#include <tessera/options.hpp>
#include <tessera/result.hpp>

namespace tessera::api {

/// A snapshot of running work.
struct Progress {
  bool building_tables = false;  ///< before a search
  double done = 0;               ///< of the tables, the bound or the batch, 0 to 1
  int bound = 0;                 ///< that is searched; 0 in a batch
  Nodes nodes = {};              ///< of the board so far
  std::uint64_t evaluated = 0;   ///< boards, by the latest beam search; 0 in a batch
};

/// What is reported during a search. All functions are optional, and are called by the thread that
/// called solve(); an exception thrown by one ends the search and leaves solve().
struct Observer {
  std::function<void(const Progress&)> progress;    ///< up to some hundred times per second
  std::function<void(const Iteration&)> iteration;  ///< a bound is done; not in a batch
  /// A board of a batch is done, or ended by a limit or a stop: its number from 0, in any order.
  /// Boards that were not begun because of a stop are not reported.
  std::function<void(std::size_t board, const Result&)> result;
  /// Ends the search within milliseconds once it has begun; planning a board and opening its tables
  /// are not interrupted.
  std::stop_token stop;
};

/// Solves boards with fixed options, on threads of this process or, in on_ranks(), on ranks. Keeps
/// threads and tables between boards. A solve() while another runs throws Error(input). One that
/// was moved from can only be assigned to or destroyed.
class Solver {
 public:
  /// Throws Error(input) for options that exclude one another.
  explicit Solver(Options options = {});
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  /// Solves one board on all workers. An unsolvable board is an answer, not an error. Throws
  /// Error(input) for an unknown heuristic or goal, Error(resource), Error(corrupt) for a damaged
  /// table.
  Result solve(const Board& board, const Observer& observer = {});
  /// Solves many: easy ones side by side, one worker each, hard ones on all workers. The results
  /// are in the order of `boards`.
  std::vector<Result> solve(std::span<const Board> boards, const Observer& observer = {});
  /// What solve() would do, without doing it.
  [[nodiscard]] Plan plan(const Board& board) const;

  /// Stops the running solve() like a stop token; later calls return without a search. Safe to call
  /// from another thread or a signal handler.
  void stop() noexcept;

  [[nodiscard]] const Options& options() const noexcept;

  /// For internal use; on_ranks() constructs it.
  class Impl;
  explicit Solver(std::unique_ptr<Impl> impl);

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace tessera::api
