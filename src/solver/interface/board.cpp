// SPDX-License-Identifier: MIT
#include <tessera/board.hpp>

#include "base/random.hpp"
#include "puzzle/board_file.hpp"
#include "puzzle/goal.hpp"
#include "puzzle/random_board.hpp"
#include "solver/interface/translate.hpp"

namespace tessera {
namespace {

Size size_of(int width, int height) {
  const Size size{width, height};
  if (!size.playable()) {
    bad_input("a board of " + to_string(size) +
              ": expected a width and a height from 2 to 32, and at most 64 cells");
  }
  return size;
}

}  // namespace

Board internal(const api::Board& board) {
  const std::vector<std::int64_t> tiles(board.tiles().begin(), board.tiles().end());
  return {size_of(board.width(), board.height()), tiles};
}

api::Board external(const Board& board) {
  return {board.size().width, board.size().height, board.tiles()};
}

Board goal_board(std::string_view name, Size size) {
  return with_error_prefix("goal: ", [&] { return parse_goal(name, size).board(size); });
}

}  // namespace tessera

namespace tessera::api {

Board::Board() : width_(3), height_(3), tiles_{1, 2, 3, 4, 5, 6, 7, 8, 0} {}

Board::Board(int width, int height, std::span<const int> tiles)
    : width_(width), height_(height), tiles_(tiles.begin(), tiles.end()) {
  translated([&] { (void)internal(*this); });
}

Board Board::parse(std::string_view text) {
  return translated([&] { return external(parse_board(text, {})); });
}

Board Board::parse(std::string_view text, int width, int height) {
  return translated([&] { return external(parse_board(text, size_of(width, height))); });
}

std::vector<Board> Board::parse_all(std::string_view text) {
  return translated([&] {
    std::vector<Board> boards;
    for (const NamedBoard& named : parse_boards(text, "text", {})) {
      boards.push_back(external(named.board));
    }
    return boards;
  });
}

Board Board::goal(int width, int height, std::string_view name) {
  return translated([&] { return external(goal_board(name, size_of(width, height))); });
}

Board Board::random(int width, int height, std::uint64_t seed, std::string_view goal) {
  return translated([&] {
    Random random(seed);
    return external(random_board(goal_board(goal, size_of(width, height)), random));
  });
}

Board Board::scrambled(int width, int height, int moves, std::uint64_t seed,
                       std::string_view goal) {
  return translated([&] {
    if (moves < 0) bad_input("moves: expected 0 or more");
    Random random(seed);
    const tessera::Board target = goal_board(goal, size_of(width, height));
    return external(tessera::scrambled(target, moves, random));
  });
}

std::string Board::text() const {
  std::string text;
  for (std::size_t i = 0; i < tiles_.size(); ++i) {
    if (i > 0) text += i % static_cast<std::size_t>(width_) == 0 ? "/" : " ";
    text += std::to_string(tiles_[i]);
  }
  return text;
}

std::optional<Board> Board::after(std::string_view moves) const {
  return translated([&] {
    const auto end = replayed(internal(*this), moves);
    return end ? std::optional(external(*end)) : std::nullopt;
  });
}

bool Board::solvable(std::string_view goal) const {
  return translated([&] {
    const tessera::Board start = internal(*this);
    return tessera::solvable(start, goal_board(goal, start.size()));
  });
}

}  // namespace tessera::api
