// SPDX-License-Identifier: MIT
#include "puzzle/goal.hpp"

#include <algorithm>
#include <boost/algorithm/string/case_conv.hpp>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"

namespace tessera {
namespace {

std::string_view name_of(Goal::Kind kind) {
  constexpr std::string_view names[] = {"last", "first", "spiral", "snake", "columns", ""};
  return names[static_cast<std::size_t>(kind)];
}

// The cells clockwise from the top left to the middle.
std::vector<int> spiral_path(Size size) {
  std::vector<int> path;
  int cell = -1;
  int step = 1;
  int next_step = size.width;  // after the next turn
  int length = size.width;     // cells until the next turn
  int next_length = size.height - 1;
  while (length > 0) {
    for (int i = 0; i < length; ++i) path.push_back(cell += step);
    step = std::exchange(next_step, -step);
    length = std::exchange(next_length, length - 1);
  }
  return path;
}

// The cells in the order of the tiles 1, 2, ..., 0.
std::vector<int> path_of(Goal::Kind kind, Size size) {
  if (kind == Goal::Kind::spiral) return spiral_path(size);
  std::vector<int> path;
  for (int i = 0; i < size.cells(); ++i) {
    const int column = size.column(i);
    const bool turned = kind == Goal::Kind::snake && size.row(i) % 2 == 1;
    path.push_back(kind == Goal::Kind::columns ? i % size.height * size.width + i / size.height
                   : turned                    ? i - column + size.width - 1 - column
                                               : i);
  }
  return path;
}

}  // namespace

Board ordered_board(Size size, std::int64_t blank) {
  std::vector<std::int64_t> tiles;
  for (int cell = 0, tile = 1; cell < size.cells(); ++cell) {
    tiles.push_back(cell == blank ? 0 : tile++);
  }
  return Board(size, tiles);
}

int parse_goal_blank(std::string_view text, Size size) {
  const int last = size.cells() - 1;
  if (text == "last") return last;
  if (text == "first") return 0;
  std::vector<std::string> names;
  if (text.starts_with("cell:")) {
    const auto cell = parse_integer(text.substr(5));
    if (cell && *cell >= 0 && *cell <= last) return static_cast<int>(*cell);
  } else {
    names = {"last", "first", "cell:K"};
  }
  bad_input(
      unknown_name(text, names, "last, first or cell:K with K from 0 to " + std::to_string(last)));
}

Board Goal::board(Size size) const {
  if (kind_ == Kind::board) {
    if (board_.size() != size) {
      bad_input("the goal is " + to_string(board_.size()) + ", expected " + to_string(size) +
                " as the board is");
    }
    return board_;
  }
  if (kind_ == Kind::first) return ordered_board(size, 0);
  std::vector<std::int64_t> tiles(static_cast<std::size_t>(size.cells()));
  int tile = 0;
  for (const int cell : path_of(kind_, size)) {
    tiles[static_cast<std::size_t>(cell)] = ++tile % size.cells();
  }
  return Board(size, tiles);
}

std::string to_string(const Goal& goal) {
  return goal.kind_ == Goal::Kind::board ? to_string(goal.board_)
                                         : std::string(name_of(goal.kind_));
}

std::string goal_name(const Board& goal) {
  for (const Goal::Kind kind : Goal::named) {
    if (Goal(kind).board(goal.size()) == goal) return std::string(name_of(kind));
  }
  return to_string(goal);
}

Goal parse_goal(std::string_view text, std::optional<Size> size) {
  const std::string name = boost::to_lower_copy(std::string(trimmed(text)));
  std::vector<std::string> known;
  for (const Goal::Kind kind : Goal::named) {
    if (name == name_of(kind)) return Goal(kind);
    known.emplace_back(name_of(kind));
  }
  if (name == "snail") return Goal(Goal::Kind::spiral);
  const bool is_word =
      name.size() < 4 || std::ranges::all_of(name, [](char c) { return c >= 'a' && c <= 'z'; });
  if (is_word) {
    known.emplace_back("the tiles of a board");
    bad_input("goal " + unknown_name(text, known));
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

std::vector<std::string> reachable_goals(const Board& board) {
  std::vector<std::string> names;
  for (const Goal::Kind kind : Goal::named) {
    if (solvable(board, Goal(kind).board(board.size()))) names.emplace_back(name_of(kind));
  }
  return names;
}

}  // namespace tessera
