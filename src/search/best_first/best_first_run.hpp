// SPDX-License-Identifier: MIT
#pragma once

#include "base/clock.hpp"
#include "search/best_first/best_first.hpp"
#include "search/best_first/best_first_core.hpp"

namespace tessera {

/// Records the rows of a search in one thread that proceeds in layers of rising f or depth, and
/// reports them to the observer. Counts are those since the search began, without the root.
class Layers {
 public:
  Layers(SearchResult& result, Observer& observer) : result_(result), observer_(observer) {}

  /// The search has reached this bound; a smaller one (if h is not consistent) belongs to the open
  /// layer.
  void enter(int bound, const Counts& counts) {
    if (begun_ && bound <= result_.bound) return;
    if (begun_) close(counts, true);
    begun_ = true;
    result_.bound = bound;
    observer_.iteration_started(bound);
  }
  /// Ends the open layer, and completes the result.
  template <class State>
  void finish(const Counts& counts, const BestFirstCore<State>& core, const MemoryBudget& budget) {
    if (begun_) close(counts, !result_.stop);
    result_.counts = counts + Counts{0, 1, 0};
    result_.states = core.states();
    result_.bytes = budget.used();
    result_.seconds = since_begin_.seconds();
    result_.times = {{.search = result_.seconds}};
  }

 private:
  void close(const Counts& counts, bool complete) {
    const IterationReport report{.bound = result_.bound,
                                 .counts = counts - before_,
                                 .seconds = watch_.lap(),
                                 .complete = complete};
    before_ = counts;
    result_.iterations.push_back(report);
    observer_.iteration_finished(report);
  }

  SearchResult& result_;
  Observer& observer_;
  Stopwatch since_begin_;
  Stopwatch watch_;
  Counts before_;
  bool begun_ = false;
};

/// The search in the calling thread, with any expander.
template <class State>
[[nodiscard]] SearchResult run_best_first(Expander<State>& expander, const Problem& problem,
                                          const BestFirstOptions& options, const Limits& limits,
                                          Observer& observer) {
  const bool greedy = options.order == BestFirstOrder::greedy;
  const bool breadth = options.order == BestFirstOrder::breadth;
  SearchResult result;
  Layers layers(result, observer);
  MemoryBudget budget(options.memory_bytes);
  BestFirstCore<State> core(expander, options, budget, problem.metric);
  const Reached<State> start = core.start();
  result.bound = start.h;

  bool found = false;
  // Breadth-first search need not expand the goal's level.
  const auto is_reached = [&] { return breadth && core.has_goal(); };
  try {
    core.push(start);
    found = is_reached();
    // The clock is read rarely; the node limit is exact to one batch.
    for (unsigned turn = 0; !found && !result.stop; ++turn) {
      if (core.empty()) internal_failure("a solvable board has no solution");
      if (!greedy) layers.enter(core.priority(), core.counts());
      found = core.expand().has_value() || is_reached();
      const bool near_limit = limits.nodes > 0 && core.counts().generated + 1 >= limits.nodes;
      if (!found && (turn % 256 == 255 || near_limit)) {
        observer.progress({.bound = result.bound, .counts = core.counts()});
        result.stop = limits.reached(core.counts().generated + 1);
      }
    }
  } catch (const MemoryFull&) {
    found = is_reached();
    if (!found) result.stop = Stop::memory;
  }
  if (found) {
    result.solution = path_to_goal(core);
    const int length = solution_length(*result.solution, problem.metric);
    result.optimal = !greedy || length <= start.h;
    observer.incumbent(length);
  }
  layers.finish(core.counts(), core, budget);
  // No board of the last started level is a goal, so at least one more move is needed.
  if (breadth && result.stop) ++result.bound;
  return result;
}

/// The same for a board of any size, with the expander that `make.operator()<State>()` returns.
template <class Make>
[[nodiscard]] SearchResult run_best_first(const Problem& problem, const BestFirstOptions& options,
                                          const Limits& limits, Observer& observer,
                                          const Make& make) {
  return with_state_of(problem.instance.size(), [&]<class State>() {
    const Stopwatch watch;
    const auto expander = make.template operator()<State>();
    const double setup_seconds = watch.seconds();
    SearchResult result = run_best_first<State>(*expander, problem, options, limits, observer);
    result.setup_seconds = setup_seconds;
    return result;
  });
}

}  // namespace tessera
