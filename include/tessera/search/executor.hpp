// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tessera/base/clock.hpp"
#include "tessera/pdb/table_store.hpp"
#include "tessera/search/limits.hpp"
#include "tessera/search/subtree_search.hpp"
#include "tessera/search/subtree_walk.hpp"
#include "tessera/search/timeline.hpp"

namespace tessera {

/// How subtrees reach workers: dealt once, handed out one by one from a common store, or dealt and
/// then stolen.
enum class Schedule : std::uint8_t { dealt, dynamic, stealing };

/// One execution: all items up to one bound, or each item with bounds of its own.
struct Task {
  int bound = 0;
  Mode mode = Mode::any;
  bool independent = false;  ///< each subtree runs its own IDA* up to the best solution so far
  Schedule schedule = Schedule::stealing;
  double growth = usual_growth;  ///< an iteration's nodes over those of the one before
  double report_seconds = 0;     ///< how often finished subtrees are reported; 0: never
  std::uint32_t trace_room = 0;  ///< spans that a thread's Timeline has room for; 0: no trace

  static constexpr double usual_growth = 6;
  /// Whether subtrees are searched in pieces.
  [[nodiscard]] bool cuts() const {
    return !independent && (schedule == Schedule::stealing || report_seconds > 0);
  }
  /// Whether pieces are given away.
  [[nodiscard]] bool shares() const { return !independent && schedule == Schedule::stealing; }
};

struct FoundSolution {
  std::size_t item = 0;
  std::string letters;  ///< from the instance's start
};

/// What an execution gathers from all workers.
struct Execution {
  Counts counts;
  int next_bound = no_bound;
  std::vector<std::uint64_t> expanded;    ///< by item
  std::optional<FoundSolution> solution;  ///< unless Mode::exhaust
  std::optional<std::string> solved;      ///< Mode::exhaust: a path to or above the first solution
  std::map<int, Counts> by_bound;         ///< independent only
  std::optional<Stop> stop;               ///< a limit or signal ended it
  double search_seconds = 0;              ///< summed over workers
  double wall_seconds = 0;
  std::vector<Track> tracks;  ///< of all threads, in this host's time; where a trace is asked for
  WorkFigures figures;        ///< of this process alone
};

/// Where a worker's time went since its board began; the parts add up to the board's wall time.
struct WorkerTimes {
  int rank = 0;
  int thread = 0;
  double search = 0;
  double split = 0;
  double wait = 0;
  double communicate = 0;
  double other = 0;
};

/// Of the tables that a problem needs, which ones are this one's to make: every count-th.
struct TableShare {
  std::size_t index = 0;
  std::size_t count = 1;
};
/// Opens a problem's tables and its pruning automaton; those of the share that are missing are made
/// first. False where `progress` ended it.
bool open_tables(const Problem& problem, int threads, const TableProgress& progress,
                 TableShare share);

struct BatchOptions;
struct BeamOptions;
struct BeamResult;
struct BestFirstOptions;
struct SearchResult;
struct BoardJob;
struct BoardOutcome;

/// Searches subtrees on some set of workers. Implemented here serially, by threads/ with a pool,
/// by cluster/ over ranks.
class Executor {
 public:
  virtual ~Executor() = default;

  /// Makes the tables that the problem's heuristic needs, and the automaton that its pruning does,
  /// if they are not there yet, with all threads; ranks share them out. False where `progress`
  /// ended it.
  virtual bool prepare(const Problem& problem, const TableProgress& progress) {
    return open_tables(problem, workers(), progress, {});
  }

  /// A new board; what was known of the one before is dropped.
  virtual void begin(const Problem& problem) = 0;
  virtual Execution execute(std::span<const WorkItem> items, const Task& task,
                            Monitor& monitor) = 0;
  /// The engines that keep what they have met (best_first.hpp), which share nothing with subtrees
  /// but the workers; in one thread, unless the executor has a way to use more.
  virtual SearchResult best_first(const Problem& problem, const BestFirstOptions& options,
                                  const Limits& limits, Observer& observer);
  /// Beam search (beam.hpp) by all workers.
  virtual BeamResult beam(const Problem& problem, const BeamOptions& options, const Limits& limits,
                          Observer& observer);
  /// How many processes share the boards of a beam search of that width.
  [[nodiscard]] virtual int beam_ranks(std::uint64_t /*width*/) const { return 1; }
  /// Solves boards one by one, each by one worker, in this order as far as workers are free (see
  /// batch.hpp). `done` is called here, in any order; not for boards that an interruption leaves.
  /// Returns where the workers' time went.
  virtual std::vector<WorkerTimes> solve_boards(std::vector<BoardJob> jobs,
                                                const BatchOptions& options, const Limits& limits,
                                                const std::function<void(BoardOutcome)>& done);
  [[nodiscard]] virtual int workers() const = 0;
  /// Whether items are searched one after another in their order.
  [[nodiscard]] virtual bool in_order() const { return false; }
  /// search and communicate of each worker since `begin`; the caller fills in the rest.
  [[nodiscard]] virtual std::vector<WorkerTimes> times() = 0;
};

/// A subtree's own IDA*, for independent bounds: up to a solution shorter than `incumbent`, the
/// shortest that is known.
struct OwnIdaStar {
  Counts counts;
  std::map<int, Counts> by_bound;
  std::string letters;  ///< of the solution from the start
  bool found = false;
};
[[nodiscard]] OwnIdaStar own_ida_star(SubtreeSearch& search, const std::string& path,
                                      SearchControl& control, const std::atomic<int>& incumbent);

/// When finished subtrees are reported: running searches are asked for their part a moment before.
class ReportTimer {
 public:
  /// `every` seconds; 0: never.
  explicit ReportTimer(double every) : every_(every) {}
  /// True once per interval.
  bool ask() {
    if (asked_ || every_ <= 0 || since_.seconds() < every_ - moment) return false;
    return asked_ = true;
  }
  /// True once per interval, a moment later.
  bool due() {
    if (!asked_ || since_.seconds() < every_) return false;
    asked_ = false;
    since_.lap();
    return true;
  }

 private:
  static constexpr double moment = 0.1;  // seconds; longer than nearly every piece of work
  double every_;
  bool asked_ = false;
  Stopwatch since_;
};

/// How many nodes a search expands in a time, from what it did last.
class Pace {
 public:
  void note(double expanded, double seconds);
  /// At least a number below which cutting costs more than it gains.
  [[nodiscard]] double nodes_in(double seconds) const;

 private:
  double rate_ = 25e6;  // nodes a second; soon forgotten
};

/// Searches items one by one in the calling thread.
class SerialExecutor final : public Executor {
 public:
  void begin(const Problem& problem) override;
  Execution execute(std::span<const WorkItem> items, const Task& task, Monitor& monitor) override;
  [[nodiscard]] int workers() const override { return 1; }
  [[nodiscard]] bool in_order() const override { return true; }
  [[nodiscard]] std::vector<WorkerTimes> times() override { return {times_}; }

 private:
  std::unique_ptr<SubtreeSearch> search_;
  SubtreeCosts costs_;
  Pace pace_;
  Metric metric_ = Metric::single;
  WorkerTimes times_;
};

}  // namespace tessera
