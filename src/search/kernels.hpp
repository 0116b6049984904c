// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tessera/heuristic/heuristic_spec.hpp"
#include "tessera/search/subtree_search.hpp"

namespace tessera {

/// The kernel of heuristics that look tables up: pattern databases, walking distance, the maximum
/// of several (see heuristic_spec.hpp for which).
///
/// Large tables do not fit the cache, and a search that waits for each look-up does little else.
/// So a block of nodes is taken from the top of an explicit stack, and all of it goes through one
/// stage after the other:
///
///     children      the moves that the pruning rule leaves; Manhattan distance sorts out the first
///     walking       where it is part of the heuristic: small tables
///     partition 1   the index of each child's changed pattern, asked for; then all looked up
///     partition 2   the same for the children that are left, and so on
///     stack         what is within the bound after the last
///
/// A child that one partition puts beyond the bound never costs a look-up in the next. Indices are
/// carried along: a step changes one pattern's index by a few additions.
///
/// `Kernel::plain` is the same with blocks of one node, whose children go onto the stack in
/// reverse: depth-first search to the letter. Mode::first always searches so.
///
/// In Mode::any the way to the solution comes from the node's own last moves; where it is longer
/// than those, the subtree is searched again in order.
[[nodiscard]] std::unique_ptr<SubtreeSearch> make_block_search(const Problem& problem);

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

/// A board from a form of it that has the label of each cell.
template <class Tiles>
[[nodiscard]] Board board_of(const Tiles& tiles, Size size) {
  std::vector<std::int64_t> labels;
  for (int cell = 0; cell < size.cells(); ++cell) {
    labels.push_back(static_cast<std::int64_t>(tiles.tile(cell)));
  }
  return Board(size, labels);
}

/// The search of a problem of metric multi. Throws Error(input) for what it has not.
[[nodiscard]] std::unique_ptr<SubtreeSearch> make_multi_search(const Problem& problem);

/// Searches with another kernel and sleeps the rest of the time that a machine of
/// the problem's emulated speed would take. Many more ranks than there are cores then do the
/// same work, messages and waiting as on so many such machines, as long as all of them together
/// are slower than the kernel.
[[nodiscard]] std::unique_ptr<SubtreeSearch> make_emulated_search(
    const Problem& problem, std::unique_ptr<SubtreeSearch> search);

}  // namespace tessera
