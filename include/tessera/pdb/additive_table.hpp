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

}  // namespace tessera
