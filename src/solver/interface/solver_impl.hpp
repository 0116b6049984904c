// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <tessera/solver.hpp>
#include <vector>

#include "solver/board_solver.hpp"

namespace tessera::api {

class Watcher;

/// The implementation of the public solver: its options in both forms, and a BoardSolver on the
/// backend that they select.
class Solver::Impl {
 public:
  /// `places`: of each rank; `ranks`: the backend over them, null for this process alone. Throws
  /// tessera::Error(input).
  Impl(Options options, std::vector<RankPlace> places, Backend* ranks);

  struct Task {
    tessera::Board start;
    tessera::Board goal;
    tessera::Plan plan;
    bool solvable = true;
    double spent = 0;  // seconds of searching it alone
  };
  [[nodiscard]] Task task_of(const Board& board, std::size_t boards) const;
  [[nodiscard]] static Result unsearched(const Task& task);
  /// Throws tessera::Error(internal) if a solution is wrong.
  [[nodiscard]] Result result_of(const Task& task, SearchResult found) const;
  /// On all workers.
  [[nodiscard]] Result search(const Task& task, Watcher& watcher);
  [[nodiscard]] std::vector<Result> solve(std::span<const Board> boards, Watcher& watcher);
  void solve_side_by_side(std::vector<Task>& tasks, std::vector<std::optional<Result>>& done,
                          Watcher& watcher);
  [[nodiscard]] Limits limits() const;
  /// What every solve() begins and ends with. `boards`: as for Watcher.
  template <class Work>
  auto run(const Observer& observer, std::size_t boards, const Work& work);

  Options options_;
  SearchOptions search_;
  Workers workers_;
  std::unique_ptr<Backend> own_;  // unless the ranks' is used
  BoardSolver solver_;
  std::atomic<bool> busy_{false};    // while solve() runs
  std::atomic<bool> ended_{false};   // by stop()
  std::atomic<bool> halted_{false};  // the running solve(), also by a stop token or an exception
};

}  // namespace tessera::api
