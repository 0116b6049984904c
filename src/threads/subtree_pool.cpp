// SPDX-License-Identifier: MIT
#include "threads/subtree_pool.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/clock.hpp"
#include "base/mapped_file.hpp"
#include "search/tree/balance_policy.hpp"

namespace tessera {
namespace {

// A thread that finds its next subtree immediately has not waited.
constexpr std::int64_t least_wait_ns = 20'000;

}  // namespace

std::vector<PooledItem> pooled(std::span<const WorkItem> items) {
  std::vector<PooledItem> all;
  for (const WorkItem& item : items) all.push_back({static_cast<std::uint32_t>(all.size()), item});
  return all;
}

// Passes a search thread's counts to the coordinator and its stop to the search, and shares the
// remaining work if others are idle. The thread that found the solution continues until it knows
// the path to it, although all others stop.
class SubtreePool::Control final : public SearchControl {
 public:
  Control(SubtreePool& pool, Worker& worker, const PooledItem& item)
      : pool_(pool), worker_(worker), item_(item), task_(pool.task_), asked_(pool.asked_) {}

  bool keep_going(const Counts& since_last) override {
    if (recovering_) return true;
    worker_.expanded.fetch_add(since_last.expanded, std::memory_order_relaxed);
    worker_.generated.fetch_add(since_last.generated, std::memory_order_relaxed);
    if (pool_.is_limited()) pool_.spend(since_last.generated);
    if (pool_.stop_.load(std::memory_order_relaxed)) return false;
    if (walk_ != nullptr) report_and_share();
    return !cut_wanted_;
  }
  [[nodiscard]] std::uint64_t poll_interval() const override {
    std::uint64_t nodes = default_poll_interval;
    if (walk_ != nullptr) {
      nodes =
          std::min(nodes, static_cast<std::uint64_t>(worker_.pace.nodes_in(balance.look_seconds)));
    }
    if (!pool_.is_limited()) return nodes;
    // A node has two successors, rarely three: together threads use at most what is left, and those
    // that pause while others end the search a hundredth of the total.
    const std::uint64_t most = std::min(pool_.nodes_left() / 4, pool_.nodes_ / 256);
    return std::clamp<std::uint64_t>(most / pool_.workers_.size(), 1, nodes);
  }
  [[nodiscard]] bool cut_wanted() override { return cut_wanted_; }
  void solution_seen() override {
    if (!recovering_) worker_.timeline.note_moment(Activity::solution);
    recovering_ = true;
    if (task_.independent) return;  // others may still find a shorter one
    pool_.solution_seen_ = true;
    pool_.stop_ = true;
    pool_.state_changed_.notify_all();
  }

  /// The part of the item that is still to be searched.
  void watch(SubtreeWalk& walk) { walk_ = &walk; }
  void piece_begins() {
    cut_wanted_ = false;
    piece_ = Stopwatch();
  }
  [[nodiscard]] double piece_time() const { return piece_.seconds(); }

 private:
  void report_and_share() {
    if (task_.report_seconds > 0 && pool_.asked_ != asked_) {
      asked_ = pool_.asked_;
      const std::lock_guard lock(pool_.mutex_);
      walk_->take_finished(pool_.collected_.finished);
    }
    // For a piece that takes longer than it should; what was searched of it is repeated. Only whole
    // pieces are reported, and the last branch of a subtree cannot be shared.
    constexpr double longest = balance.most_pieces * balance.piece_seconds;
    const double seconds = piece_.seconds();
    cut_wanted_ = task_.report_seconds > 0 && seconds > std::max(longest, task_.report_seconds);
    if (!task_.shares() || pool_.lacking() <= 0) return;
    if (pool_.share(worker_, item_, *walk_)) return;
    cut_wanted_ = seconds > longest;
  }

  SubtreePool& pool_;
  Worker& worker_;
  const PooledItem& item_;
  const Task& task_;
  int asked_;
  SubtreeWalk* walk_ = nullptr;
  Stopwatch piece_;
  bool cut_wanted_ = false;
  bool recovering_ = false;
};

SubtreePool::SubtreePool(int threads)
    : workers_(static_cast<std::size_t>(threads)),
      threads_(
          threads,
          [this](int number, const std::stop_token& ending) {
            work(workers_[static_cast<std::size_t>(number)], ending);
          },
          [this] { stop(); }) {
  for (int number = 0; Worker & worker : workers_) worker.number = number++;
}

void SubtreePool::set_problem(const Problem& problem) {
  const std::lock_guard lock(mutex_);
  problem_ = problem;
  for (Worker& worker : workers_) {
    worker.search.reset();
    worker.pace = {};
    worker.costs = {};
    worker.seconds = 0;
  }
  earlier_changes_ = noticed_file_changes();  // also those of the files that were just closed
}

void SubtreePool::start(const Task& task, std::uint64_t nodes) {
  const std::lock_guard lock(mutex_);
  task_ = task;
  nodes_ = nodes;
  generated_ = 0;
  spent_ = false;
  load_ = {};
  collected_ = {};
  wanted_ = 0;
  failure_ = nullptr;
  stop_ = false;
  solution_seen_ = false;
  incumbent_ = no_bound;
  for (Worker& worker : workers_) {
    worker.expanded = 0;
    worker.generated = 0;
    worker.timeline.start(task.trace_room);
    note_idle(worker, Activity::between);
  }
}

void SubtreePool::add(std::vector<PooledItem> items) {
  {
    const std::lock_guard lock(mutex_);
    load_.figures.created += items.size();
  }
  receive(std::move(items));
}

void SubtreePool::receive(std::vector<PooledItem> items) {
  const bool most_promising = begins_with_most_promising();
  std::ranges::stable_sort(items, std::less(), [&](const PooledItem& item) {
    return std::pair(most_promising ? item.work.h : 0, -item.work.cost);
  });
  const std::lock_guard lock(mutex_);
  enqueue(std::move(items));
}

// A solution is found soonest below a root with a small h. If a bound is searched to its end, or no
// running subtree is cut, threads finish together when the costliest subtrees are searched first.
bool SubtreePool::begins_with_most_promising() const {
  return task_.mode == Mode::any && task_.shares();
}

// Called with the mutex held.
void SubtreePool::enqueue(std::vector<PooledItem> items) {
  if (stop_) return;
  waiting_ += items.size();
  for (PooledItem& item : items) {
    workers_[next_queue_].queue.push_back(std::move(item));
    if (task_.schedule != Schedule::dynamic) next_queue_ = (next_queue_ + 1) % workers_.size();
  }
  work_came_.notify_all();
}

std::vector<PooledItem> SubtreePool::give_away(const Share& share) {
  std::vector<PooledItem> given;
  const std::lock_guard lock(mutex_);
  const std::size_t count = share.of(waiting_);
  // The costliest of the fullest queues: the thief's request was expensive.
  while (given.size() < count) {
    auto& queue = fullest().queue;
    const auto costliest =
        begins_with_most_promising()
            ? std::ranges::max_element(queue, {}, [](const auto& item) { return item.work.cost; })
            : queue.begin();
    given.push_back(std::move(*costliest));
    queue.erase(costliest);
  }
  waiting_ -= given.size();
  return given;
}

// Called with the mutex held.
SubtreePool::Worker& SubtreePool::fullest() {
  const auto waiting = [](const Worker& worker) { return worker.queue.size(); };
  return *std::ranges::max_element(workers_, {}, waiting);
}

void SubtreePool::lower_incumbent(int length) {
  int known = incumbent_.load();
  while (length < known && !incumbent_.compare_exchange_weak(known, length)) {
  }
}

void SubtreePool::stop() {
  const std::lock_guard lock(mutex_);
  stop_ = true;
  for (Worker& worker : workers_) worker.queue.clear();
  waiting_ = 0;
}

void SubtreePool::quiesce() {
  std::unique_lock lock(mutex_);
  state_changed_.wait(lock, [&] { return load_.running == 0 && waiting_ == 0; });
}

SubtreePool::Status SubtreePool::status() {
  const std::lock_guard lock(mutex_);
  Status status{load_, spent_, failure_ != nullptr, incumbent_.load(std::memory_order_relaxed)};
  status.waiting = waiting_;
  for (const Worker& worker : workers_) {
    status.figures.expanded += worker.expanded.load(std::memory_order_relaxed);
    status.figures.generated += worker.generated.load(std::memory_order_relaxed);
  }
  status.figures.solutions_seen = solution_seen_ ? 1 : 0;
  return status;
}

void SubtreePool::wait(std::chrono::microseconds most) {
  std::unique_lock lock(mutex_);
  state_changed_.wait_for(lock, most, [&] {
    return load_.running + waiting_ == 0 || solution_seen_ || spent_ || failure_;
  });
}

Execution SubtreePool::collect(std::size_t items, WorkFigures figures) {
  const std::lock_guard lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
  collected_.expanded.resize(items);
  figures.threads = threads();
  figures.searched = load_.figures.completed;
  figures.cut = load_.figures.created - figures.dealt;
  figures.expanded = collected_.counts.expanded;
  figures.search_seconds = collected_.search_seconds;
  collected_.figures = figures;
  return std::move(collected_);
}

std::vector<FinishedSubtree> SubtreePool::take_finished() {
  const std::lock_guard lock(mutex_);
  return std::exchange(collected_.finished, {});
}

std::vector<Track> SubtreePool::take_tracks(int rank) {
  std::vector<Track> tracks;
  const std::lock_guard lock(mutex_);
  if (task_.trace_room == 0) return tracks;
  for (Worker& worker : workers_) {
    note_idle(worker, Activity::wait);
    tracks.push_back(worker.timeline.take(rank, worker.number));
  }
  return tracks;
}

// Ends an idle thread's wait, or turns it into another kind. Called with the mutex held.
void SubtreePool::note_idle(Worker& worker, Activity activity) {
  if (!worker.timeline.records()) return;
  const std::int64_t now = nanoseconds_now();
  if (worker.idle_since > 0 && now - worker.idle_since >= least_wait_ns) {
    worker.timeline.note(activity, worker.idle_since, now);
  }
  worker.idle_since = now;
}

std::vector<double> SubtreePool::search_seconds() {
  const std::lock_guard lock(mutex_);
  std::vector<double> seconds;
  for (const Worker& worker : workers_) seconds.push_back(worker.seconds);
  return seconds;
}

// Called with the mutex held.
bool SubtreePool::take(Worker& worker, PooledItem& item) {
  if (waiting_ == 0 || stop_) return false;
  Worker* owner = &worker;
  if (worker.queue.empty()) {
    if (task_.schedule == Schedule::dealt) return false;
    owner = &fullest();
    if (owner->queue.empty()) return false;
  }
  note_idle(worker, Activity::wait);
  worker.taken_from = owner == &worker ? -1 : owner->number;
  item = std::move(owner->queue.front());
  owner->queue.pop_front();
  --waiting_;
  ++load_.running;
  return true;
}

void SubtreePool::finish(Worker& worker, std::uint32_t ordinal, Execution found, double seconds) {
  const std::lock_guard lock(mutex_);
  --load_.running;
  ++load_.figures.completed;
  worker.seconds += seconds;
  if (collected_.expanded.size() <= ordinal) collected_.expanded.resize(ordinal + 1);
  collected_.expanded[ordinal] += found.counts.expanded;
  if (found.solution) {
    if (!task_.independent) {
      stop_ = true;
      solution_seen_ = true;
    }
    lower_incumbent(solution_length(found.solution->letters, problem_.metric));
  }
  found.search_seconds = seconds;
  collected_.add(std::move(found), problem_.metric);
  if (load_.running + waiting_ == 0 || solution_seen_ || failure_) state_changed_.notify_all();
}

// A walk that repeats nodes takes them back by adding the negative of their count.
std::uint64_t SubtreePool::nodes_left() const {
  const std::uint64_t generated = generated_.load(std::memory_order_relaxed);
  return nodes_ > generated ? nodes_ - generated : 0;
}

void SubtreePool::spend(std::uint64_t generated) {
  generated_.fetch_add(generated, std::memory_order_relaxed);
  if (nodes_left() > 0 || solution_seen_ || spent_.exchange(true)) return;
  stop_ = true;
  state_changed_.notify_all();
}

int SubtreePool::lacking() const {
  return idle_ + wanted_ - static_cast<int>(waiting_.load(std::memory_order_relaxed));
}

// Gives branches of a running subtree to threads that are idle, here or elsewhere. False if it has
// none to give.
bool SubtreePool::share(Worker& worker, const PooledItem& item, SubtreeWalk& walk) {
  const std::int64_t begin = worker.timeline.records() ? nanoseconds_now() : 0;
  const std::lock_guard lock(mutex_);
  const int most = lacking();
  if (most <= 0) return true;
  std::vector<PooledItem> items;
  for (WorkItem& branch : walk.give_away(static_cast<std::size_t>(most),
                                         worker.pace.nodes_in(balance.least_shared_seconds))) {
    items.push_back({item.ordinal, std::move(branch)});
  }
  if (items.empty()) return false;
  worker.timeline.note_since(begin, Activity::share, items.size());
  load_.figures.created += items.size();
  enqueue(std::move(items));
  state_changed_.notify_all();
  return true;
}

Execution SubtreePool::search(Worker& worker, const PooledItem& item) {
  const Task& task = task_;
  Control control(*this, worker, item);
  if (task.independent) {
    return independent_ida_star(*worker.search, item.ordinal, item.work.path, control, incumbent_);
  }
  SubtreeWalk walk(*worker.search, worker.costs, item.work, task.bound, task.mode, task.growth);
  if (task.cuts()) control.watch(walk);
  while (!walk.over() && !stop_.load(std::memory_order_relaxed)) {
    const double seconds = lacking() > 0 ? balance.hurried_piece_seconds : balance.piece_seconds;
    const double quantum =
        task.cuts() ? worker.pace.nodes_in(seconds) : std::numeric_limits<double>::infinity();
    const std::uint64_t before = walk.result().counts.expanded;
    control.piece_begins();
    walk.step(quantum, control);
    worker.pace.note(static_cast<double>(walk.result().counts.expanded - before),
                     control.piece_time());
  }
  Execution outcome = outcome_of(walk, item.ordinal);
  if (task.report_seconds > 0) walk.take_finished(outcome.finished);
  return outcome;
}

void SubtreePool::work(Worker& worker, const std::stop_token& ending) {
  while (true) {
    PooledItem item;
    {
      std::unique_lock lock(mutex_);
      ++idle_;
      const bool taken = work_came_.wait(lock, ending, [&] { return take(worker, item); });
      --idle_;
      if (!taken) return;
    }
    const std::int64_t begin = nanoseconds_now();
    Execution found;
    try {
      if (!worker.search) worker.search = make_subtree_search(problem_);
      found = search(worker, item);
    } catch (...) {
      stop();
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
    }
    // Read once, so that the trace and the table of times agree.
    const std::int64_t end = nanoseconds_now();
    if (worker.timeline.records()) {
      worker.idle_since = end;
      worker.timeline.note({.begin = begin,
                            .end = end,
                            .subject = static_cast<std::int32_t>(item.ordinal),
                            .from = worker.taken_from,
                            .amount = found.counts.expanded});
    }
    finish(worker, item.ordinal, std::move(found), 1e-9 * static_cast<double>(end - begin));
  }
}

}  // namespace tessera
