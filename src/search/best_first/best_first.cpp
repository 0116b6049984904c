// SPDX-License-Identifier: MIT
#include "search/best_first/best_first.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "heuristic/zero.hpp"
#include "search/best_first/best_first_run.hpp"

namespace tessera {
namespace {

// Memory for levels, from the same budget as the table. Expanded boards make room for their
// children: one pool serves both levels.
template <class State>
class LevelBlocks {
 public:
  struct Block {
    static constexpr std::size_t size = (std::size_t{1} << 14) / sizeof(State);
    std::array<State, size> states;
  };
  using Owned = std::unique_ptr<Block>;

  explicit LevelBlocks(MemoryBudget& budget) : budget_(budget) {}
  [[nodiscard]] Owned take() {
    if (!spare_.empty()) {
      Owned block = std::move(spare_.back());
      spare_.pop_back();
      return block;
    }
    if (!budget_.take(sizeof(Block))) throw MemoryFull();
    return std::make_unique_for_overwrite<Block>();
  }
  void give(Owned block) { spare_.push_back(std::move(block)); }

 private:
  MemoryBudget& budget_;
  std::vector<Owned> spare_;
};

// The boards of one level, in order of arrival. Each was reached for the first time, by a shortest
// path, so nothing needs to be corrected or sorted.
template <class State>
class Level {
  using Blocks = LevelBlocks<State>;

 public:
  explicit Level(Blocks& memory) : memory_(&memory) {}

  [[nodiscard]] bool empty() const { return count_ == 0; }
  void add(const State& state) {
    const std::size_t place = count_ % Blocks::Block::size;
    if (place == 0) blocks_.push_back(memory_->take());
    blocks_.back()->states[place] = state;
    ++count_;
  }
  /// Removes the boards and calls `use` for each, until it returns false.
  template <class Use>
  void consume(const Use& use) {
    for (auto& block : blocks_) {
      const std::size_t here = std::min(count_, Blocks::Block::size);
      for (const State& state : std::span(block->states).first(here)) {
        if (!use(state)) return;
      }
      count_ -= here;
      memory_->give(std::move(block));
    }
    blocks_.clear();
  }

 private:
  Blocks* memory_;
  std::vector<typename Blocks::Owned> blocks_;  // all full except the last
  std::size_t count_ = 0;
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
    SearchResult result;
    Layers layers(result, observer);
    const Reached<State> start = core_.start();
    try {
      LevelBlocks<State> blocks(budget_);
      Level<State> level(blocks);
      Level<State> next(blocks);
      (void)arrive(start.state, start.steps, level);
      bool found = core_.is_goal(start.state);
      for (int depth = 0; !found && !result.stop; ++depth) {
        if (level.empty()) internal_failure("a solvable board has no solution");
        layers.enter(depth, counts_);
        found = expand(level, next, limits, observer, result);
        std::swap(level, next);
      }
      if (found) result.solution = path_to_goal(core_);
    } catch (const MemoryFull&) {
      result.stop = Stop::memory;
    }
    layers.finish(counts_, core_, budget_);
    // No board of the last started level is a goal, so at least one more move is needed.
    if (result.stop) ++result.bound;
    result.optimal = result.solution.has_value();
    if (result.solution) observer.incumbent(solution_length(*result.solution, metric_));
    return result;
  }

 private:
  // Whether the goal is among the children: successors are counted up to it.
  bool expand(Level<State>& level, Level<State>& next, const Limits& limits, Observer& observer,
              SearchResult& result) {
    std::vector<Child<State>> children;
    unsigned turn = 0;
    bool found = false;
    level.consume([&](const State& state) {
      children.clear();
      expander_->expand(state, 0, children);
      ++counts_.expanded;
      for (const Child<State>& child : children) {
        ++counts_.generated;
        found = arrive(child.state, child.steps, next) && core_.is_goal(child.state);
        if (found) return false;
      }
      const bool near_limit = limits.nodes > 0 && counts_.generated + 1 >= limits.nodes;
      if (turn++ % 1024 == 0 || near_limit) {
        observer.progress({.bound = result.bound, .counts = counts_});
        result.stop = limits.reached(counts_.generated + 1);
      }
      return !result.stop;
    });
    return found;
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
  Counts counts_;              // without the root
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
