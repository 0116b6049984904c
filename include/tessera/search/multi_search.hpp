// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "tessera/heuristic/lines.hpp"
#include "tessera/search/subtree_search.hpp"

namespace tessera {

/// Depth-first search in metric multi, where a run of equal letters is one move. A node's children
/// are the other cells of the blank's row or column, never both: the search leaves out every move
/// along the line of the last one, since it would be no move or one move with it. Children come in
/// the order of directions and then of lengths.
///
/// With vertical and horizontal moves taking turns, a child whose vertical move leaves `left` moves
/// has left / 2 vertical ones among them; it is within the bound exactly if no more are needed. So
/// the search asks for the moves along one axis only, that of the move that led there, and never
/// adds up an h.
///
/// Guide: Lines, or NoGuide for h = 0.
template <class Guide>
class MultiSearch final : public SubtreeSearch {
 public:
  explicit MultiSearch(const Problem& problem);

  [[nodiscard]] int evaluate(const Board& labels) const override;
  SubtreeResult search(const Node& root, int bound, Mode mode, SearchControl& control) override;
  [[nodiscard]] std::vector<Successor> successors(const Node& node) const override;
  [[nodiscard]] Node node_at(std::string_view path) const override;

 private:
  using State = typename Guide::State;
  struct Run {
    Direction direction;
    int steps;
  };

  bool visit_root(const Node& root, int left);
  template <LineAxis axis>
  bool visit(const State& state, int line, int across, int left);
  bool at_goal();
  bool refuel();

  Guide guide_;
  State goal_state_;
  std::array<int, 2> lines_;  // by axis: the cells that the blank may take

  SearchControl* control_ = nullptr;
  Mode mode_ = Mode::first;
  const Board* root_ = nullptr;
  std::vector<Run> path_;  // from the root of the subtree, depth_ runs
  std::size_t depth_ = 0;
  Counts counts_;
  Counts reported_;
  std::uint64_t fuel_ = 0;
  int least_excess_ = no_bound;
  bool stopped_ = false;
  bool found_ = false;
};

/// No knowledge: each state may be the goal, and none needs a move.
class NoGuide {
 public:
  [[nodiscard]] int evaluate(const Board&, std::optional<LineAxis> = {}) const { return 0; }

  using State = Board;
  [[nodiscard]] State start(const Board& board) const { return board; }
  [[nodiscard]] int moves(LineAxis, std::size_t, const State&, int) const { return 0; }
  [[nodiscard]] State stepped(LineAxis axis, State state, int, int, bool backward) const {
    const bool vertical = axis == LineAxis::vertical;
    state.move(vertical   ? backward ? Direction::up : Direction::down
               : backward ? Direction::left
                          : Direction::right);
    return state;
  }
};

/// The search of a problem of metric multi. Throws Error(input) for what it has not.
[[nodiscard]] std::unique_ptr<SubtreeSearch> make_multi_search(const Problem& problem);

}  // namespace tessera
