// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "puzzle/size.hpp"

namespace tessera {

/// Which tiles share a color, by their homes. On 4x4, rows give 10.9 vertical moves on average,
/// quarters 12.0, and the maximum of quarters and spiral 12.3.
enum class LineColoring : std::uint8_t {
  quarters = 1,     ///< upper left, upper right, lower left, lower right
  spiral = 2,       ///< three arcs of the rim, and the middle
  left = 3,         ///< two blocks at the upper and the lower left corner, and all other tiles
  right = 4,        ///< likewise at the right corners
  first_half = 5,   ///< then the others of half_shapes: some tiles, and all others
  first_side = 17,  ///< then the other side_colorings: likewise, fewer tiles
};

/// An order of all cells from the upper end of the board, or from the lower one if the goal's blank
/// is there.
enum class CellOrder : std::uint8_t {
  rows,       ///< row by row
  columns,    ///< column by column
  diagonals,  ///< by the distance from the left corner
  falling,    ///< by the distance from the right corner
};

/// Which tiles have one of two colors: the first ones in an order, or the last.
struct TwoColorShape {
  CellOrder order;
  int tiles;
  bool last = false;
};

/// On a board with 24 tiles; others have as many in proportion. A table file has the number of its
/// coloring: append new ones.
inline constexpr std::array half_shapes{
    TwoColorShape{CellOrder::rows, 8},       TwoColorShape{CellOrder::rows, 12},
    TwoColorShape{CellOrder::rows, 14},      TwoColorShape{CellOrder::columns, 8},
    TwoColorShape{CellOrder::columns, 10},   TwoColorShape{CellOrder::columns, 12},
    TwoColorShape{CellOrder::columns, 14},   TwoColorShape{CellOrder::diagonals, 8},
    TwoColorShape{CellOrder::diagonals, 10}, TwoColorShape{CellOrder::diagonals, 12},
    TwoColorShape{CellOrder::falling, 10},   TwoColorShape{CellOrder::falling, 14},
};
static_assert(static_cast<std::size_t>(LineColoring::first_side) ==
              static_cast<std::size_t>(LineColoring::first_half) + half_shapes.size());

/// A few tiles at a side or a corner: for each order the first ones, then the last. The larger the
/// board, the fewer, so that tables stay small.
inline constexpr std::size_t side_colorings = 8;

/// None for colorings with more colors.
[[nodiscard]] std::optional<TwoColorShape> two_color_shape(LineColoring coloring, Size size);

/// Which moves a table counts.
enum class LineAxis : std::uint8_t { vertical, horizontal };

/// Identifies a table of vertical moves. The table of horizontal moves is that of the transposed
/// board, so a square board whose blank ends on the diagonal needs only one table.
struct LineTableKey {
  Size size;
  int goal_blank = 0;
  LineColoring coloring = LineColoring::quarters;

  auto operator<=>(const LineTableKey&) const = default;
};

[[nodiscard]] LineTableKey line_table_key(Size size, int goal_blank, LineAxis axis,
                                          LineColoring coloring);

inline constexpr int max_line_cells = 36;

/// The color of each tile by its home cell.
[[nodiscard]] std::array<std::uint8_t, max_line_cells> line_colors(const LineTableKey& key);

/// The sequences of several colorings, which change together; two of 32 bits share a word.
template <class Sequence, std::size_t count>
struct SequencesOf {
  static constexpr std::size_t per_word = sizeof(Sequence) == 4 ? 2 : 1;
  std::array<std::uint64_t, (count + per_word - 1) / per_word> words;

  bool operator==(const SequencesOf&) const = default;
  [[nodiscard]] Sequence operator[](std::size_t coloring) const {
    return static_cast<Sequence>(words[coloring / per_word] >> (32 * (coloring % per_word)));
  }
  void add(std::size_t coloring, Sequence sequence) {
    words[coloring / per_word] |= std::uint64_t{sequence} << (32 * (coloring % per_word));
  }
};

/// `count` colorings, from `first` on.
template <std::size_t count>
[[nodiscard]] constexpr std::array<LineColoring, count> colorings_from(LineColoring first) {
  std::array<LineColoring, count> colorings{};
  for (std::size_t i = 0; i < count; ++i) {
    colorings[i] = static_cast<LineColoring>(static_cast<std::size_t>(first) + i);
  }
  return colorings;
}

/// A tile's color in `bits` bits of a word, the first tile lowest.
template <class Word, int bits, int tiles_below>
struct PackedColors {
  using Sequence = Word;
  static constexpr bool is_paired = sizeof(Word) == 4;  ///< a word of a state holds two sequences
  static constexpr unsigned colors = 1U << bits;
  static constexpr int lower_tiles = tiles_below;
  static constexpr int step_bits = bits;  ///< by which a tile's bits are apart from the next one's

  /// The halves as numbers with a digit per tile, in base `colors`.
  [[nodiscard]] static std::uint32_t upper(Sequence sequence) {
    return static_cast<std::uint32_t>(sequence >> (bits * lower_tiles));
  }
  [[nodiscard]] static std::uint32_t lower(Sequence sequence) {
    return static_cast<std::uint32_t>(sequence) & ((1U << (bits * lower_tiles)) - 1);
  }
  /// The sequence in which only the tile at this place has a color, the others color 0.
  [[nodiscard]] static constexpr Sequence only(int place, unsigned color) {
    return Sequence{color} << (bits * place);
  }
};

/// Tiles of four colors:
///
///     bit 29           14 13            0
///         |    upper     |     lower     |
struct FourColors : PackedColors<std::uint32_t, 2, 7> {
  static constexpr int max_cells = 16;
  static constexpr std::array colorings{LineColoring::quarters, LineColoring::spiral};

  using Sequences = SequencesOf<Sequence, colorings.size()>;
};

/// Tiles of three colors, a bit per tile in each of two planes. The first plane has the tiles of
/// color 1 or 2, the second those of color 2:
///
///     bit 55    44 43    32        23    12 11     0
///         | upper | lower |  0    | upper | lower |
struct ThreeColors {
  using Sequence = std::uint64_t;
  static constexpr int max_cells = 25;
  static constexpr bool is_paired = true;  ///< two planes
  static constexpr unsigned colors = 3;
  static constexpr int lower_tiles = 12;
  static constexpr int step_bits = 1;
  static constexpr std::array colorings{LineColoring::left, LineColoring::right};

  [[nodiscard]] static std::uint32_t upper(Sequence sequence) {
    return lower(sequence >> lower_tiles);
  }
  [[nodiscard]] static std::uint32_t lower(Sequence sequence) {
    return digits[sequence & half] + digits[sequence >> 32 & half];
  }
  [[nodiscard]] static constexpr Sequence only(int place, unsigned color) {
    return (Sequence{color > 0} | Sequence{color > 1} << 32) << place;
  }

  using Sequences = SequencesOf<Sequence, colorings.size()>;

 private:
  static constexpr Sequence half = (1U << lower_tiles) - 1;
  // By the bits of half a plane: the number in base 3 that has a digit 1 where they are set.
  static constexpr std::array<std::uint32_t, half + 1> digits = [] {
    std::array<std::uint32_t, half + 1> numbers{};
    for (std::size_t bits = 1; bits < numbers.size(); ++bits) {
      numbers[bits] = 3 * numbers[bits >> 1] + (bits & 1);
    }
    return numbers;
  }();
};

/// Tiles of two colors.
struct TwoColors : PackedColors<std::uint32_t, 1, 12> {
  static constexpr int max_cells = 25;
  static constexpr std::array colorings =
      colorings_from<half_shapes.size()>(LineColoring::first_half);

  using Sequences = SequencesOf<Sequence, colorings.size()>;
};

/// Tiles of two colors on larger boards:
///
///     bit 34           18 17            0
///         |    upper     |     lower     |
struct TwoColorsOfMany : PackedColors<std::uint64_t, 1, 18> {
  static constexpr int max_cells = max_line_cells;
  static constexpr std::array colorings = colorings_from<side_colorings>(LineColoring::first_side);

  using Sequences = SequencesOf<Sequence, colorings.size()>;
};

}  // namespace tessera
