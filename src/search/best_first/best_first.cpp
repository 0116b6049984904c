// SPDX-License-Identifier: MIT
#include "search/best_first/best_first.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/file.hpp"
#include "heuristic/zero.hpp"
#include "search/best_first/best_first_run.hpp"

namespace tessera {
namespace {

// The boards of one level. Each was reached for the first time, by a shortest path, so nothing
// needs to be corrected or sorted. Its memory comes from the same budget as the table.
template <class State>
class Level {
 public:
  explicit Level(MemoryBudget& budget) : budget_(budget) {}
  void add(const State& state) {
    if (states_.size() == states_.capacity()) {
      const std::size_t capacity = std::max<std::size_t>(64, states_.capacity() * 3 / 2);
      const std::uint64_t more = (capacity - states_.capacity()) * sizeof(State);
      if (!budget_.take(more)) throw MemoryFull();
      states_.reserve(capacity);
    }
    states_.push_back(state);
  }
  std::vector<State>& states() { return states_; }

 private:
  MemoryBudget& budget_;
  std::vector<State> states_;
};

template <class State>
class BreadthFirst {
 public:
  BreadthFirst(const Problem& problem, const BestFirstOptions& options)
      : expander_(make_expander<State>(problem)),
        metric_(problem.metric),
        budget_(options.memory_bytes),
        core_(*expander_, options, budget_, problem.metric) {}

  SearchResult run(const Limits& limits, Observer& observer) {
    const Stopwatch watch;
    SearchResult result;
    Layers layers(result, observer);
    const Reached<State> start = core_.start();
    counts_.generated = 1;
    try {
      Level<State> level(budget_);
      Level<State> next(budget_);
      (void)arrive(start.state, start.steps, level);
      bool found = core_.is_goal(start.state);
      for (int depth = 0; !found && !result.stop; ++depth) {
        if (level.states().empty()) internal_failure("a solvable board has no solution");
        layers.enter(depth, counts_ - Counts{0, 1, 0});
        found = expand(level, next, limits, observer, result);
        std::swap(level.states(), next.states());
        next.states().clear();
      }
      if (found) result.solution = path_to_goal(core_);
    } catch (const MemoryFull&) {
      result.stop = Stop::memory;
    }
    layers.close(counts_ - Counts{0, 1, 0}, !result.stop);
    // No board of the last started level is a goal, so at least one more move is needed.
    if (result.stop) ++result.bound;
    result.optimal = result.solution.has_value();
    if (result.solution) observer.incumbent(solution_length(*result.solution, metric_));
    result.counts = counts_;
    result.states = core_.states();
    result.bytes = budget_.used();
    result.seconds = watch.seconds();
    result.times = {{.search = result.seconds}};
    return result;
  }

 private:
  // Whether the goal is among the children: successors are counted up to it.
  bool expand(Level<State>& level, Level<State>& next, const Limits& limits, Observer& observer,
              SearchResult& result) {
    std::vector<Child<State>> children;
    unsigned turn = 0;
    for (const State& state : level.states()) {
      children.clear();
      expander_->expand(state, 0, children);
      ++counts_.expanded;
      for (const Child<State>& child : children) {
        ++counts_.generated;
        if (arrive(child.state, child.steps, next) && core_.is_goal(child.state)) return true;
      }
      const bool near_limit = limits.nodes > 0 && counts_.generated >= limits.nodes;
      if (turn++ % 1024 == 0 || near_limit) {
        observer.progress({.bound = result.bound, .counts = counts_});
        if ((result.stop = limits.reached(counts_.generated))) return false;
      }
    }
    return false;
  }

  // True if the board is new.
  bool arrive(const State& state, int steps, Level<State>& level) {
    if (!core_.mark(state, static_cast<unsigned>(steps))) return false;
    level.add(state);
    return true;
  }

  std::unique_ptr<Expander<State>> expander_;
  Metric metric_;
  MemoryBudget budget_;
  BestFirstCore<State> core_;  // its open list is unused
  Counts counts_;
};

SearchResult breadth_first(const Problem& problem, const BestFirstOptions& options,
                           const Limits& limits, Observer& observer) {
  Problem unguided = problem;
  unguided.heuristic = Zero::info.name;
  return with_state_of(problem.instance.size(), [&]<class State>() {
    return BreadthFirst<State>(unguided, options).run(limits, observer);
  });
}

}  // namespace

SearchResult best_first(const Problem& problem, const BestFirstOptions& options,
                        const Limits& limits, Observer& observer) {
  if (options.order == BestFirstOrder::breadth) {
    return breadth_first(problem, options, limits, observer);
  }
  SearchResult result = run_best_first(problem, options, limits, observer, [&]<class State>() {
    return make_expander<State>(problem);
  });
  expect_unchanged_mapped_files();
  return result;
}

}  // namespace tessera
