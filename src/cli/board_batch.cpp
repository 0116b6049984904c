// SPDX-License-Identifier: MIT
#include "cli/board_batch.hpp"

#include <algorithm>
#include <utility>

#include "tessera/base/clock.hpp"

namespace tessera {

BoardBatch::Times BoardBatch::solve(std::size_t first, TablePreparation& tables,
                                    const Limits& limits, ProgressObserver& progress,
                                    const Report& report) {
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

// Nothing is reported behind a board that was interrupted.
void BoardBatch::report_ready(const Report& report) {
  for (; reported_ < end_; ++reported_) {
    std::optional<BoardResult>& result = results_[reported_ - first_];
    if (!result || result->status == Status::interrupted) return;
    report(*result);
    result.reset();
  }
}

std::optional<BoardResult> BoardBatch::take(std::size_t i) {
  if (i >= end_) return {};
  return std::move(results_[i - first_]);
}

}  // namespace tessera
