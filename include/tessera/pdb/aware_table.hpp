// SPDX-License-Identifier: MIT
#pragma once

#include "tessera/pdb/pattern.hpp"
#include "tessera/pdb/table_store.hpp"

namespace tessera {

/// The zero-aware table of a pattern (Döbbelin, Schütt and Reinefeld 2013): the excess of each
/// placement (PlacementIndex) and region of the blank, where the plain table (additive_table.hpp)
/// has only the least over the regions. With these entries a move changes a pattern's cost by one.
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
};

/// Made by one thread, in a few seconds for six tiles of 24. At most `most_tuples` kinds of
/// placement that differ by region are exact. Throws as build_additive_table does, and Error(input)
/// for a pattern of more than eight tiles. Empty where `progress` ended it.
[[nodiscard]] LargeBuffer build_aware_table(const Pattern& pattern, const TableProgress& progress,
                                            std::size_t most_tuples = AwareTable::first_inexact -
                                                                      AwareTable::first_tuple);

/// The request for the zero-aware table of a canonical pattern.
[[nodiscard]] TableRequest aware_request(const Pattern& pattern);

}  // namespace tessera
