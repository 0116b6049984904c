// SPDX-License-Identifier: MIT
#include "model/simulated_cut.hpp"

#include <algorithm>
#include <functional>
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

std::vector<std::vector<SimulatedNode>> simulated_deal(std::vector<SimulatedNode> leaves,
                                                       const SimulationOptions& options) {
  const Machine& machine = options.machine;
  std::stable_sort(leaves.begin(), leaves.end(),
                   [](const auto& a, const auto& b) { return a.expected > b.expected; });
  std::vector<std::vector<SimulatedNode>> by_rank(static_cast<std::size_t>(machine.ranks));
  using Load = std::pair<double, std::size_t>;
  std::priority_queue<Load, std::vector<Load>, std::greater<>> least_loaded;
  for (std::size_t rank = 0; rank < by_rank.size(); ++rank) least_loaded.emplace(0, rank);
  for (const SimulatedNode& leaf : leaves) {
    auto [load, rank] = least_loaded.top();
    least_loaded.pop();
    least_loaded.emplace(load + (1 + leaf.expected) / machine.threads, rank);
    if (options.schedule == Schedule::dynamic &&
        by_rank[rank].size() >= 2 * static_cast<std::size_t>(machine.threads)) {
      rank = 0;
    }
    by_rank[rank].push_back(leaf);
  }
  return by_rank;
}

}  // namespace tessera
