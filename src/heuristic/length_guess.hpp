// SPDX-License-Identifier: MIT
#pragma once

#include "puzzle/instance.hpp"
#include "puzzle/metric.hpp"

namespace tessera {

/// Where a board's search will probably end, which is unknown before it does.
struct LengthGuess {
  int likely = 0;  ///< about half of such boards need no more moves
  int high = 0;    ///< some 97 of 100 need no more
};

/// The expected optimal length of a random board with this board's Manhattan distance. Random
/// boards need 1 + 1.6 / sqrt(cells) times the mean Manhattan distance of their size (3x3 21.97,
/// 4x4 52.6, 5x5 about 100.8), and 0.84 of a board's deviation from the mean distance appears in
/// its length (for Korf's 100, with a standard deviation of 3.5 moves). Boards scrambled by few
/// moves end earlier.
[[nodiscard]] LengthGuess guess_length(const Instance& instance, Metric metric, int least);

}  // namespace tessera
