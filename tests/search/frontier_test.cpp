// SPDX-License-Identifier: MIT
#include "search/tree/frontier.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "built_in_problem.hpp"
#include "plain_oracle.hpp"

namespace tessera {
namespace {

class FrontierTest : public testing::Test {
 protected:
  FrontierTest() {
    instance_ = built_in_problem("korf100:12").instance;
    search_ = make_subtree_search({instance_, "manhattan", Kernel::plain});
    start_ = search_->node_at("").f();
  }

  Counts serial(int bound, Mode mode) {
    return search_->search(search_->node_at(""), bound, mode, control_).counts;
  }

  // Leaves one by one in move order, as one worker does.
  Counts cut(Frontier& frontier, int bound, Mode mode) {
    Counts sum;
    for (const Frontier::Leaf* leaf : frontier.live(bound)) {
      const SubtreeResult result = search_->search(leaf->node, bound, mode, control_);
      sum += result.counts;
      if (result.found) return sum + frontier.interior_until(*leaf);
    }
    return sum + frontier.interior();
  }

  Instance instance_;
  std::unique_ptr<SubtreeSearch> search_;
  Unlimited control_;
  int start_ = 0;
};

TEST_F(FrontierTest, TheCutDoesNotChangeTheCounts) {
  for (const std::size_t least : {1UL, 2UL, 10UL, 300UL}) {
    Frontier frontier(*search_);
    // Kept over the iterations and grown in each, as a search does.
    for (int bound = start_; bound <= 45; bound += 2) {
      frontier.grow(bound, least, 0);
      EXPECT_EQ(cut(frontier, bound, Mode::exhaust), serial(bound, Mode::exhaust))
          << least << " " << bound;
      EXPECT_EQ(cut(frontier, bound, Mode::first), serial(bound, Mode::first))
          << least << " " << bound;
      // A tree that is smaller than the cut asked for ends up above it whole.
      if (serial(bound, Mode::exhaust).expanded > 5000) {
        EXPECT_GE(frontier.live(bound).size(), least);
      }
    }
  }
}

TEST_F(FrontierTest, NorDoesItsDepth) {
  for (const int depth : {0, 1, 5, 9}) {
    Frontier frontier(*search_);
    for (int bound = start_; bound <= 43; bound += 2) {
      frontier.grow_to_depth(bound, depth);
      EXPECT_EQ(cut(frontier, bound, Mode::exhaust), serial(bound, Mode::exhaust)) << depth;
      for (const Frontier::Leaf* leaf : frontier.live(bound)) EXPECT_EQ(leaf->node.g, depth);
    }
  }
}

TEST_F(FrontierTest, NorDoNodesWhoseMovesAreAllPruned) {
  search_ = make_subtree_search({.instance = instance_,
                                 .heuristic = "manhattan",
                                 .kernel = Kernel::plain,
                                 .prune = PruneRule{8}});
  Frontier frontier(*search_);
  frontier.grow_to_depth(45, 14);
  std::size_t ends = 0;
  for (const Frontier::Leaf* leaf : frontier.live(45)) {
    if (search_->pruning().open(leaf->node.rule) == 0) ++ends;
  }
  EXPECT_GT(ends, 0U);
  for (const Mode mode : {Mode::exhaust, Mode::first}) {
    EXPECT_EQ(cut(frontier, 45, mode), serial(45, mode));
  }
}

TEST_F(FrontierTest, AnUnknownTreeIsCutEvenly) {
  Frontier frontier(*search_);
  frontier.grow(no_bound - 1, 1000, 0);
  int least = 1000;
  int most = 0;
  for (const Frontier::Leaf* leaf : frontier.live(no_bound - 1)) {
    least = std::min(least, leaf->node.g);
    most = std::max(most, leaf->node.g);
  }
  EXPECT_LE(most - least, 2);
}

TEST_F(FrontierTest, SplitsWhatCostTooMuch) {
  Frontier frontier(*search_);
  frontier.grow(start_, 4, 0);
  frontier.live(start_).front()->cost = 1000;
  const std::size_t before = frontier.live(start_).size();
  frontier.grow(start_, 1, 400);
  EXPECT_GT(frontier.live(start_ + 20).size(), before);
  for (const Frontier::Leaf* leaf : frontier.live(start_)) EXPECT_LE(leaf->cost, 400);
}

TEST_F(FrontierTest, TheGoalIsNeverSplit) {
  const Instance solved{instance_.goal(), instance_.goal_blank};
  const auto search = make_subtree_search({solved, "manhattan", Kernel::plain});
  Frontier frontier(*search);
  frontier.grow(0, 100, 0);
  ASSERT_EQ(frontier.live(0).size(), 1U);
  EXPECT_EQ(frontier.interior(), Counts{});
}

TEST_F(FrontierTest, NextBoundIsTheLeastBeyond) {
  Frontier frontier(*search_);
  EXPECT_EQ(frontier.next_bound(start_), no_bound);
  frontier.grow(start_, 2, 0);
  EXPECT_EQ(frontier.next_bound(start_), start_ + 2);
}

}  // namespace
}  // namespace tessera
