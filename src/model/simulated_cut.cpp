// SPDX-License-Identifier: MIT
#include "model/simulated_cut.hpp"

#include <algorithm>
#include <queue>
#include <utility>

namespace tessera {

std::vector<SimulatedNode> simulated_cut(const SimulatedTree& tree, const BalancePolicy& policy,
                                         std::size_t workers, bool running_cut) {
  struct Leaf {
    double before;
    SimulatedNode node;
    bool operator<(const Leaf& other) const { return before < other.before; }
  };
  const double cost = tree.cost_before(tree.root());
  const std::size_t least = workers > 1 ? policy.subtrees(workers, running_cut) : 1;
  const double heaviest = policy.heaviest(workers, running_cut, cost);
  std::vector<SimulatedNode> leaves;
  std::priority_queue<Leaf> splittable;
  splittable.push({cost, tree.root()});
  std::vector<SimulatedNode> children;
  while (!splittable.empty()) {
    const std::size_t count = leaves.size() + splittable.size();
    const bool enough = count >= least && splittable.top().before <= heaviest;
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
