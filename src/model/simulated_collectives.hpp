// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "tessera/model/simulate.hpp"

namespace tessera {

/// When each rank has its first subtrees, so many by rank, and has passed on what is for the ranks
/// below it in their tree (protocol/rank_tree); rank 0 has them at `begin`, in seconds.
[[nodiscard]] std::vector<double> scatter_ends(const SimulationOptions& options,
                                               const std::vector<std::size_t>& subtrees,
                                               double begin);

/// What the collectives at the end take, once all ranks are there: the costs of so many subtrees
/// are summed, the results of ranks merged, both along a tree.
[[nodiscard]] double gather_seconds(const SimulationOptions& options, std::size_t subtrees);

/// Along the tree of ranks, messages one after another.
[[nodiscard]] double tree_stages(int ranks);

}  // namespace tessera
