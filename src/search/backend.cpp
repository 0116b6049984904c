// SPDX-License-Identifier: MIT
#include "search/backend.hpp"

#include "base/clock.hpp"
#include "search/tree/serial_executor.hpp"

namespace tessera {

BoardOutcome solve_board(const BoardJob& job, const BatchOptions& options, Limits limits) {
  const std::uint64_t own = options.node_limit;
  const bool easy_only = options.easy_nodes > 0 && (own == 0 || options.easy_nodes < own);
  limits = limits.for_board(options.time_limit);
  limits.nodes = easy_only ? options.easy_nodes : own;
  Observer nobody;
  const Stopwatch watch;
  const double cpu_seconds = thread_cpu_seconds();
  BoardOutcome outcome;
  outcome.index = job.index;
  if (options.best_first) {
    outcome.result = best_first(job.problem, *options.best_first, limits, nobody);
  } else {
    SerialExecutor executor;
    IdaStarOptions ida = options.ida;
    if (!job.known.empty()) ida.saved.beams.push_back({.width = 1, .moves = job.known});
    outcome.result = ida_star(job.problem, ida, executor, limits, nobody);
  }
  outcome.end = Stopwatch::Clock::now().time_since_epoch();
  outcome.wall_seconds = watch.seconds();
  outcome.cpu_seconds = thread_cpu_seconds() - cpu_seconds;
  outcome.too_hard = easy_only && outcome.result.stop == Stop::node_limit;
  return outcome;
}

std::vector<WorkerTimes> Backend::solve_boards(std::vector<BoardJob> jobs,
                                               const BatchOptions& options, const Limits& limits,
                                               const BoardDone& done) {
  WorkerTimes times;
  for (const BoardJob& job : jobs) {
    if (limits.is_interrupted()) break;
    const Stopwatch watch;
    BoardOutcome outcome = solve_board(job, options, limits);
    times.search += watch.seconds();
    done(std::move(outcome));
  }
  return {times};
}

}  // namespace tessera
