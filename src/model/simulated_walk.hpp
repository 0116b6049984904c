// SPDX-License-Identifier: MIT
#pragma once

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
  double advance(double nodes, double quantum, double most_pieces);

  /// Untried branches, those nearest the root first, at most `most`, none that is expected to cost
  /// less than `least`.
  std::vector<SimulatedNode> give_away(std::size_t most, double least);

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
