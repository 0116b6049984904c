// SPDX-License-Identifier: MIT
#pragma once

#include "puzzle/board.hpp"

namespace tessera {

/// A board to solve, with tiles renumbered by goal position, so that search and heuristics need not
/// know the goal's tiles: all instances of one size and blank home have the same goal.
///
/// A tile's label is its home cell. The blank is always 0; if its home K is another cell, the tile
/// at home in cell 0 takes the unused label K instead:
///     home(0) = K,  home(K) = 0,  home(l) = l otherwise.
struct Instance {
  Board start;         ///< tiles are labels
  int goal_blank = 0;  ///< K: the cell in which the blank ends

  [[nodiscard]] Size size() const { return start.size(); }
  [[nodiscard]] int home(int label) const {
    return label == 0 ? goal_blank : label == goal_blank ? 0 : label;
  }
  /// The goal in labels.
  [[nodiscard]] Board goal() const;
};

/// The instance for a solvable pair of boards of one size.
[[nodiscard]] Instance make_instance(const Board& start, const Board& goal);

}  // namespace tessera
