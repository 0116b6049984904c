// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "tessera/puzzle/board.hpp"

namespace tessera {

/// Boards that a rank fits in 64 bits for.
inline constexpr int max_ranked_cells = 20;

/// The lexicographic place of the board among all arrangements of its cells, solvable or not:
/// a perfect hash onto 0 .. cells!-1. At most max_ranked_cells cells.
[[nodiscard]] std::uint64_t rank(const Board& board);

/// The board of that rank.
[[nodiscard]] Board unrank(Size size, std::uint64_t rank);

/// cells!, the number of ranks.
[[nodiscard]] std::uint64_t arrangements(Size size);

}  // namespace tessera
