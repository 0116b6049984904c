// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "puzzle/direction.hpp"
#include "puzzle/size.hpp"

namespace tessera {

/// A board of any playable size: tiles row by row, 0 is the blank, whose cell is cached. A value
/// type for reading, writing and replaying; the search uses its own compact positions.
class Board {
 public:
  Board() = default;

  /// Throws Error(input) unless `tiles` holds each of 0 .. cells-1 once; the message names the
  /// first tile that is missing, twice or out of range.
  Board(Size size, std::span<const std::int64_t> tiles);
  /// A board of tiles that are known to be legal; `tiles.tile(cell)` is the one in a cell.
  template <class Tiles>
  [[nodiscard]] static Board of(const Tiles& tiles, Size size) {
    Board board;
    board.size_ = size;
    for (int cell = 0; cell < size.cells(); ++cell) {
      const auto tile = static_cast<std::uint8_t>(tiles.tile(cell));
      board.tiles_[static_cast<std::size_t>(cell)] = tile;
      if (tile == 0) board.blank_ = cell;
    }
    return board;
  }

  [[nodiscard]] Size size() const { return size_; }
  [[nodiscard]] int tile(int cell) const { return tiles_[static_cast<std::size_t>(cell)]; }
  [[nodiscard]] std::vector<int> tiles() const {
    return {tiles_.begin(), tiles_.begin() + size_.cells()};
  }
  [[nodiscard]] int blank() const { return blank_; }
  [[nodiscard]] int cell_of(int tile) const;

  /// The cell that the blank would move to, or nothing at the edge of the board.
  [[nodiscard]] std::optional<int> neighbor(Direction d) const;
  /// Moves the blank; the move must be legal.
  void move(Direction d);
  [[nodiscard]] Board moved(Direction d) const {
    Board next = *this;
    next.move(d);
    return next;
  }
  /// The board with every tile t renamed to names[t]; `names` is a permutation of 0 .. cells-1.
  [[nodiscard]] Board renamed(std::span<const int> names) const;

  bool operator==(const Board&) const = default;

 private:
  Size size_;
  int blank_ = 0;
  std::array<std::uint8_t, Size::max_cells> tiles_{};
};

/// "14 13 15 ... 3": the tiles in one line, separated by spaces.
[[nodiscard]] std::string to_string(const Board& board);

/// Reads a board as people write it (docs/formats.md). `size` may be empty if rows give it, or if
/// the number of tiles is a square. Throws Error(input).
[[nodiscard]] Board parse_board(std::string_view text, std::optional<Size> size);

/// Replays tile letters from `start`; empty if a letter is unknown or a move leaves the board.
[[nodiscard]] std::optional<Board> replayed(const Board& start, std::string_view letters);

}  // namespace tessera
