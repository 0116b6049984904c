// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "tessera/heuristic/heuristic_spec.hpp"
#include "tessera/search/subtree_search.hpp"

namespace tessera {

/// The block kernel of collections (heuristic/collection.hpp): many views, each looked up only
/// where it can prune.
///
/// A move changes a view's value by at most one, so it adds at most 2 to g + value. A view that
/// leaves `bound - g - value` = s at a look-up cannot prune a node that fewer than s/2 + 1 moves
/// lead to from there. A node carries for each view how many moves that still are. Nodes expanded
/// and next bounds are those of a search that looks up every view everywhere, which is what
/// Kernel::plain does.
///
/// A node also carries each slot's last excess, and which slots have had a tile moved since. A
/// look-up computes these slots' indices from the cells of their tiles.
///
/// Views are tried in the order that would have pruned the most of a sample of the children pruned
/// in earlier bounds.
[[nodiscard]] std::unique_ptr<SubtreeSearch> make_collection_search(
    const Problem& problem, const TableHeuristic& heuristic);

}  // namespace tessera
