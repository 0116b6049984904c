// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "heuristic/heuristic_spec.hpp"
#include "heuristic/maximum.hpp"
#include "puzzle/geometry.hpp"
#include "search/kernels/subtree_search.hpp"
#include "search/pruning/pruning.hpp"

namespace tessera {

/// A grid with the moves that a pruning rule allows: the "way" by which a node was reached is the
/// rule's state, which also excludes moves off the board. Cells are types if they are in `G`.
template <class G>
class Ruled : public G {
 public:
  using Grid = G;
  static constexpr bool knows_ways = false;

  Ruled(const Grid& grid, std::shared_ptr<const Pruning> pruning)
      : Grid(grid), pruning_(std::move(pruning)) {}

  [[nodiscard]] bool may(int way, int direction) const {
    return pruning_->next(static_cast<Pruning::State>(way), direction) != Pruning::none;
  }
  [[nodiscard]] int after(int way, int direction) const {
    return static_cast<int>(pruning_->next(static_cast<Pruning::State>(way), direction));
  }
  [[nodiscard]] int count_allowed(int, int way, int first = 0) const {
    return pruning_->count_open(static_cast<Pruning::State>(way), first);
  }

 private:
  std::shared_ptr<const Pruning> pruning_;
};
using RuledGeometry = Ruled<RuntimeGeometry>;

/// The depth-first search of pruned IDA* (Korf 1985), node by node: blank moves in the order up,
/// left, right, down, without the move back; children with f beyond the bound are skipped.
///
/// With Geometry<W,H> cells are types, and `visit` is compiled into one function for each cell of
/// the blank and direction of arrival, with constant shifts and without edge tests; with
/// RuledGeometry the same code is an ordinary recursion that supports any pruning rule.
///
/// Counting costs one increment per node: expansions by number of children. Generated is their
/// weighted sum, minus the siblings that were not reached because of a solution.
template <class Geometry, Heuristic H, class Position>
class DepthFirst final : public SubtreeSearch {
 public:
  DepthFirst(const Problem& problem, const Geometry& geometry)
      : SubtreeSearch(problem),
        geometry_(geometry),
        heuristic_(make_heuristic<H>(problem.instance, parse_heuristic(problem.heuristic),
                                     problem.table_directory)),
        goal_position_(instance().goal()),
        goal_blank_(instance().goal_blank) {}

  [[nodiscard]] int evaluate(const Board& labels) const override {
    return heuristic_.evaluate(labels);
  }

  SubtreeResult search(const Node& root, int bound, Mode mode, SearchControl& control) override {
    control_ = &control;
    mode_ = mode;
    by_children_ = {};
    unreached_ = solutions_ = 0;
    reported_ = {};
    until_poll_ = polls(control);
    least_excess_ = no_bound;
    stopped_ = found_ = false;
    reversed_path_.clear();

    enter(root, bound);

    if (!stopped_) control.keep_going(counts() - reported_);
    SubtreeResult result;
    result.counts = counts();
    if (H::f_step > 0) result.next_bound = bound + H::f_step;
    else if (least_excess_ < no_bound) result.next_bound = bound + least_excess_;
    result.stopped = stopped_;
    result.found = found_;
    result.solution.assign(reversed_path_.rbegin(), reversed_path_.rend());
    return result;
  }

 private:
  using Handle = typename Position::Handle;
  using State = typename H::State;

  // With a fixed geometry only nodes with one child poll, about one in eight.
  static std::uint64_t polls(const SearchControl& control) {
    // A maximum may have a heuristic of the user's, which may take long for a node.
    constexpr std::uint64_t most =
        std::is_same_v<H, Maximum> ? 1000 : SearchControl::default_poll_interval;
    const std::uint64_t nodes = std::min(most, control.poll_interval());
    return std::max<std::uint64_t>(1, nodes / (Geometry::is_static ? 8 : 1));
  }

  // ---- the kernel; true unwinds because a solution was found or the search was stopped

  template <class Cell, class Way>
  bool visit(Handle position, Cell blank, Way back, int slack, const State& state) {
    if (is_goal(position, blank)) [[unlikely]]
      return arrive();
    if (!count_expansion(blank, back)) [[unlikely]]
      return true;
    return attempt(position, blank, back, Constant<0>{}, slack, state) ||
           attempt(position, blank, back, Constant<1>{}, slack, state) ||
           attempt(position, blank, back, Constant<2>{}, slack, state) ||
           attempt(position, blank, back, Constant<3>{}, slack, state);
  }

  template <class Cell, class Way, class Direct>
  [[gnu::always_inline]] bool attempt(Handle position, Cell blank, Way back, Direct direction,
                                      int slack, const State& state) {
    if constexpr (Geometry::is_static) {
      if constexpr (is_open<Cell, Way, Direct>()) {
        if constexpr (!Geometry::knows_ways) {
          if (!geometry_.may(back, direction)) return false;
        }
        constexpr Constant<Cell::value + Geometry::offset(Direct::value)> next{};
        return descend(position, blank, back, direction, next, slack, state);
      } else {
        return false;
      }
    } else {
      return geometry_.may(back, direction) &&
             descend(position, blank, back, direction, blank + geometry_.offset(direction), slack,
                     state);
    }
  }

  template <class Cell, class Way, class Direct, class Next>
  [[gnu::always_inline]] bool descend(Handle position, Cell blank, Way back, Direct direction,
                                      Next next, int slack, const State& state) {
    const unsigned label = position.tile(next);
    const Step<Cell, Next, Direct> step{blank, next, direction};
    State child_state = state;
    const int left = slack - heuristic_.rise(position, label, step, child_state);
    if (left < 0) {
      if constexpr (H::f_step == 0) least_excess_ = std::min(least_excess_, -left);
      return false;
    }
    const Handle child = position.slid(next, blank);
    const bool unwind = visit(child, next, way_after(back, direction), left, child_state);
    Handle::slide_back(child, next, blank);
    if (unwind) [[unlikely]] {
      unreached_ += static_cast<std::uint64_t>(geometry_.count_allowed(blank, back, direction + 1));
      if (found_) reversed_path_.push_back(letter(static_cast<Direction>(Direct::value)));
    }
    return unwind;
  }

  // ---- called by the kernel

  // Whether the step stays on the board and does not go straight back, at compile time.
  template <class Cell, class Way, class Direct>
  static constexpr bool is_open() {
    if constexpr (Geometry::knows_ways) {
      return Geometry::allowed(Cell::value, Way::value, Direct::value);
    } else {
      return Geometry::allowed(Cell::value, no_way, Direct::value);
    }
  }

  // What restricts the next node: if cells are types the move back, else the pruning rule's state.
  template <class Way, class Direct>
  auto way_after([[maybe_unused]] Way way, Direct direction) const {
    if constexpr (Geometry::knows_ways) return Constant<3 - Direct::value>{};
    else return geometry_.after(way, direction);
  }
  static int way_of(const Node& node) {
    if constexpr (Geometry::knows_ways) return static_cast<int>(opposite(*node.last));
    else return static_cast<int>(node.rule);
  }

  template <class Cell>
  [[nodiscard]] bool is_goal(const Handle& position, Cell blank) const {
    if constexpr (Geometry::is_static && Position::max_cells <= 16)
      return position == goal_position_;
    return blank == goal_blank_ && position == goal_position_;
  }

  bool arrive() {
    ++solutions_;
    found_ = mode_ != Mode::exhaust;
    return found_;
  }

  template <class Cell, class Way>
  bool count_expansion(Cell blank, Way back) {
    const auto children = static_cast<std::size_t>(geometry_.count_allowed(blank, back));
    ++by_children_[children];
    // If corners are known at compile time, poll there only; they are frequent enough.
    if constexpr (Geometry::knows_ways) {
      if constexpr (Geometry::count_allowed(Cell::value, Way::value) > 1) return true;
    } else if constexpr (Geometry::is_static) {
      if constexpr (Geometry::Grid::count_allowed(Cell::value, no_way) > 2) return true;
    }
    return --until_poll_ > 0 || poll_control();
  }

  [[gnu::noinline]] bool poll_control() {
    const Counts now = counts();
    stopped_ = !control_->keep_going(now - reported_);
    reported_ = now;
    until_poll_ = polls(*control_);
    return !stopped_;
  }

  [[nodiscard]] Counts counts() const {
    Counts sum;
    for (std::size_t children = 0; children < by_children_.size(); ++children) {
      sum.expanded += by_children_[children];
      sum.generated += children * by_children_[children];
    }
    sum.generated -= unreached_;
    sum.solutions = solutions_;
    return sum;
  }

  // Dispatches from a run-time cell and direction to the function compiled for them.
  bool enter(const Node& root, int bound) {
    if constexpr (Geometry::knows_ways) {
      if (!root.last) return enter_children(root, bound);
    }
    Position position(root.board);
    const int blank = root.board.blank();
    const State state = heuristic_.start(root.board);
    if constexpr (Geometry::is_static) {
      return enter_at<0>(position.handle(), blank, way_of(root), bound - root.f(), state);
    } else {
      return visit(position.handle(), blank, way_of(root), bound - root.f(), state);
    }
  }
  // Only the start has no move back: functions for that would be a third of the compiled code.
  bool enter_children(const Node& start, int bound) {
    if (start.board == goal()) return arrive();
    const std::vector<Successor> children = successors(start);
    ++by_children_[children.size()];
    for (std::size_t i = 0; i < children.size(); ++i) {
      const auto& [letters, child] = children[i];
      if (child.f() > bound) {
        least_excess_ = std::min(least_excess_, child.f() - bound);
      } else if (enter(child, bound)) {
        unreached_ += children.size() - 1 - i;
        if (found_) reversed_path_ += letters;
        return true;
      }
    }
    return false;
  }
  template <int Index>
  bool enter_at(Handle position, int blank, int back, int slack, const State& state) {
    constexpr int ways = Geometry::knows_ways ? 4 : 1;
    if constexpr (Index < Geometry::size().cells() * ways) {
      if constexpr (Geometry::knows_ways) {
        // No node is reached from off the board.
        if constexpr (Geometry::allowed(Index / ways, no_way, Index % ways)) {
          if (Index == blank * ways + back) {
            return visit(position, Constant<Index / ways>{}, Constant<Index % ways>{}, slack,
                         state);
          }
        }
      } else if (Index == blank) {
        return visit(position, Constant<Index>{}, back, slack, state);
      }
      return enter_at<Index + 1>(position, blank, back, slack, state);
    } else {
      return false;
    }
  }

  Geometry geometry_;
  H heuristic_;
  Position goal_position_;
  int goal_blank_;

  SearchControl* control_ = nullptr;
  Mode mode_ = Mode::first;
  std::array<std::uint64_t, 5> by_children_{};
  std::uint64_t unreached_ = 0;
  std::uint64_t solutions_ = 0;
  std::uint64_t until_poll_ = 0;
  Counts reported_;
  int least_excess_ = no_bound;
  bool stopped_ = false;
  bool found_ = false;
  std::string reversed_path_;
};

}  // namespace tessera
