// SPDX-License-Identifier: MIT
#pragma once

#include "tessera/pdb/pattern.hpp"
#include "tessera/pdb/table_store.hpp"

namespace tessera {

/// The table of a pattern (Korf and Felner 2002): for each placement of its tiles (PlacementIndex,
/// tiles in the order of their home cells) half of what the least number of their moves exceeds
/// their Manhattan distance by, a nibble an entry, the even entry in the low one, at most 15.
///
/// Breadth-first from the goal. Moves of other tiles are free, so of the blank only the region in
/// which it is counts; the entry is the least over the regions.
///
/// Made by `threads` threads. Throws Error(resource) for want of memory, and for a table of 2^32
/// entries or more. Empty where `progress` ended it.
[[nodiscard]] LargeBuffer build_additive_table(const Pattern& pattern, int threads,
                                               const TableProgress& progress);

/// The number of placements of a pattern's tiles. Throws Error(resource) for 2^32 or more.
std::uint64_t placements_of(const Pattern& pattern);

/// The request for the table of a canonical pattern.
[[nodiscard]] TableRequest additive_request(const Pattern& pattern);

/// The zero-aware table of a pattern (Döbbelin, Schütt and Reinefeld 2013): the excess of each
/// placement and region of the blank, where the plain table has only the least over the regions.
/// With these entries a move changes a pattern's cost by one.
///
///     bytes 0 .. 1023    256 tuples (u32, little-endian): nibble r is the excess in region r,
///                        regions numbered as in Regions
///          4096 ..       a code for each placement
///
///     code 0 .. 15       every region has this excess
///          16 .. 239     the tuple of that number
///          240 .. 255    there was no tuple left for it; code - 240 is its least excess
///
/// Few different tuples occur, so a byte holds what would take up to eight nibbles; where the
/// regions do not differ, which is most placements, nobody asks where the blank is.
struct AwareTable {
  static constexpr unsigned first_tuple = 16;
  static constexpr unsigned first_inexact = 240;
  static constexpr std::size_t codes_offset = 4096;
  static constexpr int most_tiles = 8;
};

/// At most `most_tuples` kinds of placement that differ by region are exact. Otherwise as
/// build_additive_table; throws Error(input) for a pattern of more than AwareTable::most_tiles.
[[nodiscard]] LargeBuffer build_aware_table(const Pattern& pattern, int threads,
                                            const TableProgress& progress,
                                            std::size_t most_tuples = AwareTable::first_inexact -
                                                                      AwareTable::first_tuple);

/// The request for the zero-aware table of a canonical pattern.
[[nodiscard]] TableRequest aware_request(const Pattern& pattern);

}  // namespace tessera
