// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "search/beam/beam.hpp"
#include "search/kernels/subtree_search.hpp"
#include "search/limits.hpp"
#include "search/observer.hpp"
#include "search/record/timeline.hpp"
#include "search/tree/subtree_walk.hpp"

namespace tessera {

/// How a worker spent its time since its board began; the parts add up to the board's wall time.
struct WorkerTimes {
  int rank = 0;
  int thread = 0;
  double search = 0;
  double split = 0;
  double wait = 0;
  double communicate = 0;
  double other = 0;

  [[nodiscard]] double sum() const { return search + split + wait + communicate + other; }
};
/// Of each thread of each rank, from their seconds in searches; the rest of `wall_seconds` is
/// waiting.
[[nodiscard]] std::vector<WorkerTimes> times_of_workers(
    const std::vector<std::vector<double>>& search_seconds, double wall_seconds = 0);
/// The parts with their names.
inline constexpr std::pair<const char*, double WorkerTimes::*> worker_sections[] = {
    {"search", &WorkerTimes::search},
    {"split", &WorkerTimes::split},
    {"wait", &WorkerTimes::wait},
    {"communicate", &WorkerTimes::communicate},
    {"other", &WorkerTimes::other}};

/// How subtrees reach workers: dealt once, handed out one by one from a shared store, or dealt and
/// then stolen.
enum class Schedule : std::uint8_t { dealt, dynamic, stealing };
inline constexpr const char* schedule_names[] = {"static", "dynamic", "stealing"};
[[nodiscard]] inline std::string to_string(Schedule schedule) {
  return schedule_names[static_cast<std::size_t>(schedule)];
}

/// How a list of subtrees is searched: all up to one bound, or each with bounds of its own.
struct Task {
  int bound = 0;
  Mode mode = Mode::any;
  bool independent = false;  ///< each subtree runs its own IDA* up to the best solution so far
  Schedule schedule = Schedule::stealing;
  double growth = default_growth;  ///< an iteration's nodes over those of the one before
  double report_seconds = 0;       ///< between reports of finished subtrees; 0: none
  std::uint32_t trace_room = 0;    ///< spans that a thread's Timeline has room for; 0: no trace

  static constexpr double default_growth = 6;
  /// Whether subtrees are searched in pieces.
  [[nodiscard]] bool cuts() const {
    return !independent && (schedule == Schedule::stealing || report_seconds > 0);
  }
  /// Whether branches are given away.
  [[nodiscard]] bool shares() const { return !independent && schedule == Schedule::stealing; }
};

struct FoundSolution {
  std::size_t item = 0;
  std::string letters;  ///< from the instance's start
};

/// The outcome of a Task, combined from all workers.
struct Execution {
  Counts counts;
  int next_bound = no_bound;
  std::vector<std::uint64_t> expanded;    ///< by item
  std::optional<FoundSolution> solution;  ///< unless Mode::exhaust
  std::optional<std::string> solved;      ///< Mode::exhaust: a path to or above the first solution
  std::map<int, Counts> by_bound;         ///< independent only
  std::vector<FinishedSubtree> finished;  ///< not reported yet; if the task reports them
  std::optional<Stop> stop;               ///< a limit or signal ended it
  bool given_up = false;                  ///< a SerialExecutor alone: after its most nodes
  double search_seconds = 0;              ///< summed over workers
  double wall_seconds = 0;
  std::vector<Track> tracks;  ///< of all threads, in this host's time; if a trace is requested
  WorkFigures figures;        ///< of this process alone

  /// Adds what other workers found and counted; not `expanded`, nor values of the whole search.
  void add(Execution next, Metric metric);
};

/// What a walk has found and counted so far.
[[nodiscard]] Execution outcome_of(const SubtreeWalk& walk, std::size_t item);

/// IDA* of one subtree, for independent bounds, until a solution shorter than `incumbent`, the
/// shortest known one.
[[nodiscard]] Execution independent_ida_star(SubtreeSearch& search, std::size_t item,
                                             const std::string& path, SearchControl& control,
                                             const std::atomic<int>& incumbent);

/// Searches the subtrees of one board, and its beams, on some set of workers.
class SubtreeExecutor {
 public:
  virtual ~SubtreeExecutor() = default;
  /// Starts a new board; discards what is known of the previous one.
  virtual void begin(const Problem& problem) = 0;
  virtual Execution execute(std::span<const WorkItem> items, const Task& task,
                            Monitor& monitor) = 0;
  [[nodiscard]] virtual int workers() const = 0;
  /// Whether items are searched one after another in their order.
  [[nodiscard]] virtual bool in_order() const { return false; }
  /// The search and communication times of each worker since `begin`; the caller fills in the rest.
  [[nodiscard]] virtual std::vector<WorkerTimes> times() = 0;

  /// By default in this process, with a thread per worker.
  virtual BeamResult beam(const Problem& problem, const BeamOptions& options, const Limits& limits,
                          Observer& observer) {
    return beam_search(problem, options, workers(), limits, observer);
  }
  /// The number of processes that share the boards of a beam search of that width.
  [[nodiscard]] virtual int beam_ranks(std::uint64_t /*width*/) const { return 1; }
};

}  // namespace tessera
