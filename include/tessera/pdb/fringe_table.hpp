// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "tessera/pdb/placement_index.hpp"
#include "tessera/pdb/table_store.hpp"

namespace tessera {

/// The fringe (Culberson and Schaeffer 1996): the tiles at home in the row and in the column that
/// are farthest from the blank's home, the last ones where two are as far. A board as this pattern
/// sees it is the cells of these tiles and of the blank; the other tiles look alike.
[[nodiscard]] CellSet fringe_homes(Size size, int goal_blank);

/// Numbers these boards: the placements of the tiles, by home, and of the blank, which is the last.
///
///     4x4, goal last: tiles at home in cells  0  1  2  3  4  8 12   blank
///                     digits less than       16 15 14 13 12 11 10       9
///
/// Tiles slide to cells nearby, so digits change little: a move of a late tile, and each of the
/// blank past tiles of no pattern, stays within a few hundred entries.
///
/// Throws Error(resource) for more than 600 million; on 4x4 there are 518,918,400.
[[nodiscard]] PlacementIndex fringe_index(Size size);

/// The entry of an index that no moves lead to.
inline constexpr std::uint8_t fringe_unreached = 255;

/// The moves, of all tiles, that bring the pattern and the blank home, by index. Empty where
/// `progress` ended it.
///
/// Memory: a byte an entry, and while it is made a quarter more. Throws as fringe_index does.
[[nodiscard]] LargeBuffer build_fringe_table(Size size, int goal_blank, int threads,
                                             const TableProgress& progress = {});

/// The request for that table.
[[nodiscard]] TableRequest fringe_request(Size size, int goal_blank);

}  // namespace tessera
