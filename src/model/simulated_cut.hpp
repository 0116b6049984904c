// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "model/simulated_tree.hpp"
#include "tessera/model/simulate.hpp"

namespace tessera {

/// The cut of the tree before the iteration, as Frontier::grow and its caller have it: the subtrees
/// that were costliest in the iteration before are split.
[[nodiscard]] std::vector<SimulatedNode> simulated_cut(const SimulatedTree& tree,
                                                       const BalancePolicy& policy,
                                                       std::size_t workers, bool running_cut);

}  // namespace tessera
