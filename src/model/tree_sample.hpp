// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "search/kernels/subtree_search.hpp"

namespace tessera {

/// Estimates the size of a board's search tree within a bound from a sample of its nodes.
///
/// P. Chen, *Heuristic sampling: a method for predicting the performance of tree searching
/// programs* (SIAM J. Computing 21, 1992), which Lelis, Zilles and Holte (Artificial Intelligence
/// 196, 2013) applied to IDA*: the tree is traversed level by level, and a few weighted nodes
/// represent all nodes of a type, whose subtrees should be of similar size. Here
///
///     type = (level, largest f on the path, blank's number of moves, its cell, its last move)
///
/// and a level keeps at most `population` nodes. They are chosen by systematic sampling, with one
/// random offset for the nodes of a level sorted by type and probabilities proportional to
///
///     weight * growth ^ (-f / 2)
///
/// since subtrees grow with the slack, bound - f, and the spread of their sizes with its root. The
/// estimate is unbiased for any types and probabilities; good ones make its variance small. Of a
/// heuristic and a pruning rule it needs only SubtreeSearch::successors.
struct TreePass {
  static constexpr std::size_t kept_if_stopped = 64;  ///< nodes of a level

  std::uint64_t cost = 0;  ///< nodes whose successors were produced
  int least_f = 0;         ///< the root's
  bool stopped = false;    ///< levels have at most `kept_if_stopped` nodes from some one on
  /// Of the trees for smaller bounds, all nodes were visited: their counts are exact.
  int exact_below = std::numeric_limits<int>::max();
  // By f - least_f: nodes of the tree for which that is the largest f on their path.
  std::vector<double> expanded;
  std::vector<double> generated;  ///< by them

  /// `expanded` or `generated` of the tree for a bound up to the pass's: the partial sum.
  [[nodiscard]] double within(int bound, const std::vector<double>& nodes) const;
};

struct TreePassOptions {
  int bound = 0;
  std::size_t population = 100;
  double growth = 2.6;  ///< ratio of the tree's sizes for bounds that differ by 1
  /// Nodes to sample: populations are reduced to stay within it. At least one node per level.
  std::uint64_t nodes = ~std::uint64_t{0};
  std::function<bool()> stopped = {};  ///< once it is true, levels keep a few nodes
};

/// One pass. Equal states of `random` give equal passes.
[[nodiscard]] TreePass sample_tree(const SubtreeSearch& search, const TreePassOptions& options,
                                   Random& random);

/// The paths (tile letters from the start) of about `options.population` nodes of level `depth`
/// (of all, if there are fewer).
[[nodiscard]] std::vector<std::string> sample_subtrees(const SubtreeSearch& search,
                                                       const TreePassOptions& options, int depth,
                                                       Random& random);

}  // namespace tessera
