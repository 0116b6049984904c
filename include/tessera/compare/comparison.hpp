// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tessera/compare/statistics.hpp"
#include "tessera/search/execution.hpp"
#include "tessera/search/subtree_search.hpp"

namespace tessera {

/// What is timed: an engine on so many workers.
struct Configuration {
  std::string engine;
  std::string heuristic;  ///< empty for engines without one
  std::string backend;    ///< serial, threads or mpi
  int ranks = 1;
  int threads = 1;  ///< of each rank
  std::string schedule;
  std::optional<int> split_depth;
  std::string more;  ///< what else sets it apart, such as "queues:4"; empty: nothing

  [[nodiscard]] int workers() const { return ranks * threads; }
};
/// "ida manhattan, 2 ranks x 4 threads, depth 3"
[[nodiscard]] std::string name_of(const Configuration& configuration);

/// What a run found on a board.
struct BoardTime {
  std::string id;
  int length = 0;
  bool optimal = false;
  double seconds = 0;
};

/// A run shorter than this says more about the clock and the scheduler than about the search, so
/// passes are repeated until a run is as long.
constexpr double least_run_seconds = 0.05;

/// One timed run of a configuration: one or more passes over all boards. All figures are averages
/// of its passes.
struct TimedRun {
  int passes = 1;
  double seconds = 0;  ///< without tables and the waking of workers
  Counts counts;
  std::vector<WorkerTimes> times;  ///< by worker; the sections of each add up to `seconds`
  std::vector<BoardTime> boards;

  /// Of all workers together.
  [[nodiscard]] WorkerTimes sections() const;
};

/// One run of at least one pass; all passes have the same workers and boards.
[[nodiscard]] TimedRun average_of(std::span<const TimedRun> passes);

/// A configuration with its runs.
struct Measured {
  Configuration configuration;
  std::vector<TimedRun> runs;  ///< complete ones
  std::string cut;  ///< what keeps it from a time, such as "--time-limit"; empty: nothing

  /// Whether it has a time.
  [[nodiscard]] bool timed() const { return cut.empty() && !runs.empty(); }
  /// Whether one of its runs is shorter than `least_run_seconds`.
  [[nodiscard]] bool too_short() const;
  [[nodiscard]] std::vector<double> seconds() const;
  /// The run that stands for all.
  [[nodiscard]] const TimedRun& median_run() const { return runs[median_index(seconds())]; }
};

/// What a configuration's runs come to. Sections, counts and boards are those of the median run.
struct Figures {
  Spread seconds;
  WorkerTimes sections;  ///< of all workers together
  double idle = 0;       ///< waiting / (wall x workers)
  double imbalance = 0;  ///< most / average searching of a worker - 1
  /// Against `serial` of the same engine and heuristic, where that was timed.
  std::optional<double> speedup;
  std::optional<double> efficiency;       ///< speedup / workers
  std::optional<double> search_overhead;  ///< expanded / expanded serially - 1
};

struct Comparison {
  std::string cpu;
  int cpus = 0;
  int hosts = 1;
  std::string date;  ///< UTC, ISO 8601
  /// The part of the time of rank 0's searching threads in which they had a CPU, where known.
  std::optional<double> cpu_share = {};
  std::vector<std::string> boards;
  std::vector<std::string> unsolvable;  ///< boards that are answered by parity, and not timed
  int repeat = 0;
  std::string study;  ///< empty: none
  bool interrupted = false;
  std::vector<Measured> configurations;
};

/// Of a timed configuration.
[[nodiscard]] Figures figures_of(const Comparison& comparison, const Measured& measured);

/// The timed ones, fastest first by their medians.
[[nodiscard]] std::vector<const Measured*> by_speed(const Comparison& comparison);

/// What a person reads: a row for each configuration, and where its time went. docs/compare.md
/// says how to read it.
[[nodiscard]] std::string comparison_table(const Comparison& comparison);

/// One JSON object of schema tessera.compare/1, on one line.
[[nodiscard]] std::string to_json(const Comparison& comparison);

/// A heading, and one row for each configuration; empty fields where there is no figure.
[[nodiscard]] std::string to_csv(const Comparison& comparison);

}  // namespace tessera
