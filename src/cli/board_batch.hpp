// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "cli/crew.hpp"
#include "cli/solve_tasks.hpp"
#include "tessera/report/progress.hpp"
#include "tessera/search/batch.hpp"

namespace tessera {

/// Many boards, each solved by one worker, and reported in the order in which they were given.
/// Refers to the tasks and the crew.
class BoardBatch {
 public:
  BoardBatch(const SolveTasks& tasks, Crew& crew, BatchOptions options)
      : tasks_(tasks), crew_(crew), options_(std::move(options)) {}

  using Report = std::function<void(const BoardResult&)>;

  /// Where the time went; the parts of each worker add up to `seconds`.
  struct Times {
    std::vector<WorkerTimes> workers;
    double seconds = 0;  ///< without building tables
  };

  /// Solves boards from `first` on, up to a number that still leaves rows to be reported now and
  /// then, and reports those that follow one another without a gap. What is left is too hard for
  /// one worker, or was interrupted.
  Times solve(std::size_t first, TablePreparation& tables, const Limits& limits,
              ProgressObserver& progress, const Report& report);

  /// Behind the last board that it was given.
  [[nodiscard]] std::size_t end() const { return end_; }
  /// Behind the last board that it reported.
  [[nodiscard]] std::size_t reported() const { return reported_; }
  /// What it has for a board that it has not reported.
  [[nodiscard]] std::optional<BoardResult> take(std::size_t i);

 private:
  void report_ready(const Report& report);

  const SolveTasks& tasks_;
  Crew& crew_;
  BatchOptions options_;
  std::size_t first_ = 0;
  std::size_t end_ = 0;
  std::size_t reported_ = 0;
  std::vector<std::optional<BoardResult>> results_;  // from `first_` on
};

}  // namespace tessera
