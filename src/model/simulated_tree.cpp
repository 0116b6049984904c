// SPDX-License-Identifier: MIT
#include "model/simulated_tree.hpp"

#include <algorithm>
#include <cmath>
#include <queue>
#include <utility>

#include "tessera/base/random.hpp"

namespace tessera {
namespace {

// Nodes; a millisecond's work is tens of thousands.
constexpr std::uint64_t least_looked_into = 1000;

// Of the logarithm of a subtree's cost over the mean of its kind, slack and h: with it 4 % of the
// work is in subtrees that cost more than eight times what was expected, as was measured.
constexpr double kind_spread = 0.93;

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  return Random(a ^ (b * 0x9e3779b97f4a7c15)).next();
}

double unit(std::uint64_t key) {
  return (static_cast<double>(key >> 11) + 0.5) * 0x1p-53;
}

// A standard normal deviate (Box and Muller 1958).
double normal(std::uint64_t key) {
  constexpr double circle = 6.283185307179586;
  return std::sqrt(-2 * std::log(unit(key))) * std::cos(circle * unit(mixed(key, 1)));
}

}  // namespace

SimulatedTree::SimulatedTree(const WorkRecord& record, std::size_t iteration, double scale,
                             std::uint64_t seed)
    : nodes_(record.iterations[iteration].nodes), scale_(scale), growth_(Task::usual_growth) {
  const auto cost = static_cast<double>(nodes_[0].expanded);
  if (iteration > 0) {
    before_ = &record.iterations[iteration - 1].nodes;
    growth_ = std::max(1.5, cost / static_cast<double>((*before_)[0].expanded));
    root_.before = 0;
  }
  root_.cost = root_.expected = cost * scale;
  root_.key = mixed(seed, iteration);
  // The root's slack is unknown, but all that matters is who has the same.
  std::vector<int> fallen(nodes_.size());
  int most = 0;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    for (std::uint32_t c = 0; c < nodes_[i].children; ++c) {
      const std::size_t child = nodes_[i].first_child + c;
      most = std::max(most, fallen[child] = fallen[i] + nodes_[child].rise);
    }
  }
  root_.slack = static_cast<std::int16_t>(most);
  shapes_.resize(static_cast<std::size_t>(most) + 1);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].children > 1 && nodes_[i].expanded >= least_looked_into) {
      shapes_[static_cast<std::size_t>(most - fallen[i])].push_back(static_cast<std::uint32_t>(i));
    }
  }
  if (before_ != nullptr) measure_spread();
}

// From pairs of nodes recorded in both iterations that cost little enough to be dealt.
void SimulatedTree::measure_spread() {
  struct Pair {
    std::uint32_t now;
    std::uint32_t before;
  };
  std::vector<Pair> pairs{{0, 0}};
  double count = 0;
  double sum = 0;
  double square = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const WorkNode& now = nodes_[pairs[i].now];
    const WorkNode& before = (*before_)[pairs[i].before];
    if (before.children == 0 && now.expanded > 0 && before.expanded > 0) {
      const double ratio = std::log(static_cast<double>(now.expanded) /
                                    (growth_ * static_cast<double>(before.expanded)));
      ++count;
      sum += ratio;
      square += ratio * ratio;
    }
    for (std::uint32_t c = 0; c < now.children; ++c) {
      for (std::uint32_t b = 0; b < before.children; ++b) {
        const WorkNode& child = nodes_[now.first_child + c];
        const WorkNode& other = (*before_)[before.first_child + b];
        if (child.move == other.move && child.steps == other.steps) {
          pairs.push_back({now.first_child + c, before.first_child + b});
        }
      }
    }
  }
  if (count > 30)
    spread_ = std::sqrt(std::max(0.0, square / count - (sum / count) * (sum / count)));
}

std::uint32_t SimulatedTree::shape_for(const SimulatedNode& leaf) const {
  // Of the same slack, or the nearest that has any.
  const int most = static_cast<int>(shapes_.size()) - 1;
  for (int away = 0; away <= most; ++away) {
    for (const int slack : {leaf.slack - away, leaf.slack + away}) {
      if (slack < 0 || slack > most) continue;
      const auto& same = shapes_[static_cast<std::size_t>(slack)];
      if (!same.empty()) return same[mixed(leaf.key, 2) % same.size()];
    }
  }
  return leaf.shape;
}

void SimulatedTree::expand(const SimulatedNode& node, std::vector<SimulatedNode>& children) const {
  children.clear();
  if (node.cost < static_cast<double>(least_looked_into)) return;
  const bool recorded = nodes_[node.shape].children > 0;
  const std::uint32_t shape = recorded ? node.shape : shape_for(node);
  const WorkNode& like = nodes_[shape];
  if (like.children == 0 || like.expanded <= 1) return;
  // The node itself costs one node whatever the scale.
  const double scale = (node.cost - 1) / static_cast<double>(like.expanded - 1);
  for (std::uint32_t c = 0; c < like.children; ++c) {
    const WorkNode& recorded_child = nodes_[like.first_child + c];
    SimulatedNode child;
    child.cost = scale * static_cast<double>(recorded_child.expanded);
    child.key = mixed(node.key, c + 3);
    child.expected = child.cost * std::exp(kind_spread * normal(mixed(child.key, 5)));
    child.shape = like.first_child + c;
    child.slack = static_cast<std::int16_t>(node.slack - recorded_child.rise);
    if (recorded && node.before >= 0) {
      const WorkNode& before = (*before_)[static_cast<std::size_t>(node.before)];
      for (std::uint32_t b = 0; b < before.children; ++b) {
        const WorkNode& other = (*before_)[before.first_child + b];
        if (other.move == recorded_child.move && other.steps == recorded_child.steps) {
          child.before = static_cast<std::int32_t>(before.first_child + b);
        }
      }
    }
    children.push_back(child);
  }
}

double SimulatedTree::cost_before(const SimulatedNode& node) const {
  if (node.before >= 0) {
    return scale_ * static_cast<double>((*before_)[static_cast<std::size_t>(node.before)].expanded);
  }
  return node.cost / growth_ *
         std::exp(spread_ * normal(mixed(node.key, 4)) - spread_ * spread_ / 2);
}

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
