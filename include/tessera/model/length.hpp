// SPDX-License-Identifier: MIT
#pragma once

#include "tessera/search/subtree_search.hpp"

namespace tessera {

/// Where a board's search will probably end, which nobody knows before it does.
struct LengthGuess {
  int likely = 0;  ///< about half of such boards need no more moves
  int high = 0;    ///< some 97 of 100 need no more
};

/// The optimal length of a board as of a random one with its Manhattan distance. Random boards need
/// 1 + 1.6 / sqrt(cells) times the mean Manhattan distance of their size (3x3 21.97, 4x4 52.6, 5x5
/// about 100.8), and of what a board's distance differs from the mean 0.84 is seen again in its
/// length (Korf's 100, with a spread of 3.5 moves about that). Boards that were scrambled by a few
/// moves end earlier.
[[nodiscard]] LengthGuess guess_length(const Instance& instance, Metric metric, int least);

}  // namespace tessera
