// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tessera/base/random.hpp"
#include "tessera/search/subtree_search.hpp"

namespace tessera {

/// The size of a board's search tree within a bound, from a sample of its nodes.
///
/// P. Chen, *Heuristic sampling: a method for predicting the performance of tree searching
/// programs* (SIAM J. Computing 21, 1992), which Lelis, Zilles and Holte (Artificial Intelligence
/// 196, 2013) applied to IDA*: the tree is gone through level by level, and of the nodes of one
/// type, whose subtrees should be of about the same size, a few stand for all, with a weight. Here
///
///     type = (level, largest f on the path, ways open to the blank, its cell, its last move)
///
/// and a level keeps at most `population` nodes. Which ones is drawn systematically, one random
/// offset for the nodes of a level sorted by type, with chances in proportion to
///
///     weight * growth ^ (-f / 2)
///
/// since subtrees grow with the slack, bound - f, and the spread of their sizes with its root.
/// The estimate has no bias, whatever types and chances are; good ones make its spread small. It
/// needs of a heuristic and a pruning rule nothing but SubtreeSearch::successors.
struct TreePass {
  std::uint64_t cost = 0;  ///< nodes whose successors were produced
  int least_f = 0;         ///< the root's
  // By f - least_f: nodes of the tree where that is the largest f on their path.
  std::vector<double> expanded;
  std::vector<double> generated;  ///< by them

  /// `expanded` or `generated` of the tree of a bound not beyond the pass's: the sum up to it.
  [[nodiscard]] double within(int bound, const std::vector<double>& nodes) const;
};

struct TreePassOptions {
  int bound = 0;
  std::size_t population = 100;
  double growth = 2.6;  ///< by how much the tree grows where the bound does by 1
  /// Nodes to sample: populations shrink where they would come to more. At least one a level.
  std::uint64_t nodes = ~std::uint64_t{0};
};

/// One pass. Equal states of `random` give equal passes.
[[nodiscard]] TreePass sample_tree(const SubtreeSearch& search, const TreePassOptions& options,
                                   Random& random);

/// A node of the tree that stands for `weight` nodes like it.
struct SampledSubtree {
  std::string path;  ///< tile letters from the start
  double weight = 1;
};

/// Some `count` nodes of level `depth` (all, where there are no more), with which the level's
/// subtrees can be costed without searching all of them.
[[nodiscard]] std::vector<SampledSubtree> sample_subtrees(const SubtreeSearch& search,
                                                          const TreePassOptions& options, int depth,
                                                          Random& random);

}  // namespace tessera
