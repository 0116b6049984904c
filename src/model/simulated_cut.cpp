// SPDX-License-Identifier: MIT
#include "model/simulated_cut.hpp"

#include <algorithm>
#include <queue>
#include <utility>

namespace tessera {

std::vector<SimulatedNode> simulated_cut(const SimulatedTree& tree, const BalancePolicy& policy,
                                         double workers) {
  struct Leaf {
    double before;
    SimulatedNode node;
    bool operator<(const Leaf& other) const { return before < other.before; }
  };
  const double cost = tree.cost_before(tree.root());
  const double least =
      workers > 1 ? static_cast<double>(policy.subtrees(static_cast<std::size_t>(workers))) : 1;
  const double heaviest =
      std::max(std::clamp(cost / least, policy.heaviest_least, policy.heaviest_most),
               cost / policy.most_subtrees);
  std::vector<SimulatedNode> leaves;
  std::priority_queue<Leaf> splittable;
  splittable.push({cost, tree.root()});
  std::vector<SimulatedNode> children;
  while (!splittable.empty()) {
    const std::size_t count = leaves.size() + splittable.size();
    const bool enough = static_cast<double>(count) >= least && splittable.top().before <= heaviest;
    if (enough || count >= policy.most_leaves) break;
    const SimulatedNode node = splittable.top().node;
    tree.expand(node, children);
    if (children.empty()) {
      leaves.push_back(node);
      splittable.pop();
      continue;
    }
    splittable.pop();
    for (const SimulatedNode& child : children) splittable.push({tree.cost_before(child), child});
  }
  for (; !splittable.empty(); splittable.pop()) leaves.push_back(splittable.top().node);
  for (SimulatedNode& leaf : leaves) leaf.expected = tree.growth() * tree.cost_before(leaf);
  return leaves;
}

}  // namespace tessera
