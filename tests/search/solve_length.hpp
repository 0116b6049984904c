// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "plain_oracle.hpp"
#include "search/kernels/subtree_search.hpp"

namespace tessera {

/// The length that iterative deepening from a bound of at least `least` finds, -1 where there is no
/// solution. The solution must lead to the goal.
inline int solve_length(SubtreeSearch& search, Metric metric = Metric::single, int least = 0) {
  Unlimited control;
  const Node root = search.node_at("");
  for (int bound = std::max(root.f(), least);;) {
    const SubtreeResult result = search.search(root, bound, Mode::first, control);
    if (result.found) {
      const auto end = replayed(root.board, result.solution);
      EXPECT_TRUE(end && *end == search.goal());
      return solution_length(result.solution, metric);
    }
    if (result.next_bound == no_bound) return -1;
    bound = result.next_bound;
  }
}

}  // namespace tessera
