// SPDX-License-Identifier: MIT
#include "puzzle/board.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"

namespace tessera {

Board::Board(Size size, std::span<const std::int64_t> tiles) : size_(size) {
  const int cells = size.cells();
  // Built only for an error: tests create boards by the million.
  const auto expected = [&] {
    return "expected each of 0.." + std::to_string(cells - 1) + " once";
  };
  const auto count = static_cast<std::int64_t>(tiles.size());
  if (count != cells) {
    bad_input(counted(count, "tile") + ", expected " + std::to_string(cells) + " for size " +
              to_string(size));
  }
  std::array<bool, Size::max_cells> seen{};
  const bool has_blank = std::ranges::find(tiles, 0) != tiles.end();
  for (std::size_t cell = 0; cell < tiles.size(); ++cell) {
    const std::int64_t tile = tiles[cell];
    if (tile < 0 || tile >= cells) {
      bad_input("tile " + std::to_string(tile) + " is out of range, " + expected());
    }
    if (seen[static_cast<std::size_t>(tile)]) {
      bad_input("tile " + std::to_string(tile) + " appears twice" +
                (has_blank ? "" : " and there is no blank (0)") + ", " + expected());
    }
    seen[static_cast<std::size_t>(tile)] = true;
    tiles_[cell] = static_cast<std::uint8_t>(tile);
    if (tile == 0) blank_ = static_cast<int>(cell);
  }
}

int Board::cell_of(int tile) const {
  const auto end = tiles_.begin() + size_.cells();
  return static_cast<int>(std::find(tiles_.begin(), end, tile) - tiles_.begin());
}

std::optional<int> Board::neighbor(Direction d) const {
  const int direction = static_cast<int>(d);
  if (!size_.has_neighbor(blank_, direction)) return {};
  return blank_ + size_.offset(direction);
}

void Board::move(Direction d) {
  const int next = *neighbor(d);
  std::swap(tiles_[static_cast<std::size_t>(blank_)], tiles_[static_cast<std::size_t>(next)]);
  blank_ = next;
}

Board Board::renamed(std::span<const int> names) const {
  Board board = *this;
  for (int cell = 0; cell < size_.cells(); ++cell) {
    const int name = names[static_cast<std::size_t>(tile(cell))];
    board.tiles_[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(name);
    if (name == 0) board.blank_ = cell;
  }
  return board;
}

std::string to_string(const Board& board) {
  std::string text;
  for (int cell = 0; cell < board.size().cells(); ++cell) {
    if (cell > 0) text += ' ';
    text += std::to_string(board.tile(cell));
  }
  return text;
}

std::optional<Board> replayed(const Board& start, std::string_view letters) {
  Board board = start;
  for (const char c : letters) {
    const auto direction = direction_of(c);
    if (!direction || !board.neighbor(*direction)) return {};
    board.move(*direction);
  }
  return board;
}

}  // namespace tessera
