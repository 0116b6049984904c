// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "tessera/model/simulate.hpp"
#include "tessera/model/work_record.hpp"

namespace tessera {

/// A node of a simulated search tree. Its subtree looks like that of a recorded node, its shape,
/// with costs in proportion.
struct SimulatedNode {
  double cost = 0;        ///< what its subtree takes, in nodes
  double expected = 0;    ///< what the search takes it for
  std::uint64_t key = 0;  ///< of all random choices below it
  std::uint32_t shape = 0;
  std::int32_t before = -1;  ///< the same node in the iteration before, where that was recorded
  std::int16_t slack = 0;    ///< bound - f
};

/// A recorded iteration, its costs scaled, and without an end: below a recorded leaf the tree goes
/// on with the shape of a recorded node of the same slack.
class SimulatedTree {
 public:
  SimulatedTree(const WorkRecord& record, std::size_t iteration, double scale, std::uint64_t seed);

  [[nodiscard]] SimulatedNode root() const { return root_; }
  /// The children within the bound, in move order, into `children`; none of a node that costs too
  /// little to be looked into. `expected` is the mean of their kind, as threads learn it.
  void expand(const SimulatedNode& node, std::vector<SimulatedNode>& children) const;

  [[nodiscard]] double growth() const { return growth_; }
  /// What a node cost in the iteration before: as recorded, or its cost over the growth with a
  /// spread like that of recorded nodes.
  [[nodiscard]] double cost_before(const SimulatedNode& node) const;

 private:
  [[nodiscard]] std::uint32_t shape_for(const SimulatedNode& leaf) const;
  void measure_spread();

  const std::vector<WorkNode>& nodes_;
  const std::vector<WorkNode>* before_ = nullptr;
  double scale_;
  double growth_;
  double spread_ = 0.5;  // of the logarithm of cost over expected cost
  SimulatedNode root_;
  std::vector<std::vector<std::uint32_t>> shapes_;  // inner nodes by slack
};

/// The cut of the tree before the iteration, as Frontier::grow and its caller have it: the subtrees
/// that were costliest in the iteration before are split.
[[nodiscard]] std::vector<SimulatedNode> simulated_cut(const SimulatedTree& tree,
                                                       const BalancePolicy& policy,
                                                       std::size_t workers, bool running_cut);

}  // namespace tessera
