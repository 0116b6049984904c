// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "puzzle/instance.hpp"

namespace tessera {

/// The features of a board that BeamOrder weighs: how many rows and columns each tile is away from
/// its home; for each two neighboring cells, the displacements of their tiles; and for each 2x2
/// cells, the ways to the homes of their tiles. Mirror images have the same features. They are
/// numbered from 0.
class BeamFeatures {
 public:
  /// The rows and columns from a tile to its home, from -farthest to farthest; or that the cell is
  /// the blank's, or beyond the edge of the board.
  using Displacement = std::uint8_t;
  static constexpr int farthest = 4;
  static constexpr int lengths = 2 * farthest + 1;
  static constexpr Displacement blank = lengths * lengths;
  static constexpr Displacement edge = blank + 1;
  static constexpr int displacements = edge + 1;
  [[nodiscard]] static constexpr Displacement displacement(int rows, int columns) {
    return static_cast<Displacement>(lengths * (std::clamp(rows, -farthest, farthest) + farthest) +
                                     std::clamp(columns, -farthest, farthest) + farthest);
  }

  /// The signs of a displacement, which take four bits.
  using Kind = std::uint32_t;
  static constexpr int kind_bits = 4;
  [[nodiscard]] static Kind kind(Displacement displacement) { return kinds_[displacement]; }
  /// The kinds of 2x2 cells, row by row, the first highest.
  using Block = std::uint32_t;
  static constexpr std::size_t blocks = std::size_t{1} << 4 * kind_bits;

  /// Of a tile so many rows and columns away from its home.
  [[nodiscard]] static constexpr int of_distance(int rows, int columns) {
    const int longer = std::min(std::max(rows, columns), longest);
    return longer * (longer + 1) / 2 + std::min({rows, columns, longest});
  }
  /// Of a cell and its neighbor in a direction.
  [[nodiscard]] static int of_pair(Displacement cell, Displacement neighbor, int direction);
  [[nodiscard]] static int of_block(Block block) { return of_blocks()[block]; }
  /// By block; 0 for numbers that are no blocks.
  [[nodiscard]] static std::span<const std::uint16_t> of_blocks();
  /// Features of distances come first, then those of pairs, then those of blocks.
  static constexpr int distances = 36;
  [[nodiscard]] static int count();

  explicit BeamFeatures(const Instance& instance);

  [[nodiscard]] Displacement displacement(unsigned label, int cell) const {
    return displacements_[static_cast<std::size_t>(cell)][label];
  }

  /// The 5x5 cells around a cell, row by row, without the corners.
  struct Window {
    static constexpr std::size_t side = 5;
    static constexpr std::size_t center = side * side / 2;
    /// From a cell to the next one in a direction.
    static constexpr std::array<int, 4> offsets{-5, -1, 1, 5};

    std::array<Displacement, side * side> displacements;
    std::array<Kind, side> kinds;  ///< of a row's cells, the first highest

    /// With that cell and the ones to its right and below it.
    [[nodiscard]] Block block(std::size_t row, std::size_t column) const {
      const std::size_t shift = kind_bits * (side - 2 - column);
      return (kinds[row] >> shift & 0xff) << 2 * kind_bits | (kinds[row + 1] >> shift & 0xff);
    }
    void set_kind(std::size_t cell, Kind kind) {
      const std::size_t shift = kind_bits * (side - 1 - cell % side);
      Kind& row = kinds[cell / side];
      row = (row & ~(Kind{0xf} << shift)) | kind << shift;
    }
  };
  /// Around a cell of a board; `tiles.tile(cell)` is the label in a cell.
  template <class Tiles>
  [[nodiscard]] Window window(const Tiles& tiles, int cell) const {
    const auto& neighbors = neighbors_[static_cast<std::size_t>(cell)];
    Window window;
    for (std::size_t row = 0; row < Window::side; ++row) {
      Kind kinds = 0;
      for (std::size_t column = 0; column < Window::side; ++column) {
        const std::size_t i = row * Window::side + column;
        kinds <<= kind_bits;
        if (i % (Window::side - 1) == 0 && row % (Window::side - 1) == 0) continue;  // a corner
        const Neighbor at = neighbors[i];
        const Displacement found =
            displacements_[at.row][static_cast<std::size_t>(tiles.tile(at.cell))];
        window.displacements[i] = found;
        kinds |= kind(found);
      }
      window.kinds[row] = kinds;
    }
    return window;
  }

  /// Calls use(feature) for all pairs and blocks of a board and the edge.
  template <class Use>
  void visit_places(const Board& board, const Use& use) const {
    const int width = size_.width + 2;
    std::array<Displacement, (Size::max_cells / 2 + 2) * 4> cells;  // with those beyond the edge
    cells.fill(edge);
    for (int cell = 0; cell < size_.cells(); ++cell)
      cells[static_cast<std::size_t>((size_.row(cell) + 1) * width + size_.column(cell) + 1)] =
          displacement(static_cast<unsigned>(board.tile(cell)), cell);
    for (int row = 0; row <= size_.height; ++row) {
      for (int column = 0; column <= size_.width; ++column) {
        const Displacement* const first = &cells[static_cast<std::size_t>(row * width + column)];
        if (row > 0) use(of_pair(first[0], first[1], 2));
        if (column > 0) use(of_pair(first[0], first[width], 3));
        use(of_block(kind(first[0]) << 3 * kind_bits | kind(first[1]) << 2 * kind_bits |
                     kind(first[width]) << kind_bits | kind(first[width + 1])));
      }
    }
  }

 private:
  static constexpr int longest = 7;  // distances with features of their own

  static constexpr std::array<Kind, displacements> kinds_ = [] {
    std::array<Kind, displacements> kinds{};
    const auto sign = [](int length) {
      return length < farthest ? 0U : length > farthest ? 2U : 1U;
    };
    for (int d = 0; d < blank; ++d)
      kinds[static_cast<std::size_t>(d)] = 3 * sign(d / lengths) + sign(d % lengths);
    kinds[blank] = 9;
    kinds[edge] = 10;
    return kinds;
  }();

  // Beyond the edge: a row in which every label has the displacement `edge`, so that no branch is
  // needed.
  static constexpr std::size_t edge_row = Size::max_cells;
  struct Neighbor {
    std::uint8_t cell = 0;
    std::uint8_t row = edge_row;
  };
  Size size_;
  std::array<std::array<Displacement, Size::max_cells>, edge_row + 1> displacements_{};  // by cell
  // By cell, in the order of its window.
  std::array<std::array<Neighbor, Window::side * Window::side>, Size::max_cells> neighbors_{};
};

}  // namespace tessera
