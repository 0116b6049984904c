// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "search/beam/beam_features.hpp"
#include "search/problem.hpp"

namespace tessera {

/// Which boards of a layer a beam keeps: those with the least estimate of the moves left. It is the
/// sum, over all tiles, of distance * sqrt(distance) and the weights of the board's features, and
/// what h is above the sum of distances, with a weight of its own. Another exponent than 1.5 leads
/// to other solutions that are about as long.
///
/// Ordered by h alone, a beam keeps boards whose last few tiles are far from home. Boards with as
/// many moves left that are spread over many tiles are easier: the blank moves several on its way.
/// Tiles that have the same way to go can follow one another; those with opposite ways are in each
/// other's way. The weights were learned from beam searches (docs/decisions/0034-learned-order.md).
class BeamOrder {
 public:
  /// The weight of h, then those of BeamFeatures, in sixteenths of a move.
  using Weights = std::span<const std::int16_t>;
  [[nodiscard]] static Weights learned();

  /// By h alone if the heuristic does not see how tiles block one another, or h is no bound.
  explicit BeamOrder(const Problem& problem, double exponent = 1.5, Weights weights = learned());

  /// What the tiles of a board add to h, in units.
  [[nodiscard]] int spread(const Board& board) const;
  /// How that changes when the tile in cell `from` slides into the blank in `to`.
  /// `tiles.tile(cell)` is the label in a cell.
  template <class Tiles>
  [[nodiscard]] int change(const Tiles& tiles, int from, int to) const {
    if (!ordered_) return 0;
    const unsigned label = tiles.tile(from);
    constexpr Way blank = BeamFeatures::blank_way;
    const Way before = features_.way(label, from);
    const Way after = features_.way(label, to);
    int change = at(spreads_, label, to) - at(spreads_, label, from);
    for (int d = 0; d < 4; ++d) {
      const Pairs& pairs = pairs_[static_cast<std::size_t>(d)];
      if (const int cell = features_.neighbor(from, d); cell != to) {
        const Way other = features_.way(tiles, cell);
        change += at(pairs, blank, other) - at(pairs, before, other);
      } else {
        change += at(pairs, blank, after) - at(pairs, before, blank);
      }
      if (const int cell = features_.neighbor(to, d); cell != from) {
        const Way other = features_.way(tiles, cell);
        change += at(pairs, after, other) - at(pairs, blank, other);
      }
    }
    return change;
  }
  /// In quarters of a move, or on wide boards in more; without spreads it orders as h does.
  [[nodiscard]] int estimate(int h, int spread) const {
    return std::max(0, (h_units_ * h + spread) / units_per_estimate);
  }

 private:
  using Way = BeamFeatures::Way;
  // The weights by the way of a cell and that of its neighbor in a direction.
  using Pairs = std::array<std::array<std::int16_t, BeamFeatures::ways>, BeamFeatures::ways>;
  static constexpr int units_per_estimate = 4;

  template <class Table>
  static auto at(const Table& table, std::size_t row, int column) {
    return table[row][static_cast<std::size_t>(column)];
  }

  BeamFeatures features_;
  bool ordered_ = false;
  int h_units_ = 2 * units_per_estimate;
  std::array<std::array<std::int16_t, Size::max_cells>, Size::max_cells> spreads_{};  // by label
  std::array<Pairs, 4> pairs_{};  // by direction
};

}  // namespace tessera
