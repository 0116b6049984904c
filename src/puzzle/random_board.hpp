// SPDX-License-Identifier: MIT
#pragma once

#include "base/random.hpp"
#include "puzzle/board.hpp"
#include "puzzle/metric.hpp"

namespace tessera {

/// A board drawn uniformly from all boards from which `goal` can be reached.
[[nodiscard]] Board random_board(const Board& goal, Random& random);

/// `moves` random moves from `goal`, never straight back; in metric multi of a random run of tiles,
/// never along the same line again.
[[nodiscard]] Board scrambled(const Board& goal, int moves, Random& random,
                              Metric metric = Metric::single);

}  // namespace tessera
