// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "heuristic/manhattan.hpp"
#include "heuristic/zero.hpp"
#include "puzzle/geometry.hpp"
#include "puzzle/goal.hpp"
#include "search/best_first/packed_state.hpp"
#include "search/kernels/subtree_search.hpp"

namespace tessera {

/// A child of an expanded node.
template <class State>
struct Child {
  State state;
  int h = 0;
  int steps = 1;  ///< of single tiles: more than one only in metric multi
};

/// Produces the children of a node, with their h, for best-first searches. Skips moves that are
/// useless after the move that led to the node, because its parent reaches the same boards in fewer
/// moves: in metric single the move back, in metric multi every move along the same line.
template <class State>
class Expander {
 public:
  explicit Expander(const Instance& instance) : instance_(instance), geometry_(instance.size()) {}
  virtual ~Expander() = default;
  Expander(const Expander&) = delete;
  Expander& operator=(const Expander&) = delete;

  [[nodiscard]] virtual int evaluate(const Board& labels) const = 0;
  /// Appends the children of a node whose h is `h`, in move order.
  virtual void expand(const State& state, int h, std::vector<Child<State>>& children) = 0;

  [[nodiscard]] const Instance& instance() const { return instance_; }
  [[nodiscard]] int cells() const { return geometry_.size().cells(); }
  [[nodiscard]] State start() const {
    return State(typename State::Position(instance_.start), no_way);
  }

 protected:
  [[nodiscard]] const RuntimeGeometry& geometry() const { return geometry_; }
  [[nodiscard]] static int back_of(const State& state) {
    return state.way() == no_way ? no_way : 3 - state.way();
  }

 private:
  Instance instance_;
  RuntimeGeometry geometry_;
};

/// For any heuristic and metric: evaluates h of each child from scratch.
template <class State>
class EvaluatingExpander : public Expander<State> {
 public:
  using Children = std::vector<Child<State>>;
  using Position = typename State::Position;

  explicit EvaluatingExpander(const Problem& problem)
      : Expander<State>(problem.instance),
        in_order_(Goal(Goal::Kind::first).board(problem.instance.size())),
        multi_(problem.metric == Metric::multi),
        search_(make_subtree_search(plain(problem))) {}

  [[nodiscard]] int evaluate(const Board& labels) const override {
    return search_->evaluate(labels);
  }

  void expand(const State& state, int /*h*/, Children& children) override {
    const Position position = state.position(this->cells());
    const Board board = board_of(position);
    for (int d = 0; d < 4; ++d) expand_way(state, position, board, d, children);
  }

 protected:
  [[nodiscard]] Board board_of(const Position& position) const {
    std::array<int, Size::max_cells> labels{};
    for (int cell = 0; cell < this->cells(); ++cell) {
      labels[static_cast<std::size_t>(cell)] = static_cast<int>(position.tile(cell));
    }
    return in_order_.renamed(labels);
  }
  /// The children in one direction: at most one, except in metric multi.
  void expand_way(const State& state, Position position, Board board, int d,
                  Children& children) const {
    if (multi_ ? along(state.way(), d) : d == this->back_of(state)) return;
    for (int steps = 1; board.neighbor(static_cast<Direction>(d)); ++steps) {
      const int blank = board.blank();
      board.move(static_cast<Direction>(d));
      position = position.slid(board.blank(), blank);
      children.push_back({State(position, d), evaluate(board), steps});
      if (!multi_) break;
    }
  }

 private:
  // The other kernels allocate memory for nodes that are not searched here.
  static Problem plain(Problem problem) {
    if (problem.kernel == Kernel::automatic) problem.kernel = Kernel::plain;
    return problem;
  }
  static bool along(int way, int d) { return way != no_way && (way == d || way == 3 - d); }

  Board in_order_;  // each label in the cell of its number: renaming it gives any board
  bool multi_;
  std::unique_ptr<SubtreeSearch> search_;
};

/// For a heuristic whose change on a step is a table lookup.
template <class State, class H>
class SteppedExpander final : public Expander<State> {
 public:
  explicit SteppedExpander(const Problem& problem)
      : Expander<State>(problem.instance), heuristic_(problem.instance) {}

  [[nodiscard]] int evaluate(const Board& labels) const override {
    return heuristic_.evaluate(labels);
  }

  void expand(const State& state, int h, std::vector<Child<State>>& children) override {
    const auto position = state.position(this->cells());
    const int blank = State::blank(position);
    const int back = this->back_of(state);
    for (int d = 0; d < 4; ++d) {
      if (!this->geometry().allowed(blank, back, d)) continue;
      const int next = blank + this->geometry().offset(d);
      const Step<int, int, int> step{blank, next, d};
      const int rise = heuristic_.rise(position, position.tile(next), step, {});
      children.push_back({State(position.slid(next, blank), d), h + rise - 1, 1});
    }
  }

 private:
  H heuristic_;
};

/// One lookup per child for manhattan and zero in metric single, else from scratch.
template <class State>
[[nodiscard]] std::unique_ptr<Expander<State>> make_expander(const Problem& problem) {
  if (problem.metric == Metric::single && problem.heuristic == Manhattan::info.name) {
    return std::make_unique<SteppedExpander<State, Manhattan>>(problem);
  }
  if (problem.metric == Metric::single && problem.heuristic == Zero::info.name) {
    return std::make_unique<SteppedExpander<State, Zero>>(problem);
  }
  return std::make_unique<EvaluatingExpander<State>>(problem);
}

}  // namespace tessera
