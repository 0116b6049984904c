// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "search/problem.hpp"

namespace tessera {

/// Which boards of a layer a beam keeps: those with the least estimate of the moves left,
///
///     2 (h - sum of distances) + sum of distance * sqrt(distance),
///
/// or with another exponent than 1.5, which leads to other solutions that are about as long.
/// Ordered by h alone, a beam keeps boards whose last few tiles are far from home. Boards with as
/// many moves left that are spread over many tiles are easier: the blank moves several on its way.
/// And a conflict that costs two moves usually costs more (docs/decisions/0031-beam-order.md).
class BeamOrder {
 public:
  /// By h alone if the heuristic does not see how tiles block one another, or h is no bound.
  explicit BeamOrder(const Problem& problem, double exponent = 1.5);

  /// What the tiles of a board add to 2 h, in units.
  [[nodiscard]] int spread(const Board& board) const;
  /// How that changes when tile `label` moves.
  [[nodiscard]] int change(unsigned label, int from, int to) const {
    const auto& spreads = spreads_[label];
    return spreads[static_cast<std::size_t>(to)] - spreads[static_cast<std::size_t>(from)];
  }
  /// In quarters of a move, or on wide boards in moves; without spreads it orders as h does.
  [[nodiscard]] int estimate(int h, int spread) const {
    return (2 * units_ * h + spread) / units_per_estimate;
  }

 private:
  static constexpr int units_per_estimate = 4;

  // Per move: fewer on wide boards, so that 16 bits hold a board's spread, and BeamHistogram has a
  // bin for its estimate.
  int units_;
  std::array<std::array<std::int16_t, Size::max_cells>, Size::max_cells> spreads_{};
};

}  // namespace tessera
