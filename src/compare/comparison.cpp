// SPDX-License-Identifier: MIT
#include "compare/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "report/tables.hpp"

namespace tessera {
namespace {

// The boards' lengths are known to be the best possible if one configuration has proven them.
Answers answers_of(const Comparison& comparison, const TimedRun& run) {
  Answers answers = Answers::optimal;
  for (std::size_t i = 0; i < run.boards.size(); ++i) {
    const BoardTime& board = run.boards[i];
    bool proven = board.optimal;
    for (const Measured& other : comparison.configurations) {
      if (!other.timed() || i >= other.median_run().boards.size()) continue;
      const BoardTime& its = other.median_run().boards[i];
      if (its.length < board.length) return Answers::longer;
      proven = proven || its.optimal;
    }
    if (!proven) answers = Answers::unproven;
  }
  return answers;
}

}  // namespace

std::string name_of(const Configuration& configuration) {
  std::string name = configuration.engine;
  if (!configuration.heuristic.empty()) name += " " + configuration.heuristic;
  if (configuration.backend == "serial") name += ", serial";
  else if (configuration.backend == "threads")
    name += ", " + counted(configuration.threads, "thread");
  else name += ", " + counted(configuration.ranks, "rank");
  if (configuration.backend == "mpi" && configuration.threads > 1) {
    name += " x " + counted(configuration.threads, "thread");
  }
  if (configuration.split_depth) name += fmt::format(", depth {}", *configuration.split_depth);
  if (!configuration.more.empty()) name += ", " + configuration.more;
  return name;
}

TimedRun average_of(std::span<const TimedRun> passes) {
  TimedRun run = passes.front();
  for (const TimedRun& pass : passes.subspan(1)) {
    run.seconds += pass.seconds;
    run.counts += pass.counts;
    add_times(run.times, pass.times);
    for (std::size_t i = 0; i < run.boards.size(); ++i) {
      run.boards[i].seconds += pass.boards[i].seconds;
    }
  }
  const std::size_t count = passes.size();
  const auto divisor = static_cast<double>(count);
  run.passes = static_cast<int>(count);
  run.seconds /= divisor;
  for (std::uint64_t* sum : {&run.counts.expanded, &run.counts.generated, &run.counts.solutions}) {
    *sum = (*sum + count / 2) / count;
  }
  for (WorkerTimes& worker : run.times) {
    for (const auto& [name, seconds] : worker_sections) worker.*seconds /= divisor;
  }
  for (BoardTime& board : run.boards) board.seconds /= divisor;
  return run;
}

WorkerTimes TimedRun::sections() const {
  WorkerTimes sums;
  for (const WorkerTimes& worker : times) {
    for (const auto& [name, part] : worker_sections) sums.*part += worker.*part;
  }
  return sums;
}

int Measured::moves() const {
  int moves = 0;
  for (const BoardTime& board : median_run().boards) moves += board.length;
  return moves;
}

bool Measured::too_short() const {
  return timed() && std::ranges::any_of(runs, [](const TimedRun& run) {
           return run.seconds * run.passes < least_run_seconds;
         });
}

std::vector<double> Measured::seconds() const {
  std::vector<double> seconds;
  for (const TimedRun& run : runs) seconds.push_back(run.seconds);
  return seconds;
}

const Measured* reference_of(const Comparison& comparison, const Configuration& configuration) {
  const Measured* one_worker = nullptr;
  for (const Measured& measured : comparison.configurations) {
    const Configuration& other = measured.configuration;
    if (other.engine != configuration.engine || other.heuristic != configuration.heuristic ||
        !measured.timed()) {
      continue;
    }
    if (other.backend == "serial") return &measured;
    if (other.workers() == 1 && one_worker == nullptr) one_worker = &measured;
  }
  return one_worker;
}

std::string to_string(Answers answers) {
  if (answers == Answers::optimal) return "optimal";
  return answers == Answers::unproven ? "not proven optimal" : "not optimal";
}

Figures figures_of(const Comparison& comparison, const Measured& measured) {
  Figures figures;
  figures.seconds = spread_of(measured.seconds());
  const TimedRun& run = measured.median_run();
  figures.sections = run.sections();
  double most = 0;
  for (const WorkerTimes& worker : run.times) most = std::max(most, worker.search);
  const auto workers = static_cast<double>(measured.configuration.workers());
  if (run.seconds > 0) figures.idle = figures.sections.wait / (run.seconds * workers);
  if (figures.sections.search > 0) figures.imbalance = most * workers / figures.sections.search - 1;
  figures.answers = answers_of(comparison, run);
  figures.reference = reference_of(comparison, measured.configuration);
  if (figures.reference != nullptr) {
    if (figures.seconds.median > 0) {
      figures.speedup = spread_of(figures.reference->seconds()).median / figures.seconds.median;
      figures.efficiency = *figures.speedup / workers;
    }
    if (const auto expanded = figures.reference->median_run().counts.expanded; expanded > 0) {
      figures.work_ratio = static_cast<double>(run.counts.expanded) / static_cast<double>(expanded);
    }
  }
  return figures;
}

std::vector<const Measured*> by_speed(const Comparison& comparison) {
  std::vector<const Measured*> timed;
  for (const Measured& measured : comparison.configurations) {
    if (measured.timed()) timed.push_back(&measured);
  }
  std::ranges::stable_sort(
      timed, {}, [](const Measured* measured) { return spread_of(measured->seconds()).median; });
  return timed;
}

}  // namespace tessera
