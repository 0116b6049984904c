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
/// sum of distance * sqrt(distance) over all tiles, the weights of the board's features, and a
/// weight times what h adds to the sum of distances. Another exponent than 1.5 leads to other
/// solutions that are about as long.
///
/// Ordered by h alone, a beam keeps boards whose last few tiles are far from home. Boards with as
/// many moves left that are spread over many tiles are easier: the blank moves several on its way.
/// Neighbors with the same displacement can follow one another; those with opposite ones are in
/// each other's way. The weights were learned from beam searches
/// (docs/decisions/0034-learned-order.md).
class BeamOrder {
 public:
  static constexpr int units_per_move = 16;
  /// The weight of what h adds, then those of BeamFeatures, in units.
  using Weights = std::span<const std::int16_t>;
  [[nodiscard]] static Weights learned(Metric metric);

  /// By h alone if the heuristic does not see how tiles block one another. In metric multi h is
  /// that of linear conflict, whatever the heuristic.
  explicit BeamOrder(const Problem& problem, double exponent = 1.5);
  BeamOrder(const Problem& problem, double exponent, Weights weights);

  /// A board's estimate without the share of h, in units.
  [[nodiscard]] int spread(const Board& board) const;
  /// How that changes when the tile in cell `from` slides into the blank in `to`.
  /// `tiles.tile(cell)` is the label in a cell.
  template <class Tiles>
  [[nodiscard]] int change(const Tiles& tiles, int from, int to) const {
    if (!ordered_) return 0;
    const unsigned label = tiles.tile(from);
    constexpr auto blank = BeamFeatures::blank;
    const Displacement before = features_.displacement(label, from);
    const Displacement after = features_.displacement(label, to);
    int change = at(spreads_, label, to) - at(spreads_, label, from);
    for (int d = 0; d < 4; ++d) {
      const Pairs& pairs = pairs_[static_cast<std::size_t>(d)];
      if (const int cell = features_.neighbor(from, d); cell != to) {
        const Displacement other = features_.displacement_in(tiles, cell);
        change += at(pairs, blank, other) - at(pairs, before, other);
      } else {
        change += at(pairs, blank, after) - at(pairs, before, blank);
      }
      if (const int cell = features_.neighbor(to, d); cell != from) {
        const Displacement other = features_.displacement_in(tiles, cell);
        change += at(pairs, after, other) - at(pairs, blank, other);
      }
    }
    return change;
  }
  /// In quarters of a move, on boards with long sides in halves or more: BeamHistogram has a bin
  /// for each. If boards are not ordered by features, it orders as h does.
  [[nodiscard]] int estimate(int h, int spread) const {
    return std::max(0, (h_units_ * h + spread) / units_per_bin_);
  }

 private:
  using Displacement = BeamFeatures::Displacement;
  // The weights by the displacements in a cell and in its neighbor in a direction.
  using Pairs = std::array<std::array<std::int16_t, BeamFeatures::displacements>,
                           BeamFeatures::displacements>;

  template <class Table>
  static int at(const Table& table, std::size_t row, int column) {
    return table[row][static_cast<std::size_t>(column)];
  }

  BeamFeatures features_;
  bool ordered_ = false;
  int h_units_ = 2 * units_per_move;
  int units_per_bin_;
  std::array<std::array<std::int16_t, Size::max_cells>, Size::max_cells> spreads_{};  // by label
  std::array<Pairs, 4> pairs_{};  // by direction
};

}  // namespace tessera
