// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "tessera/search/best_first_core.hpp"
#include "tessera/threads/threads_executor.hpp"

namespace tessera {
namespace {

// What the queues share: the first solution, and the word to stop.
struct Race {
  std::mutex mutex;
  std::condition_variable ended;
  int running = 0;
  bool memory_full = false;
  std::exception_ptr failure;
  std::atomic<bool> stop{false};
};

// One of the searches. Each makes the same opening and keeps of its open nodes every K-th, so that
// the way back to the start is in its own table.
template <class State>
class Queue {
 public:
  Queue(const Problem& problem, const BestFirstOptions& options, std::uint64_t memory_bytes)
      : metric_(problem.metric),
        budget_(memory_bytes),
        expander_(make_expander<State>(problem)),
        core_(*expander_, options, budget_, problem.metric) {}

  void search(int index, int count, Race& race) {
    const Stopwatch watch;
    std::optional<int> found;
    try {
      core_.push(core_.start());
      while (!found && core_.open_count() < static_cast<std::uint64_t>(count)) {
        found = core_.expand();
      }
      if (!found) keep_share(index, count);
      while (!found && !race.stop.load(std::memory_order_relaxed)) {
        if (core_.empty()) break;
        found = core_.expand();
        generated.store(core_.counts().generated, std::memory_order_relaxed);
      }
      if (found) solution = path_to_goal(core_);
    } catch (const MemoryFull&) {
      // What is left over is not known to be open: nothing is proven.
      memory_full = true;
    }
    seconds = watch.seconds();
  }

  /// Whether no solution shorter than that can come from here. After the end only.
  [[nodiscard]] bool exhausted_below(int length) { return !memory_full && core_.rank() >= length; }
  [[nodiscard]] const BestFirstCore<State>& core() const { return core_; }
  [[nodiscard]] std::uint64_t bytes() const { return budget_.used(); }

  std::atomic<std::uint64_t> generated{0};  ///< so far
  std::optional<std::string> solution;
  bool memory_full = false;
  double seconds = 0;

 private:
  void keep_share(int index, int count) {
    std::vector<Reached<State>> mine;
    for (int i = 0; const auto node = core_.take(); ++i) {
      if (i % count == index) mine.push_back(*node);
    }
    for (const Reached<State>& node : mine) core_.put_back(node);
  }

  Metric metric_;
  MemoryBudget budget_;
  std::unique_ptr<Expander<State>> expander_;
  BestFirstCore<State> core_;
};

template <class State>
SearchResult race(const Problem& problem, const BestFirstOptions& options, const Limits& limits,
                  Observer& observer) {
  using namespace std::chrono_literals;
  const Stopwatch setup;
  const auto count = static_cast<std::size_t>(options.queues);
  std::vector<std::unique_ptr<Queue<State>>> queues;
  for (std::size_t i = 0; i < count; ++i) {
    queues.push_back(
        std::make_unique<Queue<State>>(problem, options, options.memory_bytes / count));
  }
  SearchResult result;
  result.setup_seconds = setup.seconds();
  const Stopwatch watch;
  Race race;
  race.running = options.queues;
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < count; ++i) {
      threads.emplace_back([&, i] {
        std::exception_ptr failure;
        try {
          queues[i]->search(static_cast<int>(i), options.queues, race);
        } catch (...) {
          failure = std::current_exception();
        }
        const std::lock_guard lock(race.mutex);
        --race.running;
        if (failure) race.failure = failure;
        if (failure || queues[i]->solution || queues[i]->memory_full) race.stop = true;
        race.ended.notify_all();
      });
    }
    std::unique_lock lock(race.mutex);
    while (race.running > 0) {
      race.ended.wait_for(lock, 2ms);
      Counts counts;
      for (const auto& queue : queues) counts.generated += queue->generated;
      observer.progress({.counts = counts});
      if (!race.stop && (result.stop = limits.reached(counts.generated + 1))) race.stop = true;
    }
  }
  if (race.failure) std::rethrow_exception(race.failure);
  result.seconds = watch.seconds();
  result.bound = queues.front()->core().start().h;
  for (const auto& queue : queues) {
    result.counts += queue->core().counts();
    result.states += queue->core().states();
    result.bytes += queue->bytes();
    if (queue->memory_full && !result.stop) result.stop = Stop::memory;
    result.times.push_back({.thread = static_cast<int>(result.times.size()),
                            .search = queue->seconds,
                            .wait = std::max(0.0, result.seconds - queue->seconds)});
    const auto& solution = queue->solution;
    if (solution && (!result.solution || solution_length(*solution, problem.metric) <
                                             solution_length(*result.solution, problem.metric))) {
      result.solution = solution;
    }
  }
  ++result.counts.generated;  // the root
  if (!result.solution) {
    if (!result.stop) throw Error(ErrorKind::internal, "a solvable board has no solution");
    return result;
  }
  result.stop.reset();  // a solution stands, whatever came after it
  const int length = solution_length(*result.solution, problem.metric);
  result.optimal = length <= result.bound;
  if (options.order == BestFirstOrder::astar) {
    result.optimal = std::ranges::all_of(
        queues, [&](const auto& queue) { return queue->exhausted_below(length); });
  }
  observer.incumbent(length);
  return result;
}

}  // namespace

SearchResult best_first_in_queues(const Problem& problem, const BestFirstOptions& options,
                                  const Limits& limits, Observer& observer) {
  return with_state_of(problem.instance.size(), [&]<class State>() {
    return race<State>(problem, options, limits, observer);
  });
}

}  // namespace tessera
