// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "model/work_record.hpp"
#include "search/tree/balance_policy.hpp"

namespace tessera {

/// A node of a simulated search tree. Its subtree has the shape of a recorded node's, with
/// proportional costs.
struct SimulatedNode {
  double cost = 0;        ///< of its subtree, in nodes
  double expected = 0;    ///< what the search expects it to cost
  std::uint64_t key = 0;  ///< determines all random choices below it
  std::uint32_t shape = 0;
  std::optional<std::uint32_t> before;  ///< the same node in the previous iteration, if recorded
  std::int16_t slack = 0;               ///< bound - f
};

/// A recorded iteration with scaled costs and unlimited depth: below a recorded leaf the tree
/// continues with the shape of a recorded node of the same slack.
class SimulatedTree {
 public:
  SimulatedTree(const WorkRecord& record, std::size_t iteration, double scale, std::uint64_t seed)
      : nodes_(record.iterations[iteration].nodes), scale_(scale), growth_(Task::default_growth) {
    const auto cost = static_cast<double>(nodes_[0].expanded);
    if (iteration > 0) {
      before_ = &record.iterations[iteration - 1].nodes;
      growth_ = std::max(1.5, cost / static_cast<double>((*before_)[0].expanded));
      root_.before = 0;
    }
    root_.cost = root_.expected = cost * scale;
    root_.key = mixed(seed, iteration);
    // The root's slack is unknown, but only equality of slacks matters.
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
      if (nodes_[i].children > 1 && nodes_[i].expanded >= min_examined) {
        shapes_[static_cast<std::size_t>(most - fallen[i])].push_back(
            static_cast<std::uint32_t>(i));
      }
    }
    if (before_ != nullptr) measure_spread();
  }

  [[nodiscard]] SimulatedNode root() const { return root_; }
  /// Puts the children within the bound, in move order, into `children`; none for a node too cheap
  /// to examine. `expected` is the mean of their kind, as threads learn it.
  void expand(const SimulatedNode& node, std::vector<SimulatedNode>& children) const {
    children.clear();
    if (node.cost < static_cast<double>(min_examined)) return;
    const bool recorded = nodes_[node.shape].children > 0;
    const std::uint32_t shape = recorded ? node.shape : shape_for(node);
    const WorkNode& like = nodes_[shape];
    if (like.children == 0 || like.expanded <= 1) return;
    // The node itself costs one node at any scale.
    const double scale = (node.cost - 1) / static_cast<double>(like.expanded - 1);
    for (std::uint32_t c = 0; c < like.children; ++c) {
      const WorkNode& recorded_child = nodes_[like.first_child + c];
      SimulatedNode child;
      child.cost = scale * static_cast<double>(recorded_child.expanded);
      child.key = mixed(node.key, c + 3);
      child.expected = child.cost * std::exp(kind_spread * normal(mixed(child.key, 5)));
      child.shape = like.first_child + c;
      child.slack = static_cast<std::int16_t>(node.slack - recorded_child.rise);
      if (recorded && node.before) {
        child.before = matching_child(*before_, (*before_)[*node.before], recorded_child);
      }
      children.push_back(child);
    }
  }

  [[nodiscard]] double growth() const { return growth_; }
  /// A node's cost in the previous iteration: as recorded, or its cost divided by the growth, with
  /// the spread of recorded nodes.
  [[nodiscard]] double cost_before(const SimulatedNode& node) const {
    if (node.before) return scale_ * static_cast<double>((*before_)[*node.before].expanded);
    return node.cost / growth_ *
           std::exp(spread_ * normal(mixed(node.key, 4)) - spread_ * spread_ / 2);
  }

 private:
  // Nodes; a millisecond of work is tens of thousands.
  static constexpr std::uint64_t min_examined = 1000;

  // Standard deviation of ln(cost of a subtree / mean of its kind, slack and h): with it 4 % of the
  // work is in subtrees that cost more than eight times the expectation, as was measured.
  static constexpr double kind_spread = 0.93;

  static std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    return Random(a ^ (b * 0x9e3779b97f4a7c15)).next();
  }

  static double unit(std::uint64_t key) { return (static_cast<double>(key >> 11) + 0.5) * 0x1p-53; }

  // A standard normal deviate (Box and Muller 1958).
  static double normal(std::uint64_t key) {
    constexpr double circle = 2 * std::numbers::pi;
    return std::sqrt(-2 * std::log(unit(key))) * std::cos(circle * unit(mixed(key, 1)));
  }

  [[nodiscard]] std::uint32_t shape_for(const SimulatedNode& leaf) const {
    // Of the same slack, or the nearest one with shapes.
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

  // From pairs of nodes recorded in both iterations that are cheap enough to be dealt.
  void measure_spread() {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs{{0, 0}};  // now, before
    double count = 0;
    double sum = 0;
    double square = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const WorkNode& now = nodes_[pairs[i].first];
      const WorkNode& before = (*before_)[pairs[i].second];
      if (before.children == 0 && now.expanded > 0 && before.expanded > 0) {
        const double ratio = std::log(static_cast<double>(now.expanded) /
                                      (growth_ * static_cast<double>(before.expanded)));
        ++count;
        sum += ratio;
        square += ratio * ratio;
      }
      for (std::uint32_t c = 0; c < now.children; ++c) {
        const std::uint32_t child = now.first_child + c;
        const auto other = matching_child(*before_, before, nodes_[child]);
        if (other) pairs.emplace_back(child, *other);
      }
    }
    if (count > 30)
      spread_ = std::sqrt(std::max(0.0, square / count - (sum / count) * (sum / count)));
  }

  const std::vector<WorkNode>& nodes_;
  const std::vector<WorkNode>* before_ = nullptr;
  double scale_;
  double growth_;
  double spread_ = 0.5;  // standard deviation of ln(cost / expected cost)
  SimulatedNode root_;
  std::vector<std::vector<std::uint32_t>> shapes_;  // inner nodes by slack
};

/// The cut of the tree before the iteration, like Frontier::grow and its caller: splits the
/// subtrees that were costliest in the previous iteration.
inline std::vector<SimulatedNode> simulated_cut(const SimulatedTree& tree, std::size_t workers,
                                                bool running_cut) {
  struct Leaf {
    double before;
    SimulatedNode node;
    bool operator<(const Leaf& other) const { return before < other.before; }
  };
  const double cost = tree.cost_before(tree.root());
  const std::size_t least = workers > 1 ? balance.subtrees(workers, running_cut) : 1;
  const double heaviest = balance.heaviest(workers, running_cut, cost);
  std::vector<SimulatedNode> leaves;
  std::priority_queue<Leaf> splittable;
  splittable.push({cost, tree.root()});
  std::vector<SimulatedNode> children;
  while (!splittable.empty()) {
    const std::size_t count = leaves.size() + splittable.size();
    const bool enough = count >= least && splittable.top().before <= heaviest;
    if (enough || count >= balance.most_leaves) break;
    const SimulatedNode node = splittable.top().node;
    splittable.pop();
    tree.expand(node, children);
    if (children.empty()) leaves.push_back(node);
    for (const SimulatedNode& child : children) splittable.push({tree.cost_before(child), child});
  }
  for (; !splittable.empty(); splittable.pop()) leaves.push_back(splittable.top().node);
  for (SimulatedNode& leaf : leaves) leaf.expected = tree.growth() * tree.cost_before(leaf);
  return leaves;
}

/// A subtree's progress through a simulated thread, like SubtreeWalk: nodes that are expected to
/// cost more than a piece are expanded one by one, and what is below them is searched whole. It is
/// evaluated lazily, so a subtree of which no part is wanted takes no time to simulate.
class SimulatedWalk {
 public:
  SimulatedWalk() = default;
  SimulatedWalk(const SimulatedTree& tree, const SimulatedNode& root)
      : tree_(&tree), frames_{Frame{{root}, 0}}, left_(root.cost) {}

  /// Nodes to the end, from the last position.
  [[nodiscard]] double left() const { return left_; }

  /// Advances by at least `nodes`, to the end of the current piece; returns by how many. A piece is
  /// expected to take at most `quantum`; it is cut if it takes `most_pieces` times that.
  double advance(double nodes, double quantum, double most_pieces) {
    double done = 0;
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      if (frame.next == frame.branches.size()) {
        frames_.pop_back();
        continue;
      }
      if (done >= nodes && done > 0) break;
      const SimulatedNode branch = frame.branches[frame.next++];
      const bool whole_in_time = done + branch.cost <= nodes;
      const bool cut = branch.expected > quantum || branch.cost > most_pieces * quantum;
      Frame inner;
      if (!whole_in_time && cut) tree_->expand(branch, inner.branches);
      if (inner.branches.empty()) {
        done += branch.cost;
        continue;
      }
      double below = 0;
      for (const SimulatedNode& child : inner.branches) below += child.cost;
      done += std::max(0.0, branch.cost - below);
      frames_.push_back(std::move(inner));
    }
    left_ = frames_.empty() ? 0 : std::max(0.0, left_ - done);
    return done;
  }

  /// Removes up to `most` untried branches, nearest the root first, but none whose expected cost is
  /// below `least`.
  std::vector<SimulatedNode> give_away(std::size_t most, double least) {
    std::vector<SimulatedNode> given;
    for (std::size_t depth = 1; depth < frames_.size() && given.size() < most; ++depth) {
      Frame& frame = frames_[depth];
      while (frame.next < frame.branches.size() && given.size() < most) {
        if (frame.branches.back().expected < least) break;
        given.push_back(frame.branches.back());
        left_ -= given.back().cost;
        frame.branches.pop_back();
      }
    }
    left_ = std::max(0.0, left_);
    return given;
  }

 private:
  struct Frame {
    std::vector<SimulatedNode> branches;
    std::size_t next = 0;
  };
  const SimulatedTree* tree_ = nullptr;
  std::vector<Frame> frames_;
  double left_ = 0;
};

}  // namespace tessera
