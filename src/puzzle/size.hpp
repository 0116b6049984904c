// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tessera {

/// W columns, H rows. A playable size has W,H >= 2 and at most 64 cells; cells are numbered from 0,
/// row by row.
struct Size {
  int width = 0;
  int height = 0;

  static constexpr int max_cells = 64;

  [[nodiscard]] constexpr int cells() const { return width * height; }
  [[nodiscard]] constexpr int row(int cell) const { return cell / width; }
  [[nodiscard]] constexpr int column(int cell) const { return cell % width; }
  [[nodiscard]] constexpr bool playable() const {
    return width >= 2 && height >= 2 && width <= max_cells / 2 && height <= max_cells / 2 &&
           cells() <= max_cells;
  }
  [[nodiscard]] constexpr int distance(int a, int b) const {
    const int dx = column(a) - column(b);
    const int dy = row(a) - row(b);
    return (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy);
  }
  /// Whether there is a cell above (0), to the left (1), to the right (2) or below (3).
  [[nodiscard]] constexpr bool has_neighbor(int cell, int direction) const {
    return std::array{row(cell) > 0, column(cell) > 0, column(cell) + 1 < width,
                      row(cell) + 1 < height}[static_cast<std::size_t>(direction)];
  }
  /// The neighbor's cell number minus the cell's own.
  [[nodiscard]] constexpr int offset(int direction) const {
    return std::array{-width, -1, 1, width}[static_cast<std::size_t>(direction)];
  }
  [[nodiscard]] constexpr Size transposed() const { return {height, width}; }
  /// Where the cell ends up on the transposed board.
  [[nodiscard]] constexpr int transposed(int cell) const {
    return column(cell) * height + row(cell);
  }
  constexpr auto operator<=>(const Size&) const = default;
};

/// "4x3"
[[nodiscard]] std::string to_string(Size size);

/// Reads "WxH" of a playable size, or "N" for a square. Throws Error(input) with what was expected.
[[nodiscard]] Size parse_size(std::string_view text);

/// Reads "WxH" of a complete search, which may be a single row or column, too: 2 to 64 cells.
[[nodiscard]] Size parse_census_size(std::string_view text);

/// Throws Error(input) if a board is of another size.
void expect_size(Size size, Size expected);

/// The square size with this many cells, if there is a playable one.
[[nodiscard]] std::optional<Size> square_size(int cells);

}  // namespace tessera
