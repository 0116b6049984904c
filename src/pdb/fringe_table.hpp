// SPDX-License-Identifier: MIT
#pragma once

#include "pdb/placement_index.hpp"
#include "pdb/table_store.hpp"

namespace tessera {

/// The fringe (Culberson and Schaeffer 1996): the tiles whose homes are in the row and the column
/// farthest from the blank's home, the last ones if two are equally far. The pattern distinguishes
/// only these tiles and the blank; all other tiles look alike.
[[nodiscard]] CellSet fringe_homes(Size size, int goal_blank);

/// Numbers its states: the placements of the tiles, by home, and of the blank, which is last.
///
///     4x4, goal last: tiles at home in cells  0  1  2  3  4  8 12   blank
///                     digits less than       16 15 14 13 12 11 10       9
///
/// Tiles move to adjacent cells, so digits change little: a move of a late tile, or of the blank
/// past a tile outside the pattern, stays within a few hundred entries.
///
/// Throws Error(resource) for more than 600 million states; 4x4 has 518,918,400.
[[nodiscard]] PlacementIndex fringe_index(Size size);

/// The request for the fringe table: by index, the moves, of all tiles, that bring the pattern and
/// the blank home. Memory: a byte per entry, plus a quarter while it is built. Throws as
/// fringe_index does.
[[nodiscard]] TableRequest fringe_request(Size size, int goal_blank);

}  // namespace tessera
