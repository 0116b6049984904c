// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "puzzle/board.hpp"
#include "puzzle/metric.hpp"
#include "search/tree/bracket.hpp"

namespace tessera {

/// What is known of a board's distance from the goal, in moves of the metric.
struct Distance {
  Bracket bracket;
  std::string moves;  ///< tile letters of a solution as long as `bracket.upper`, if that is set
};

/// Finds the distance of a board. `known`, if not empty, is a solution of it in tile letters, which
/// need not be optimal; the bracket returned is at least as good.
using FindDistance = std::function<Distance(const Board& board, const std::string& known)>;

/// A move after which the goal was no nearer than before.
struct Mistake {
  int move = 0;  ///< counted from 1
  int before = 0;
  int after = 0;
  /// An optimal solution from the board before, in tile letters; empty: none known.
  std::string better;
};

struct GameAnalysis {
  int length = 0;                 ///< of the game, in moves
  bool solves = false;            ///< it ends at the goal
  std::vector<Bracket> brackets;  ///< of the boards after 0, 1, ..., `length` moves
  std::vector<Mistake> mistakes;  ///< where both distances are known

  [[nodiscard]] bool is_exact(std::size_t move) const {
    return brackets[move].upper == brackets[move].lower;
  }
  [[nodiscard]] bool all_exact() const {
    return std::ranges::all_of(brackets, [](const Bracket& b) { return b.upper == b.lower; });
  }
};

/// Called for each board along a game, after that many moves, with what is known of it so far.
using GameProgress = std::function<void(std::size_t move, const Bracket& bracket)>;

/// Follows a game, whose moves must be legal, from board to board. Where the player follows the
/// solution that was found, nothing is searched; elsewhere the solution of the board before is a
/// known one of the next. As a move changes the distance by at most one, each bracket is narrowed
/// by its neighbors.
[[nodiscard]] GameAnalysis analyse_game(const Board& start, const Board& goal,
                                        std::string_view letters, Metric metric,
                                        const FindDistance& find, const GameProgress& reached = {});

/// The moves by which each window of that many consecutive moves is longer than what it gained:
/// entry i is of the moves i+1 to i+window, -1 where a distance is not known.
[[nodiscard]] std::vector<int> lost_moves(const GameAnalysis& game, int window);

}  // namespace tessera
