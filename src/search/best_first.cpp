// SPDX-License-Identifier: MIT
#include "tessera/search/best_first.hpp"

#include <algorithm>

#include "tessera/base/mapped_files.hpp"
#include "tessera/heuristic/zero.hpp"
#include "tessera/search/best_first_run.hpp"

namespace tessera {
namespace {

// Level by level. A board is kept when it is first reached, which is by a shortest way, and the
// goal met there: successors are counted until it.
template <class State>
class BreadthFirst final : public BestFirstCore<State> {
 public:
  BreadthFirst(Expander<State>& expander, const BestFirstOptions& options, MemoryBudget& budget,
               Metric metric)
      : BestFirstCore<State>(expander, options, budget, metric), budget_(budget) {}

  std::optional<int> begin() {
    const State start = this->expander_.start();
    (void)arrive({start, 0, 1}, level_);
    return this->is_goal(start) ? std::optional(0) : std::nullopt;
  }
  [[nodiscard]] bool empty() const { return level_.empty(); }
  [[nodiscard]] int rank() const { return depth_; }

  /// Expands one board.
  std::optional<int> expand() {
    this->scratch_.clear();
    this->expander_.expand(level_[expanded_++], 0, this->scratch_);
    ++this->counts_.expanded;
    for (const Child<State>& child : this->scratch_) {
      ++this->counts_.generated;
      if (arrive(child, next_) && this->is_goal(child.state)) return depth_ + 1;
    }
    if (expanded_ == level_.size()) {
      std::swap(level_, next_);
      next_.clear();
      expanded_ = 0;
      ++depth_;
    }
    return {};
  }

 private:
  // True where the board is new. Levels grow by half, paid from the same memory as the table.
  bool arrive(const Child<State>& child, std::vector<State>& level) {
    if (!this->mark(child.state, static_cast<unsigned>(child.steps))) return false;
    if (level.size() == level.capacity()) {
      const std::size_t capacity = std::max<std::size_t>(64, level.capacity() * 3 / 2);
      if (!budget_.take((capacity - level.capacity()) * sizeof(State))) throw MemoryFull();
      level.reserve(capacity);
    }
    level.push_back(child.state);
    return true;
  }

  MemoryBudget& budget_;
  std::vector<State> level_;
  std::vector<State> next_;
  std::size_t expanded_ = 0;  // of the level
  int depth_ = 0;
};

}  // namespace

SearchResult best_first(const Problem& problem, const BestFirstOptions& options,
                        const Limits& limits, Observer& observer) {
  if (options.order == BestFirstOrder::breadth) {
    Problem unguided = problem;
    unguided.heuristic = Zero::info.name;
    return run_best_first<BreadthFirst>(problem, options, limits, observer, [&]<class State>() {
      return make_expander<State>(unguided);
    });
  }
  SearchResult result = run_best_first(problem, options, limits, observer, [&]<class State>() {
    return make_expander<State>(problem);
  });
  expect_unchanged_mapped_files();
  return result;
}

}  // namespace tessera
