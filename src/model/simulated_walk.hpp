// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "model/simulated_tree.hpp"

namespace tessera {

/// A subtree on its way through a simulated thread, as SubtreeWalk has it: nodes that are expected
/// to cost more than a piece are expanded one by one, what hangs below them is searched whole. It
/// is looked into only when somebody wants to know how far it is, so that one that nobody wants a
/// part of takes no time to simulate.
class SimulatedWalk {
 public:
  SimulatedWalk() = default;
  SimulatedWalk(const SimulatedTree& tree, const SimulatedNode& root) : tree_(&tree) {
    frames_.push_back({{root}, 0});
    left_ = root.cost;
  }

  /// Nodes to the end, from the last place looked at.
  [[nodiscard]] double left() const { return left_; }

  /// Goes on by at least `nodes`, to the end of the piece that is searched then; returns by how
  /// many. A piece is expected to take at most `quantum`; it is cut if it takes `most_pieces` times
  /// that.
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

  /// Untried branches, those nearest the root first, at most `most`, none that is expected to cost
  /// less than `least`.
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
