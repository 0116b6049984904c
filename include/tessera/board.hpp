// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tessera/error.hpp>

namespace tessera::api {

/// A board of a sliding-tile puzzle: a value. `width` x `height` cells, both at least 2 and at most
/// 32, at most 64 in all. Cells are numbered row by row from 0 at the top left; tiles are 1 to
/// cells - 1, and 0 is the blank.
class Board {
 public:
  /// The 3x3 board 1 2 3 / 4 5 6 / 7 8 0.
  Board();
  /// `tiles`: width * height numbers, row by row, each of 0 .. cells - 1 once. Throws Error(input).
  Board(int width, int height, std::span<const int> tiles);

  /// Reads one board as people write it: `1 2 3/4 0 6/7 5 8`, rows on lines, brackets, `_` as the
  /// blank, a letter per tile (docs/formats.md lists all forms). Rows give the size; without rows
  /// the number of tiles must be a square. Throws Error(input).
  [[nodiscard]] static Board parse(std::string_view text);
  /// The same for a text without rows.
  [[nodiscard]] static Board parse(std::string_view text, int width, int height);
  /// All boards of a text in any format of a file: lines, grids, CSV, JSON lines. Throws
  /// Error(input), with the line.
  [[nodiscard]] static std::vector<Board> parse_all(std::string_view text);
  /// The goal of that name: last (1 2 ... 0), first (0 1 2 ...), spiral, snake, columns; or the
  /// tiles of a board. Throws Error(input).
  [[nodiscard]] static Board goal(int width, int height, std::string_view name = "last");
  /// A board drawn uniformly from all those from which the goal can be reached; the same seed gives
  /// the same board on every machine. Throws Error(input).
  [[nodiscard]] static Board random(int width, int height, std::uint64_t seed,
                                    std::string_view goal = "last");
  /// `moves` random moves from the goal, never straight back. Throws Error(input).
  [[nodiscard]] static Board scrambled(int width, int height, int moves, std::uint64_t seed,
                                       std::string_view goal = "last");

  [[nodiscard]] int width() const noexcept { return width_; }
  [[nodiscard]] int height() const noexcept { return height_; }
  /// width() * height() numbers, row by row.
  [[nodiscard]] const std::vector<int>& tiles() const noexcept { return tiles_; }
  /// "1 2 3/4 0 6/7 5 8", which parse() reads.
  [[nodiscard]] std::string text() const;

  /// The board after tile moves `L R U D` (the direction in which a tile moves), or nothing if a
  /// letter is unknown or a move leaves the board.
  [[nodiscard]] std::optional<Board> after(std::string_view moves) const;
  /// Whether moves lead from here to the goal: by the parity of the tiles (Johnson and Story 1879),
  /// without a search. Throws Error(input) for an unknown goal.
  [[nodiscard]] bool solvable(std::string_view goal = "last") const;

  bool operator==(const Board&) const = default;

 private:
  int width_;
  int height_;
  std::vector<int> tiles_;
};

}  // namespace tessera::api
