// SPDX-License-Identifier: MIT
#include "search/backend.hpp"

#include "base/clock.hpp"
#include "search/tree/serial_executor.hpp"

namespace tessera {
namespace {

// Continues a greedy search that gave up.
void widen_beams(SubtreeExecutor& executor, const Problem& problem, const BestFirstOptions& options,
                 const Limits& limits, Observer& observer, SearchResult& result) {
  Problem single = problem;  // whose solutions are valid in both metrics
  single.metric = Metric::single;
  result.stop = limits.reached(result.counts.generated);
  // A narrow beam that is caught in a local minimum rarely escapes it, nor does a wider one:
  // another seed, which breaks ties differently, helps more often.
  constexpr std::uint64_t seeds = 4;
  for (std::uint64_t attempt = 0; !result.solution && !result.stop; ++attempt) {
    const std::uint64_t width = std::uint64_t{64} << 2 * (attempt / seeds);
    const int ranks = executor.beam_ranks(width);
    if (width > most_beam_width || beam_bytes(single, width, ranks) > options.memory_bytes) {
      result.stop = Stop::memory;
      break;
    }
    Limits rest = limits;
    if (limits.nodes > 0) rest.nodes -= result.counts.generated;
    BeamResult beam = executor.beam(single, {.width = width, .seed = attempt + 1}, rest, observer);
    result.counts.generated += beam.evaluated;
    result.seconds += beam.seconds;
    for (WorkerTimes& worker : result.times) {
      (ranks > 1 || worker.rank == 0 ? worker.search : worker.wait) += beam.seconds;
    }
    result.solution = std::move(beam.moves);
    result.stop = beam.stop;
    if (!result.stop && !result.solution) result.stop = limits.reached(result.counts.generated);
  }
  if (!result.solution) return;
  const int length = solution_length(*result.solution, problem.metric);
  result.optimal = length <= result.bound;
  observer.incumbent(length);
}

}  // namespace

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
  SerialExecutor executor;
  if (options.best_first) {
    outcome.result = executor.best_first(job.problem, *options.best_first, limits, nobody);
  } else {
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

SearchResult Backend::best_first(const Problem& problem, const BestFirstOptions& options,
                                 const Limits& limits, Observer& observer) {
  // About a second. Greedy search solves most boards of 6x6 with fewer nodes, and almost none of
  // 8x8 with any number.
  constexpr std::uint64_t most_nodes = 200'000;
  const bool gives_up =
      options.order == BestFirstOrder::greedy && (limits.nodes == 0 || limits.nodes > most_nodes);
  Limits first = limits;
  if (gives_up) first.nodes = most_nodes;
  SearchResult result = search_stored(problem, options, first, observer);
  if (gives_up && result.stop == Stop::node_limit) {
    widen_beams(*this, problem, options, limits, observer, result);
  }
  return result;
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
