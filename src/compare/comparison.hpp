// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compare/statistics.hpp"
#include "report/run_identity.hpp"
#include "search/kernels/subtree_search.hpp"
#include "search/tree/execution.hpp"

namespace tessera {

/// What is timed: an engine with a number of workers.
struct Configuration {
  std::string engine;
  std::string heuristic;  ///< empty for engines without one
  std::string backend;    ///< serial, threads or mpi
  int ranks = 1;
  int threads = 1;  ///< of each rank
  std::string schedule;
  std::optional<int> split_depth;
  std::string prune;  ///< the rule, if all boards have the same; empty: none
  std::string more;   ///< other differences, such as "queues:4"; empty: none

  [[nodiscard]] int workers() const { return ranks * threads; }
};
/// "ida manhattan, 2 ranks x 4 threads, depth 3"
[[nodiscard]] std::string name_of(const Configuration& configuration);

/// The result of a run on one board.
struct BoardTime {
  std::string id;
  int length = 0;
  bool optimal = false;
  double seconds = 0;
};

/// The timing of a shorter run depends more on the clock and the scheduler than on the search, so
/// passes are repeated until a run is this long.
constexpr double least_run_seconds = 0.05;

/// One timed run of a configuration: one or more passes over all boards. All values are averages
/// over its passes.
struct TimedRun {
  int passes = 1;
  double seconds = 0;  ///< without building tables and waking workers
  Counts counts;
  std::vector<WorkerTimes> times;  ///< by worker; the sections of each add up to `seconds`
  std::vector<BoardTime> boards;

  /// Sum over all workers.
  [[nodiscard]] WorkerTimes sections() const;
};

/// The average of one or more passes, which must have the same workers and boards.
[[nodiscard]] TimedRun average_of(std::span<const TimedRun> passes);

/// A configuration with its runs.
struct Measured {
  Configuration configuration;
  std::vector<TimedRun> runs;  ///< complete ones
  std::string cut;             ///< why it has no time, such as "--time-limit"; empty: it has one

  /// Whether it was timed.
  [[nodiscard]] bool timed() const { return cut.empty() && !runs.empty(); }
  /// Whether one of its runs is shorter than `least_run_seconds`.
  [[nodiscard]] bool too_short() const;
  [[nodiscard]] std::vector<double> seconds() const;
  /// The median run, which represents all runs.
  [[nodiscard]] const TimedRun& median_run() const { return runs[median_index(seconds())]; }
  /// Of the median run's solutions of all boards.
  [[nodiscard]] int moves() const;
};

/// What is known of the lengths of a configuration's solutions.
enum class Answers {
  optimal,   ///< proven, by itself or by another configuration that found the same lengths
  unproven,  ///< nobody found shorter ones, and nobody proved that there are none
  longer     ///< another configuration found shorter ones
};

/// Summary of a configuration's runs. Sections, counts and boards are those of the median run.
struct Figures {
  Spread seconds;
  WorkerTimes sections;  ///< of all workers together
  double idle = 0;       ///< waiting / (wall x workers)
  double imbalance = 0;  ///< max / mean search time of a worker - 1
  Answers answers = Answers::optimal;
  /// What the next three refer to; null if nothing that was timed can serve.
  const Measured* reference = nullptr;
  std::optional<double> speedup;     ///< median of the reference / median
  std::optional<double> efficiency;  ///< speedup / workers
  std::optional<double> work_ratio;  ///< expanded / expanded by the reference
};

struct Comparison {
  RunIdentity run;
  int cpus = 0;
  int hosts = 1;
  /// The fraction of their time in which rank 0's search threads had a CPU, if known.
  std::optional<double> cpu_share = {};
  std::vector<std::string> boards;
  std::vector<std::string> unsolvable;  ///< boards rejected by parity and not timed
  int repeat = 0;
  std::string study;                    ///< empty: none
  std::vector<std::vector<int>> tiles;  ///< of `boards`
  std::string size;                     ///< of all boards; empty: they differ
  std::string goal;                     ///< the same
  std::string set;                      ///< as in --set; empty: none
  std::uint64_t seed = 1;
  bool interrupted = false;
  bool finish_iteration = false;  ///< all nodes of the last bound are searched
  std::vector<Measured> configurations;
};

/// What speedup refers to: the timed serial search with the same engine and heuristic, else the
/// first such configuration with one worker. Null if there is none.
[[nodiscard]] const Measured* reference_of(const Comparison& comparison,
                                           const Configuration& configuration);

/// "optimal", "not proven optimal" or "not optimal".
[[nodiscard]] std::string to_string(Answers answers);

/// The figures of a timed configuration.
[[nodiscard]] Figures figures_of(const Comparison& comparison, const Measured& measured);

/// The timed configurations, fastest first by median.
[[nodiscard]] std::vector<const Measured*> by_speed(const Comparison& comparison);

/// The table for users: a row for each configuration, and where its time went. docs/compare.md
/// explains it.
[[nodiscard]] std::string comparison_table(const Comparison& comparison);

/// One JSON object of schema tessera.compare/1, on one line.
[[nodiscard]] std::string to_json(const Comparison& comparison);

/// A heading, and one row for each configuration; fields without a value are empty.
[[nodiscard]] std::string to_csv(const Comparison& comparison);

}  // namespace tessera
