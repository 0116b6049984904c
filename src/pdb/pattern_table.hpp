// SPDX-License-Identifier: MIT
#pragma once

#include "pdb/pattern.hpp"
#include "pdb/table_store.hpp"

namespace tessera {

/// The request for the table of a canonical pattern (Korf and Felner 2002): for each placement of
/// its tiles (PlacementIndex, tiles in order of their home cells) half of the excess of their least
/// number of moves over their Manhattan distance, at most 15. One nibble per entry; even entries
/// are the low nibbles.
///
/// Breadth-first from the goal. Moves of other tiles are free, so only the region that contains the
/// blank matters; the entry is the minimum over the regions.
///
/// Throws Error(resource) for a table of 2^32 entries or more.
[[nodiscard]] TableRequest additive_request(const Pattern& pattern);

/// The zero-aware table of a pattern (Döbbelin, Schütt and Reinefeld 2013): the excess for each
/// placement and region of the blank; the plain table has only the minimum over the regions. With
/// these entries each move changes a pattern's cost by one.
///
///     bytes 0 .. 1023    256 tuples (u32, little-endian): nibble r is the excess in region r,
///                        regions numbered as in Regions
///          4096 ..       one code per placement
///
///     code 0 .. 15       the excess of every region
///          16 .. 239     the number of the tuple of excesses
///          240 .. 255    no tuple was left for it; code - 240 is its least excess
///
/// Few distinct tuples occur, so one byte replaces up to eight nibbles. If the regions do not
/// differ, as for most placements, the blank's region need not be computed.
struct AwareTable {
  static constexpr unsigned first_tuple = 16;
  static constexpr unsigned first_inexact = 240;
  static constexpr std::size_t codes_offset = 4096;
  static constexpr int most_tiles = 8;
};

/// For a pattern that aware_request accepts. At most `most_tuples` distinct tuples are stored
/// exactly. Empty if `progress` stopped it.
[[nodiscard]] LargeBuffer build_aware_table(const Pattern& pattern, int threads,
                                            const TableProgress& progress,
                                            std::size_t most_tuples = AwareTable::first_inexact -
                                                                      AwareTable::first_tuple);

/// The request for the zero-aware table of a canonical pattern. Throws as additive_request does,
/// and Error(input) for more than AwareTable::most_tiles.
[[nodiscard]] TableRequest aware_request(const Pattern& pattern);

}  // namespace tessera
