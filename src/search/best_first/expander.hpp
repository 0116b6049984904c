// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "puzzle/geometry.hpp"
#include "search/best_first/packed_state.hpp"
#include "search/kernels/subtree_search.hpp"

namespace tessera {

/// A child of an expanded node.
template <class State>
struct Child {
  State state;
  int h = 0;
  int steps = 1;           ///< of single tiles: more than one only in metric multi
  std::size_t parent = 0;  ///< the index of its parent among those that are expanded together
};

template <class State>
using Children = std::vector<Child<State>>;

/// Produces the children of nodes, with their h, for best-first searches. Skips moves that are
/// useless after the move that led to the node, because its parent reaches the same boards in fewer
/// moves: in metric single the move back, in metric multi every move along the same line.
template <class State>
class Expander {
 public:
  explicit Expander(const Instance& instance) : instance_(instance), geometry_(instance.size()) {}
  virtual ~Expander() = default;
  static constexpr std::size_t most_nodes = 16;  ///< that are expanded together
  Expander(const Expander&) = delete;
  Expander& operator=(const Expander&) = delete;

  [[nodiscard]] virtual int evaluate(const Board& labels) const = 0;
  /// Appends the children of nodes with these h, node by node, each one's in move order.
  virtual void expand(std::span<const State> states, std::span<const int> hs,
                      Children<State>& children) = 0;

  [[nodiscard]] const Instance& instance() const { return instance_; }
  [[nodiscard]] int cells() const { return geometry_.size().cells(); }
  [[nodiscard]] State start() const {
    return State(typename State::Position(instance_.start), no_way);
  }

 protected:
  /// Calls `use` with each step from a state whose blank is in that cell, except the step back.
  template <class Use>
  void for_steps(const State& state, int blank, const Use& use) const {
    const int back = back_of(state);
    for (int d = 0; d < 4; ++d) {
      if (!geometry_.allowed(blank, back, d)) continue;
      use(Step<int, int, int>{blank, blank + geometry_.offset(d), d});
    }
  }
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
  using Position = typename State::Position;

  explicit EvaluatingExpander(const Problem& problem)
      : Expander<State>(problem.instance),
        multi_(problem.metric == Metric::multi),
        search_(make_subtree_search(plain(problem))) {}

  [[nodiscard]] int evaluate(const Board& labels) const override {
    return search_->evaluate(labels);
  }

  void expand(std::span<const State> states, std::span<const int> /*hs*/,
              Children<State>& children) override {
    for (std::size_t i = 0; i < states.size(); ++i) {
      const Position position = states[i].position(this->cells());
      const Board board = Board::of(position, this->instance().size());
      for (int d = 0; d < 4; ++d) expand_way(states, i, position, board, d, children);
    }
  }

 protected:
  /// The i-th node's children in one direction: at most one, except in metric multi.
  void expand_way(std::span<const State> states, std::size_t i, Position position, Board board,
                  int d, Children<State>& children) const {
    if (multi_ ? along(states[i].way(), d) : d == this->back_of(states[i])) return;
    for (int steps = 1; board.neighbor(static_cast<Direction>(d)); ++steps) {
      const int blank = board.blank();
      board.move(static_cast<Direction>(d));
      position = position.slid(board.blank(), blank);
      children.push_back({State(position, d), evaluate(board), steps, i});
      if (!multi_) break;
    }
  }

 private:
  // The other kernels allocate memory for nodes that are not searched here.
  static Problem plain(Problem problem) {
    problem.kernel = Kernel::plain;
    return problem;
  }
  static bool along(int way, int d) { return way != no_way && (way == d || way == 3 - d); }

  bool multi_;
  std::unique_ptr<SubtreeSearch> search_;
};

/// One lookup per child for manhattan and zero in metric single; for tables without walking
/// distance whole blocks of nodes; else from scratch. For each form of State (expander.cpp).
template <class State>
[[nodiscard]] std::unique_ptr<Expander<State>> make_expander(const Problem& problem);

}  // namespace tessera
