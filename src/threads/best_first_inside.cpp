// SPDX-License-Identifier: MIT
// Best-first search with threads inside, as in a study of the N-puzzle in Haskell (Rawwagah, Tsao,
// Lee 2023). `neighbors` and `distance` distribute the work on a single node, which is less than
// the cost of distributing it: they exist to be measured.
#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>

#include "base/mapped_file.hpp"
#include "base/thread_team.hpp"
#include "base/threads.hpp"
#include "search/best_first/best_first_run.hpp"
#include "threads/threads_executor.hpp"

namespace tessera {
namespace {

constexpr int ways = 4;

// Computes the children of each direction in another thread.
template <class State>
class NeighborsExpander final : public EvaluatingExpander<State> {
 public:
  NeighborsExpander(const Problem& problem, int threads)
      : EvaluatingExpander<State>(problem), team_(std::min(threads, ways)) {}

  void expand(std::span<const State> states, std::span<const int> /*hs*/,
              Children<State>& children) override {
    for (std::size_t i = 0; i < states.size(); ++i) {
      const auto position = states[i].position(this->cells());
      const Board board = Board::of(position, this->instance().size());
      team_.run([&](int member) {
        for (int d = member; d < ways; d += team_.threads()) {
          Children<State>& of_way = by_way_[static_cast<std::size_t>(d)];
          of_way.clear();
          this->expand_way(states, i, position, board, d, of_way);
        }
      });
      for (const auto& some : by_way_) children.insert(children.end(), some.begin(), some.end());
    }
  }

 private:
  ThreadTeam team_;
  std::array<Children<State>, ways> by_way_;
};

// Computes the rows of a board's Manhattan distance in several threads, from scratch per child.
template <class State>
class DistanceExpander final : public EvaluatingExpander<State> {
 public:
  DistanceExpander(const Problem& problem, int threads)
      : EvaluatingExpander<State>(problem),
        team_(std::min(threads, problem.instance.size().height)) {}

  [[nodiscard]] int evaluate(const Board& labels) const override {
    const Instance& instance = this->instance();
    const Size size = labels.size();
    std::atomic<int> sum{0};
    team_.run([&](int member) {
      int part = 0;
      for (int row = member; row < size.height; row += team_.threads()) {
        for (int cell = row * size.width; cell < (row + 1) * size.width; ++cell) {
          const int label = labels.tile(cell);
          if (label != 0) part += size.distance(cell, instance.home(label));
        }
      }
      sum += part;
    });
    return sum;
  }

 private:
  mutable ThreadTeam team_;
};

// One of the searches of `queues:K`. Each makes the same opening, until K nodes are open, and keeps
// every K-th of these, so that the path back to the start is in its own table.
template <class State>
class Queue {
 public:
  Queue(const Problem& problem, const BestFirstOptions& options, std::uint64_t memory_bytes)
      : budget_(memory_bytes),
        expander_(make_expander<State>(problem)),
        core_(*expander_, options, budget_, problem.metric) {}

  /// Until it or another one sets `stop`.
  void search(int index, int count, std::atomic<bool>& stop) {
    const Stopwatch watch;
    bool found = false;
    try {
      core_.push(core_.start());
      while (!found && core_.open_count() < static_cast<std::uint64_t>(count)) {
        found = core_.expand().has_value();
      }
      if (!found) core_.keep_share(index, count);
      while (!found && !core_.empty() && !stop.load(std::memory_order_relaxed)) {
        found = core_.expand().has_value();
        generated.store(core_.counts().generated, std::memory_order_relaxed);
      }
      if (found) solution = path_to_goal(core_);
    } catch (const MemoryFull&) {
      // Unexpanded nodes are lost: nothing is proven.
      memory_full = true;
    } catch (...) {
      failure = std::current_exception();
    }
    if (solution || memory_full || failure) stop = true;
    seconds = watch.seconds();
  }

  /// Whether no shorter solution than `length` can come from here. Only after the end.
  [[nodiscard]] bool exhausted_below(int length) {
    return !memory_full && core_.priority() >= length;
  }
  [[nodiscard]] const BestFirstCore<State>& core() const { return core_; }
  [[nodiscard]] std::uint64_t bytes() const { return budget_.used(); }

  std::atomic<std::uint64_t> generated{0};  ///< so far
  std::optional<std::string> solution;
  bool memory_full = false;
  std::exception_ptr failure;
  double seconds = 0;

 private:
  MemoryBudget budget_;
  std::unique_ptr<Expander<State>> expander_;
  BestFirstCore<State> core_;
};

// The first solution ends all. `optimal` if no other queue could have found a shorter one.
template <class State>
SearchResult race(const Problem& problem, const BestFirstOptions& options, const Limits& limits,
                  Observer& observer) {
  using namespace std::chrono_literals;
  const Stopwatch setup;
  const auto count = static_cast<std::size_t>(options.queues);
  std::deque<Queue<State>> queues;
  while (queues.size() < count) queues.emplace_back(problem, options, options.memory_bytes / count);
  SearchResult result;
  result.setup_seconds = setup.seconds();
  const Stopwatch watch;
  std::atomic<bool> stop{false};
  std::mutex mutex;
  std::condition_variable one_ended;
  std::size_t left = count;
  {
    const Threads searches(
        options.queues,
        [&](int index, const std::stop_token&) {
          queues[static_cast<std::size_t>(index)].search(index, options.queues, stop);
          const std::lock_guard lock(mutex);
          --left;
          one_ended.notify_one();
        },
        [&stop] { stop = true; });
    std::unique_lock lock(mutex);
    while (!one_ended.wait_for(lock, 2ms, [&] { return left == 0; })) {
      Counts counts;
      for (const Queue<State>& queue : queues) counts.generated += queue.generated;
      observer.progress({.counts = counts});
      if (!stop && (result.stop = limits.reached(counts.generated + 1))) stop = true;
    }
  }
  for (const Queue<State>& queue : queues) {
    if (queue.failure) std::rethrow_exception(queue.failure);
  }
  result.seconds = watch.seconds();
  result.bound = queues.front().core().start().h;
  for (const Queue<State>& queue : queues) {
    result.counts += queue.core().counts();
    result.states += queue.core().states();
    result.bytes += queue.bytes();
    if (queue.memory_full && !result.stop) result.stop = Stop::memory;
    result.times.push_back({.thread = static_cast<int>(result.times.size()),
                            .search = queue.seconds,
                            .wait = std::max(0.0, result.seconds - queue.seconds)});
    const auto& solution = queue.solution;
    if (solution && (!result.solution || solution_length(*solution, problem.metric) <
                                             solution_length(*result.solution, problem.metric))) {
      result.solution = solution;
    }
  }
  ++result.counts.generated;  // the root
  if (!result.solution) {
    if (!result.stop) internal_failure("a solvable board has no solution");
    return result;
  }
  result.stop.reset();  // there is a solution, whatever came after it
  const int length = solution_length(*result.solution, problem.metric);
  result.optimal = length <= result.bound;
  if (options.order == BestFirstOrder::astar) {
    result.optimal = std::ranges::all_of(
        queues, [&](Queue<State>& queue) { return queue.exhausted_below(length); });
  }
  observer.incumbent(length);
  return result;
}

}  // namespace

SearchResult ThreadsExecutor::search_stored(const Problem& problem, const BestFirstOptions& options,
                                            const Limits& limits, Observer& observer) {
  if (options.parallel == InnerParallel::none) {
    return Backend::search_stored(problem, options, limits, observer);
  }
  const std::uint64_t earlier = noticed_file_changes();
  const auto race_queues = [&]<class State>() {
    return race<State>(problem, options, limits, observer);
  };
  const auto make_team = [&]<class State>() -> std::unique_ptr<Expander<State>> {
    if (options.parallel == InnerParallel::neighbors) {
      return std::make_unique<NeighborsExpander<State>>(problem, workers());
    }
    return std::make_unique<DistanceExpander<State>>(problem, workers());
  };
  SearchResult result = options.parallel == InnerParallel::queues
                            ? with_state_of(problem.instance.size(), race_queues)
                            : run_best_first(problem, options, limits, observer, make_team);
  if (options.parallel != InnerParallel::queues) {
    // Threads beyond the ways, or the rows, have nothing to do.
    const int parts =
        options.parallel == InnerParallel::neighbors ? ways : problem.instance.size().height;
    result.times.clear();
    for (int thread = 0; thread < workers(); ++thread) {
      const bool works = thread < parts;
      result.times.push_back({.thread = thread,
                              .search = works ? result.seconds : 0,
                              .wait = works ? 0 : result.seconds});
    }
  }
  expect_unchanged_mapped_files(earlier);
  return result;
}

}  // namespace tessera
