// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tessera/puzzle/instance.hpp"

namespace tessera {

/// For each two tiles the moves that they need to come home together, beyond their distances
/// (their excess): two more where one must make way for the other, or let the blank out of a
/// corner.
///
/// Exact for the puzzle in which only these two and the blank are distinguished and only their
/// moves count. The blank walks about freely there, so that a state is the two cells and the region
/// of the other cells that holds the blank: two tiles can cut off a corner, or all of a narrow
/// board. Solved is: both at home and the blank in the region of its own home.
///
/// A move of a third tile leaves the blank within its region, one of the two takes one step of this
/// puzzle. So a pair's cost changes by at most one, and only where one of the two moves; it changes
/// as its distance does, by an odd number.
class PairCosts {
 public:
  /// The costs of a size and home of the blank, shared by all who ask.
  static std::shared_ptr<const PairCosts> of(Size size, int goal_blank);

  PairCosts(Size size, int goal_blank);

  /// The excess of labels a and b where they and the blank stand in these cells.
  [[nodiscard]] std::uint8_t excess(unsigned a, unsigned b, int cell_a, int cell_b,
                                    int blank) const {
    const auto cells = static_cast<std::size_t>(size_.cells());
    return excess_[(a * cells + b) * places_ +
                   place_[(index(cell_a) * cells + index(cell_b)) * cells + index(blank)]];
  }
  /// The cells in which some tile has an excess with label a in that cell, wherever the blank is.
  [[nodiscard]] std::uint64_t rivals(unsigned a, int cell) const {
    return rivals_[a * static_cast<std::size_t>(size_.cells()) + index(cell)];
  }

 private:
  static std::size_t index(int cell) { return static_cast<std::size_t>(cell); }

  Size size_;
  std::size_t places_ = 0;            // two cells and a region of the blank
  std::vector<std::uint16_t> place_;  // by cell, cell, blank
  std::vector<std::uint8_t> excess_;  // by label, label, place
  std::vector<std::uint64_t> rivals_;
};

}  // namespace tessera
