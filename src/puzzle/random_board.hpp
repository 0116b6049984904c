// SPDX-License-Identifier: MIT
#pragma once

#include "base/random.hpp"
#include "puzzle/board.hpp"

namespace tessera {

/// A board drawn uniformly from all boards from which `goal` can be reached.
[[nodiscard]] Board random_board(const Board& goal, Random& random);

/// `moves` random single-tile moves from `goal`, never straight back.
[[nodiscard]] Board scrambled(const Board& goal, int moves, Random& random);

}  // namespace tessera
