// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "cli/crew.hpp"
#include "cli/solve_tasks.hpp"
#include "tessera/base/clock.hpp"
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
              ProgressObserver& progress, const Report& report) {
    constexpr std::size_t boards_per_worker = 4096;
    first_ = reported_ = first;
    end_ = std::min(tasks_.size(),
                    first + boards_per_worker * static_cast<std::size_t>(crew_.setup.workers));
    results_.assign(end_ - first, std::nullopt);
    std::vector<BoardJob> jobs;
    for (std::size_t i = first; i < end_; ++i) {
      if (!tasks_.is_solvable(i)) {
        results_[i - first] = tasks_.unsolved(i);
        continue;
      }
      if (!tables.prepare(i, progress)) break;  // the caller meets the same limit and says so
      jobs.push_back({static_cast<std::uint32_t>(i), tasks_.problem(i)});
    }
    std::size_t done = 0;
    const auto total = static_cast<double>(jobs.size());
    progress.board_started("boards");
    const Stopwatch watch;
    Times times;
    times.workers =
        crew_.backend->solve_boards(std::move(jobs), options_, limits, [&](BoardOutcome outcome) {
          progress.table_progress(static_cast<double>(++done) / total);
          if (outcome.too_hard) return;
          results_[outcome.index - first] = tasks_.judged(outcome.index, std::move(outcome.result));
          report_ready(report);
        });
    report_ready(report);  // boards that need no search
    times.seconds = watch.seconds();
    for (WorkerTimes& worker : times.workers) {
      worker.other += std::max(0.0, times.seconds - worker.sum());
    }
    return times;
  }

  /// Behind the last board that it was given.
  [[nodiscard]] std::size_t end() const { return end_; }
  /// Behind the last board that it reported.
  [[nodiscard]] std::size_t reported() const { return reported_; }
  /// What it has for a board that it has not reported.
  [[nodiscard]] std::optional<BoardResult> take(std::size_t i) {
    if (i >= end_) return {};
    return std::move(results_[i - first_]);
  }

 private:
  // Nothing is reported behind a board that was interrupted.
  void report_ready(const Report& report) {
    for (; reported_ < end_; ++reported_) {
      std::optional<BoardResult>& result = results_[reported_ - first_];
      if (!result || result->status == Status::interrupted) return;
      report(*result);
      result.reset();
    }
  }

  const SolveTasks& tasks_;
  Crew& crew_;
  BatchOptions options_;
  std::size_t first_ = 0;
  std::size_t end_ = 0;
  std::size_t reported_ = 0;
  std::vector<std::optional<BoardResult>> results_;  // from `first_` on
};

}  // namespace tessera
