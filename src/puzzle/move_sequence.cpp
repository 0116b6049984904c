// SPDX-License-Identifier: MIT
#include "puzzle/move_sequence.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

#include "puzzle/goal.hpp"

namespace tessera {
namespace {

constexpr std::string_view directions = "UDLR";
constexpr std::string_view turned = "DURL";      // by 180 degrees: the opposite of each
constexpr std::string_view transposed = "LRUD";  // at the diagonal

char mapped(char letter, std::string_view letters) {
  return letters[directions.find(letter)];
}

}  // namespace

Board MoveSequence::end() const {
  return replayed(start, moves).value();
}

MoveSequence MoveSequence::inverted() const {
  return {end(), goal, undone(moves)};
}

std::string undone(std::string_view letters) {
  std::string back(letters.rbegin(), letters.rend());
  for (char& letter : back) letter = mapped(letter, turned);
  return back;
}

MoveSequence MoveSequence::simplified() const {
  std::string kept;
  for (const char letter : moves) {
    if (!kept.empty() && kept.back() == mapped(letter, turned)) kept.pop_back();
    else kept += letter;
  }
  return {start, goal, kept};
}

MoveSequence MoveSequence::reflected() const {
  return image(symmetries(start.size())[4], transposed);
}

MoveSequence MoveSequence::rotated() const {
  return image(symmetries(start.size())[3], turned);
}

MoveSequence MoveSequence::image(const Symmetry& symmetry, std::string_view letters) const {
  const int blank = symmetry(goal.blank());
  const bool keeps_goal = symmetry.to == symmetry.from && blank == goal.blank();
  MoveSequence result{{}, keeps_goal ? goal : ordered_board(symmetry.to, blank), moves};
  for (char& letter : result.moves) letter = mapped(letter, letters);
  // The image of the goal gets the tiles of the new goal, by cell.
  std::vector<std::int64_t> names(static_cast<std::size_t>(goal.size().cells()));  // by old tile
  std::vector<std::int64_t> tiles(names.size());
  for (int cell = 0; cell < goal.size().cells(); ++cell) {
    names[static_cast<std::size_t>(goal.tile(cell))] = result.goal.tile(symmetry(cell));
  }
  for (int cell = 0; cell < start.size().cells(); ++cell) {
    tiles[static_cast<std::size_t>(symmetry(cell))] =
        names[static_cast<std::size_t>(start.tile(cell))];
  }
  result.start = Board(symmetry.to, tiles);
  return result;
}

std::optional<int> replayed_length(const Board& start, const Board& goal, std::string_view letters,
                                   Metric metric) {
  if (replayed(start, letters) != goal) return {};
  return solution_length(letters, metric);
}

std::vector<std::string> moves_of(std::string_view letters, Metric metric) {
  std::vector<std::string> moves;
  for (const char letter : letters) {
    if (metric == Metric::multi && !moves.empty() && moves.back().back() == letter) {
      moves.back() += letter;
    } else {
      moves.emplace_back(1, letter);
    }
  }
  return moves;
}

std::vector<Board> boards_along(const Board& start, const std::vector<std::string>& moves) {
  std::vector<Board> boards{start};
  for (const std::string& move : moves) boards.push_back(replayed(boards.back(), move).value());
  return boards;
}

}  // namespace tessera
