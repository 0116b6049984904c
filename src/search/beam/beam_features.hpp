// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "puzzle/instance.hpp"

namespace tessera {

/// What a beam sees of a board: how many rows and columns each tile is away from its home, and for
/// each two neighboring cells the ways that their tiles have to go. Mirror images look the same.
/// Features are numbered from 0; each has a learned weight (BeamOrder).
class BeamFeatures {
 public:
  /// The rows and columns that a tile has to go, at most `farthest` of each; or that the cell is
  /// the blank, or beyond the edge of the board.
  using Way = std::uint8_t;
  static constexpr int farthest = 4;
  static constexpr int lengths = 2 * farthest + 1;
  static constexpr Way blank_way = lengths * lengths;
  static constexpr Way edge_way = blank_way + 1;
  static constexpr int ways = edge_way + 1;

  /// Of a tile `rows` and `columns` away from its home.
  [[nodiscard]] static constexpr int of_distance(int rows, int columns) {
    const int longer = std::min(std::max(rows, columns), longest);
    return longer * (longer + 1) / 2 + std::min({rows, columns, longest});
  }
  /// Of a cell and its neighbor in a direction.
  [[nodiscard]] static int of_pair(Way way, Way neighbor, int direction);
  /// The number of features.
  static const int count;

  explicit BeamFeatures(const Instance& instance);

  [[nodiscard]] Way way(unsigned label, int cell) const {
    return ways_[label][static_cast<std::size_t>(cell)];
  }
  /// The neighbor of a cell in a direction, or -1 beyond the edge.
  [[nodiscard]] int neighbor(int cell, int direction) const {
    return neighbors_[static_cast<std::size_t>(cell)][static_cast<std::size_t>(direction)];
  }
  /// The way of what is in a cell of a board, which may be beyond the edge.
  template <class Tiles>
  [[nodiscard]] Way way(const Tiles& tiles, int cell) const {
    return cell < 0 ? edge_way : way(static_cast<unsigned>(tiles.tile(cell)), cell);
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
      for (int d = 0; d < 4; ++d) {
        // Each pair once.
        if (const int other = neighbor(cell, d); other < 0 || other > cell)
          use(of_pair(way(board, cell), way(board, other), d));
      }
    }
  }

 private:
  static constexpr int longest = 7;  // distances with weights of their own

  std::array<std::array<Way, Size::max_cells>, Size::max_cells> ways_{};  // by label
  std::array<std::array<std::int8_t, 4>, Size::max_cells> neighbors_{};
  std::array<int, Size::max_cells> homes_{};
};

}  // namespace tessera
