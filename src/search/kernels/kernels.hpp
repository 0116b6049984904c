// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "heuristic/heuristic_spec.hpp"
#include "search/kernels/subtree_search.hpp"

namespace tessera {

/// The kernel for heuristics with table lookups: pattern databases, walking distance, the maximum
/// of several (see heuristic_spec.hpp for which).
///
/// Large tables exceed the cache, and a search that waits for each lookup does little else. So a
/// block of nodes is taken from the top of an explicit stack, and passes through one stage after
/// another:
///
///     children      the moves that the pruning rule allows; Manhattan distance prunes first
///     walking       if it is part of the heuristic: small tables
///     partition 1   prefetch the index of each child's changed pattern, then look all up
///     partition 2   the same for the remaining children, and so on
///     stack         push what is within the bound after the last stage
///
/// A child that one partition puts beyond the bound costs no lookup in the next. Indices are
/// updated incrementally: a step changes one pattern's index by a few additions.
///
/// `Kernel::plain` is the same with blocks of one node, whose children are pushed in reverse order:
/// exactly depth-first search. Mode::first always searches this way.
///
/// In Mode::any the path to the solution comes from the node's own last moves; if it is longer than
/// those, the subtree is searched again in order.
[[nodiscard]] std::unique_ptr<SubtreeSearch> make_block_search(const Problem& problem);

/// The block kernel for collections (heuristic/collection.hpp): many views, each looked up only
/// when it can prune.
///
/// A move changes a view's value by at most one, so it adds at most 2 to g + value. A view with
/// `bound - g - value` = s at a lookup cannot prune a node fewer than s/2 + 1 moves further on. A
/// node stores for each view how many such moves remain. Expanded nodes and next bounds are those
/// of a search that looks up every view at every node, as Kernel::plain does.
///
/// A node also stores each slot's last excess, and which slots have had a tile moved since. A
/// lookup computes these slots' indices from the cells of their tiles.
///
/// Views are tried in the order that would have pruned the most of a sample of the children pruned
/// in earlier bounds.
[[nodiscard]] std::unique_ptr<SubtreeSearch> make_collection_search(
    const Problem& problem, const TableHeuristic& heuristic);

/// The search for a problem of metric multi. Throws Error(internal) for what options exclude.
[[nodiscard]] std::unique_ptr<SubtreeSearch> make_multi_search(const Problem& problem);

}  // namespace tessera
