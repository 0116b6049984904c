// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "puzzle/instance.hpp"

namespace tessera {

/// The features of a board that BeamOrder weighs: how many rows and columns each tile is away from
/// its home, and for each two neighboring cells, the displacements of their tiles. Mirror images
/// have the same features. They are numbered from 0.
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

  /// Of a tile so many rows and columns away from its home.
  [[nodiscard]] static constexpr int of_distance(int rows, int columns) {
    const int longer = std::min(std::max(rows, columns), longest);
    return longer * (longer + 1) / 2 + std::min({rows, columns, longest});
  }
  /// Of a cell and its neighbor in a direction.
  [[nodiscard]] static int of_pair(Displacement cell, Displacement neighbor, int direction);
  /// Features of pairs follow those of distances.
  static constexpr int distances = 36;
  static const int count;

  explicit BeamFeatures(const Instance& instance);

  [[nodiscard]] Displacement displacement(unsigned label, int cell) const {
    return displacements_[static_cast<std::size_t>(cell)][label];
  }
  /// By direction from a cell.
  using Around = std::array<Displacement, 4>;
  /// Of what is around a cell of a board; `tiles.tile(cell)` is the label in a cell.
  template <class Tiles>
  [[nodiscard]] Around around(const Tiles& tiles, int cell) const {
    Around around;
    for (std::size_t d = 0; d < around.size(); ++d) {
      const Neighbor next = neighbors_[static_cast<std::size_t>(cell)][d];
      around[d] = displacements_[next.row][static_cast<std::size_t>(tiles.tile(next.cell))];
    }
    return around;
  }

  /// Calls use(feature) for all of a board.
  template <class Use>
  void visit(const Board& board, const Use& use) const {
    const Size size = board.size();
    for (int cell = 0; cell < size.cells(); ++cell) {
      if (const int label = board.tile(cell); label != 0) {
        const int home = homes_[static_cast<std::size_t>(label)];
        use(of_distance(std::abs(size.row(home) - size.row(cell)),
                        std::abs(size.column(home) - size.column(cell))));
      }
      visit_pairs(board, cell, [&](Displacement own, Displacement other, int direction) {
        use(of_pair(own, other, direction));
      });
    }
  }
  /// Calls use(displacement, neighbor's displacement, direction) for a cell; over all cells, each
  /// pair comes once.
  template <class Use>
  void visit_pairs(const Board& board, int cell, const Use& use) const {
    const Around others = around(board, cell);
    const Displacement own = displacement(static_cast<unsigned>(board.tile(cell)), cell);
    for (int d = 0; d < 4; ++d) {
      const Displacement other = others[static_cast<std::size_t>(d)];
      // Right and down, and the edges that no other cell shares.
      if (d >= 2 || other == edge) use(own, other, d);
    }
  }

 private:
  static constexpr int longest = 7;  // distances with features of their own

  // Beyond the edge: a row in which every label has the displacement `edge`, so that no branch is
  // needed.
  static constexpr std::size_t edge_row = Size::max_cells;
  struct Neighbor {
    std::uint8_t cell = 0;
    std::uint8_t row = edge_row;
  };
  std::array<std::array<Displacement, Size::max_cells>, edge_row + 1> displacements_{};  // by cell
  std::array<std::array<Neighbor, 4>, Size::max_cells> neighbors_{};
  std::array<int, Size::max_cells> homes_{};
};

}  // namespace tessera
