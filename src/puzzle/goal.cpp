// SPDX-License-Identifier: MIT
#include "tessera/puzzle/goal.hpp"

#include <numeric>
#include <vector>

#include "tessera/base/error.hpp"
#include "tessera/base/text.hpp"

namespace tessera {

Board ordered_board(Size size, std::int64_t blank) {
  std::vector<std::int64_t> tiles;
  for (int cell = 0, tile = 1; cell < size.cells(); ++cell) {
    tiles.push_back(cell == blank ? 0 : tile++);
  }
  return Board(size, tiles);
}

Board Goal::board(Size size) const {
  if (kind_ == Kind::board) {
    if (board_.size() != size) {
      bad_input("the goal is " + to_string(board_.size()) + ", expected " + to_string(size) +
                " as the board is");
    }
    return board_;
  }
  return ordered_board(size, kind_ == Kind::first ? 0 : size.cells() - 1);
}

std::string to_string(const Goal& goal) {
  if (goal.kind_ == Goal::Kind::last) return "last";
  if (goal.kind_ == Goal::Kind::first) return "first";
  return to_string(goal.board_);
}

Goal parse_goal(std::string_view text, std::optional<Size> size) {
  if (text == "last") return Goal(Goal::Kind::last);
  if (text == "first") return Goal(Goal::Kind::first);
  if (trimmed(text).empty() ||
      trimmed(text).find_first_not_of("0123456789, +-") != std::string::npos) {
    bad_input("goal " + quote(text) + " is unknown, expected last, first or the tiles of a board");
  }
  return Goal(parse_board(text, size));
}

int swaps_between(const Board& start, const Board& goal) {
  // The cycles of the permutation cell -> goal cell: one of length n takes n-1 swaps.
  const int cells = start.size().cells();
  std::vector<bool> seen(static_cast<std::size_t>(cells), false);
  int swaps = 0;
  for (int first = 0; first < cells; ++first) {
    for (int cell = first; !seen[static_cast<std::size_t>(cell)];) {
      seen[static_cast<std::size_t>(cell)] = true;
      cell = goal.cell_of(start.tile(cell));
      if (cell != first) ++swaps;
    }
  }
  return swaps;
}

bool solvable(const Board& start, const Board& goal) {
  const int steps = start.size().distance(start.blank(), goal.blank());
  return (swaps_between(start, goal) + steps) % 2 == 0;
}

Board with_parity_flipped(const Board& board) {
  std::vector<int> names(static_cast<std::size_t>(board.size().cells()));
  std::iota(names.begin(), names.end(), 0);
  std::swap(names[1], names[2]);
  return board.renamed(names);
}

}  // namespace tessera
