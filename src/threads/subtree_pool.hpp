// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "base/threads.hpp"
#include "protocol/rank_protocol.hpp"
#include "search/tree/execution.hpp"
#include "search/tree/subtree_walk.hpp"

namespace tessera {

/// An item with its index in the execution, so that it can be sent to other ranks.
struct PooledItem {
  std::uint32_t ordinal = 0;
  WorkItem work;
};
[[nodiscard]] std::vector<PooledItem> pooled(std::span<const WorkItem> items);

/// The search threads of one rank and the subtrees that wait for them. Each thread has a queue,
/// costliest first. When it is empty, the thread takes from the fullest queue (Schedule::stealing)
/// or is done (dealt); with dynamic, all threads share one queue. With stealing, if the first
/// solution ends the search, the smallest h goes first.
///
/// With stealing, a subtree is searched in pieces of some milliseconds, and when threads or other
/// ranks are idle, a running one gives away its untried branches.
///
/// One coordinating thread calls the public functions; the search threads belong to the pool. A
/// subtree or piece takes milliseconds, so the single mutex is not contended.
class SubtreePool {
 public:
  explicit SubtreePool(int threads);

  [[nodiscard]] int threads() const { return static_cast<int>(workers_.size()); }

  /// Starts a new board. No execution may be running.
  void set_problem(const Problem& problem);
  [[nodiscard]] const Problem& problem() const { return problem_; }
  /// How many changes of mapped files had been noticed before.
  [[nodiscard]] std::uint64_t earlier_changes() const { return earlier_changes_; }

  /// Starts an execution without items. It ends by itself after `nodes` generated nodes: threads
  /// check more often as fewer remain, so that they overshoot the limit only slightly.
  void start(const Task& task, std::uint64_t nodes = ~std::uint64_t{0});
  /// Adds new items, which count as created here.
  void add(std::vector<PooledItem> items);
  /// Adds items that another pool has created.
  void receive(std::vector<PooledItem> items);
  /// Removes a thief's share of what is waiting here, the costliest first.
  [[nodiscard]] std::vector<PooledItem> give_away(const Share& share);
  /// The number of idle threads elsewhere: running subtrees are cut for them too.
  void want(int threads) { wanted_ = threads; }
  /// The length of the shortest solution on another rank, for independent bounds.
  void lower_incumbent(int length);
  /// Makes all searches end at their next check; drops waiting items.
  void stop();
  /// Waits until no thread works on an item. Only after `stop`, or if no items are waiting.
  void quiesce();

  /// `expanded` and `generated` are as of the last poll of each thread. The path to a goal that was
  /// seen may not be known yet.
  struct Status : PoolLoad {
    bool spent = false;        ///< the node limit is reached
    bool failed = false;       ///< a thread threw; `collect` rethrows it
    int incumbent = no_bound;  ///< the shortest solution known here
  };
  [[nodiscard]] Status status();
  /// Waits until nothing runs or waits, there is a solution or a failure, or the time is over.
  void wait(std::chrono::microseconds most);

  /// What was finished since the last call, if the task requests it. Call `ask_finished` some time
  /// before, so that running searches add their part.
  void ask_finished() { ++asked_; }
  [[nodiscard]] std::vector<FinishedSubtree> take_finished();

  /// What the threads here found and counted in an execution of `items` items, after `quiesce`; the
  /// caller fills in the rest, including the `figures` that threads do not know. Rethrows what a
  /// search thread threw.
  [[nodiscard]] Execution collect(std::size_t items, WorkFigures figures = {});

  /// What each thread did since the last call, if the task traces; after `quiesce`.
  [[nodiscard]] std::vector<Track> take_tracks(int rank);

  /// Seconds spent in searches since set_problem, by thread.
  [[nodiscard]] std::vector<double> search_seconds();

 private:
  // Belongs to one search thread; the coordinator reads the counters while it runs.
  struct Worker {
    std::deque<PooledItem> queue;  // guarded by mutex_
    std::atomic<std::uint64_t> expanded{0};
    std::atomic<std::uint64_t> generated{0};
    std::unique_ptr<SubtreeSearch> search;
    SubtreeCosts costs;
    Pace pace;
    double seconds = 0;  // guarded by mutex_
    int number = 0;
    // Its trace: the thread's own while it searches, else guarded by mutex_.
    Timeline timeline;
    std::int64_t idle_since = 0;  // ns; 0: never
    int taken_from = -1;          // owner of the item's queue; -1: its own
  };
  class Control;

  void work(Worker& worker, const std::stop_token& ending);
  bool take(Worker& worker, PooledItem& item);
  [[nodiscard]] Worker& fullest();
  [[nodiscard]] bool begins_with_most_promising() const;
  void enqueue(std::vector<PooledItem> items);
  [[nodiscard]] Execution search(Worker& worker, const PooledItem& item);
  [[nodiscard]] bool is_limited() const { return nodes_ != ~std::uint64_t{0}; }
  [[nodiscard]] std::uint64_t nodes_left() const;
  void spend(std::uint64_t generated);
  // By how many subtrees running ones are to be cut: one for each idle thread, here and elsewhere,
  // beyond those that wait.
  [[nodiscard]] int lacking() const;
  bool share(Worker& worker, const PooledItem& item, SubtreeWalk& walk);
  static void note_idle(Worker& worker, Activity activity);
  void finish(Worker& worker, std::uint32_t ordinal, Execution found, double seconds);

  std::mutex mutex_;
  std::condition_variable_any work_came_;
  std::condition_variable_any state_changed_;
  Problem problem_;
  std::uint64_t earlier_changes_ = 0;
  Task task_;                            // changed while no execution runs
  std::atomic<std::size_t> waiting_{0};  // changed with the mutex held
  PoolLoad load_;                        // created, completed and running
  std::size_t next_queue_ = 0;
  Execution collected_;
  std::exception_ptr failure_;
  std::atomic<bool> stop_{false};
  std::atomic<bool> solution_seen_{false};
  std::uint64_t nodes_ = 0;                  // limit on generated nodes
  std::atomic<std::uint64_t> generated_{0};  // by all threads since start, if that is limited
  std::atomic<bool> spent_{false};
  std::atomic<int> idle_{0};    // threads here that are idle
  std::atomic<int> wanted_{0};  // idle threads elsewhere
  std::atomic<int> asked_{0};   // how often ask_finished was called
  std::atomic<int> incumbent_{no_bound};
  std::vector<Worker> workers_;
  Threads threads_;  // last: they end before what they use
};

}  // namespace tessera
