// SPDX-License-Identifier: MIT
#include "search/pruning/move_order.hpp"

#include <gtest/gtest.h>

#include "puzzle/goal.hpp"
#include "puzzle/random_board.hpp"
#include "search/kernels/subtree_search.hpp"

namespace tessera {
namespace {

// The nodes of a tree down to a depth in the order of depth-first search, and after which of them
// each one's subtree ends.
struct Tree {
  std::vector<std::string> paths;
  std::vector<std::size_t> ends;

  Tree(const SubtreeSearch& search, int depth) { visit(search, "", search.node_at(""), depth); }

  void visit(const SubtreeSearch& search, const std::string& path, const Node& node, int depth) {
    const std::size_t self = paths.size();
    paths.push_back(path);
    ends.push_back(0);
    if (depth > 0) {
      for (const Successor& child : search.successors(node)) {
        visit(search, path + child.letters, child.node, depth - 1);
      }
    }
    ends[self] = paths.size();
  }
};

TEST(MoveOrder, IsThatOfDepthFirstSearch) {
  Random random(31);
  for (const Metric metric : {Metric::single, Metric::multi}) {
    for (const Size size : {Size{3, 3}, Size{2, 3}, Size{4, 4}, Size{5, 2}}) {
      const Board goal = Goal().board(size);
      for (int i = 0; i < 3; ++i) {
        Problem problem{make_instance(random_board(goal, random), goal), "zero"};
        problem.metric = metric;
        const auto search = make_subtree_search(problem);
        const Tree tree(*search, metric == Metric::multi ? 4 : 8);
        ASSERT_GT(tree.paths.size(), 20U);
        for (std::size_t a = 0; a < tree.paths.size(); ++a) {
          for (std::size_t b = 0; b < tree.paths.size(); ++b) {
            ASSERT_EQ(comes_before(tree.paths[a], tree.paths[b], metric), a < b)
                << to_string(metric) << " '" << tree.paths[a] << "' '" << tree.paths[b] << "'";
            ASSERT_EQ(leads_to(tree.paths[a], tree.paths[b], metric), a <= b && b < tree.ends[a])
                << to_string(metric) << " '" << tree.paths[a] << "' '" << tree.paths[b] << "'";
          }
        }
      }
    }
  }
}

TEST(MoveOrder, ARunOfLettersIsOneMoveInMulti) {
  EXPECT_TRUE(leads_to("UL", "ULLU", Metric::single));
  EXPECT_FALSE(leads_to("UL", "ULLU", Metric::multi));
  EXPECT_TRUE(leads_to("ULL", "ULLU", Metric::multi));
  EXPECT_TRUE(leads_to("", "LL", Metric::multi));
}

}  // namespace
}  // namespace tessera
