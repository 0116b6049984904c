// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tessera/pdb/table_store.hpp"
#include "tessera/search/limits.hpp"
#include "tessera/search/subtree_search.hpp"

namespace tessera {

/// How subtrees reach workers: dealt once, handed out one by one from a common store, or dealt and
/// then stolen.
enum class Schedule : std::uint8_t { dealt, dynamic, stealing };

/// A subtree to search, in the order of moves; `cost` is what it is expected to expand.
struct WorkItem {
  std::string path;
  std::uint64_t cost = 0;
};

/// One execution: all items up to one bound, or each item with bounds of its own.
struct Task {
  int bound = 0;
  Mode mode = Mode::any;
  bool independent = false;  ///< each subtree runs its own IDA* up to the best solution so far
  Schedule schedule = Schedule::stealing;
};

struct FoundSolution {
  std::size_t item = 0;
  std::string letters;  ///< from the instance's start
};

/// What an execution gathers from all workers.
struct Execution {
  Counts counts;
  int next_bound = no_bound;
  std::vector<std::uint64_t> expanded;             ///< by item
  std::optional<FoundSolution> solution;           ///< unless Mode::exhaust
  std::optional<std::size_t> first_with_solution;  ///< Mode::exhaust: the first such item
  std::map<int, Counts> by_bound;                  ///< independent only
  std::optional<Stop> stop;                        ///< a limit or signal ended it
  double search_seconds = 0;                       ///< summed over workers
  double wall_seconds = 0;
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
/// Opens a problem's tables, those of the share that are missing are made first. False where
/// `progress` ended it.
bool open_tables(const Problem& problem, int threads, const TableProgress& progress,
                 TableShare share);

struct BestFirstOptions;
struct BestFirstResult;

/// Searches subtrees on some set of workers. Implemented here serially, by threads/ with a pool,
/// by cluster/ over ranks.
class Executor {
 public:
  virtual ~Executor() = default;

  /// Makes the tables that the problem's heuristic needs and that are not there yet, with all
  /// threads; ranks share them out. False where `progress` ended it.
  virtual bool prepare(const Problem& problem, const TableProgress& progress) {
    return open_tables(problem, workers(), progress, {});
  }

  /// A new board; what was known of the one before is dropped.
  virtual void begin(const Problem& problem) = 0;
  virtual Execution execute(std::span<const WorkItem> items, const Task& task,
                            Monitor& monitor) = 0;
  /// The engines that keep what they have met (best_first.hpp), which share nothing with subtrees
  /// but the workers; in one thread, unless the executor has a way to use more.
  virtual BestFirstResult best_first(const Problem& problem, const BestFirstOptions& options,
                                     const Limits& limits, Observer& observer);
  [[nodiscard]] virtual int workers() const = 0;
  /// Whether items are searched one after another in their order.
  [[nodiscard]] virtual bool in_order() const { return false; }
  /// search and communicate of each worker since `begin`; the caller fills in the rest.
  [[nodiscard]] virtual std::vector<WorkerTimes> times() = 0;
};

/// One item's share of an execution, on whatever worker.
class ItemSearch {
 public:
  explicit ItemSearch(const Problem& problem) : search_(make_subtree_search(problem)) {}

  struct Outcome {
    Counts counts;
    int next_bound = no_bound;
    bool stopped = false;
    std::string letters;  ///< of a solution from the start, unless Mode::exhaust
    bool found = false;
    std::map<int, Counts> by_bound;
  };
  /// `incumbent` is the shortest solution known so far, for independent bounds.
  Outcome run(const WorkItem& item, const Task& task, SearchControl& control,
              const std::atomic<int>& incumbent);

 private:
  std::unique_ptr<SubtreeSearch> search_;
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
  std::optional<ItemSearch> search_;
  Metric metric_ = Metric::single;
  WorkerTimes times_;
};

}  // namespace tessera
