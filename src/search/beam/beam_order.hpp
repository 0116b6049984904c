// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "puzzle/geometry.hpp"
#include "search/beam/beam_features.hpp"
#include "search/problem.hpp"

namespace tessera {

/// Which boards of a layer a beam keeps: those with the least estimate of the moves left. It is the
/// sum of distance * sqrt(distance) over all tiles, the weights of the board's features, and a
/// weight times what linear conflict adds to the sum of distances. Another exponent than 1.5 leads
/// to other solutions that are about as long.
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

  explicit BeamOrder(const Problem& problem, double exponent = 1.5);
  BeamOrder(const Problem& problem, double exponent, Weights weights);

  /// A board's estimate without the share of h, in units.
  [[nodiscard]] int spread(const Board& board) const;
  using Around = BeamFeatures::Around;
  template <class Tiles>
  [[nodiscard]] Around around(const Tiles& tiles, int cell) const {
    return features_.around(tiles, cell);
  }
  /// How the spread changes when the blank takes that step. `tiles.tile(cell)` is the label in a
  /// cell, and `around_blank` what is around the blank before.
  template <class Tiles>
  [[nodiscard]] int change(const Tiles& tiles, const Step<int, int, int>& step,
                           Around around_blank) const {
    const auto label = static_cast<unsigned>(tiles.tile(step.next));
    const Displacement before = features_.displacement(label, step.next);
    const Displacement after = features_.displacement(label, step.blank);
    const Around old = around(tiles, step.next);
    around_blank[static_cast<std::size_t>(step.direction)] = BeamFeatures::blank;
    int change = at(spreads_, label, step.blank) - at(spreads_, label, step.next);
    for (std::size_t d = 0; d < 4; ++d)
      change += pairs_[d][after][around_blank[d]] - pairs_[d][before][old[d]];
    return change;
  }
  /// In quarters of a move, on boards with long sides in halves or more: BeamHistogram has a bin
  /// for each.
  [[nodiscard]] int estimate(int h, int spread) const {
    return std::max(0, (h_units_ * h + spread) >> bin_bits_);
  }

 private:
  using Displacement = BeamFeatures::Displacement;
  // By a tile's displacement and that of its neighbor in a direction: the pair's weight, less that
  // of the blank in the tile's place.
  using Pairs = std::array<std::array<std::int16_t, BeamFeatures::displacements>,
                           BeamFeatures::displacements>;

  template <class Table>
  static int at(const Table& table, std::size_t row, int column) {
    return table[row][static_cast<std::size_t>(column)];
  }

  [[nodiscard]] std::int16_t weight(int feature) const {
    return weights_[static_cast<std::size_t>(1 + feature)];
  }
  [[nodiscard]] std::int16_t pair(Displacement cell, Displacement neighbor, int direction) const {
    return weight(BeamFeatures::of_pair(cell, neighbor, direction));
  }

  Weights weights_;
  BeamFeatures features_;
  int h_units_;
  int bin_bits_;
  std::array<std::array<std::int16_t, Size::max_cells>, Size::max_cells> spreads_{};  // by label
  std::array<Pairs, 4> pairs_{};  // by direction
};

}  // namespace tessera
