// SPDX-License-Identifier: MIT
#include "search/kernels/kernels.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>

#include "base/temporary_folder.hpp"
#include "heuristic/registry.hpp"
#include "pdb/pattern_table.hpp"
#include "plain_oracle.hpp"
#include "puzzle/all_boards.hpp"
#include "puzzle/random_board.hpp"
#include "search/kernels/view_order.hpp"

namespace tessera {
namespace {

// The search that skips look-ups, the one that makes all of them, and the textbook's agree.
void expect_twins(const Problem& problem) {
  Problem eager = problem;
  eager.kernel = Kernel::plain;
  const auto lazy = make_subtree_search(problem);
  const auto twin = make_subtree_search(eager);
  const Node root = twin->node_at("");
  for (int bound = root.f(), rounds = 0; rounds < 6; ++rounds) {
    Unlimited control;
    const SubtreeResult expected = twin->search(root, bound, Mode::exhaust, control);
    ASSERT_EQ(show(lazy->search(root, bound, Mode::exhaust, control)), show(expected));
    if (expected.counts.expanded < 10'000 &&
        problem.prune == PruneRule::parent) {  // the textbook's rule
      ASSERT_EQ(show(PlainOracle(*twin, bound, Mode::exhaust).search(root)), show(expected));
    }
    if (expected.counts.expanded > 50'000 || expected.next_bound == no_bound) break;
    bound = expected.next_bound;
  }
}

// Kernels with room for 16, 32 and 64 views.
TEST(CollectionKernel, ManyViewsSkipOnlyWhatCannotPrune) {
  const TemporaryFolder folder;
  Random random(71);
  const Board goal = Goal(Goal::Kind::first).board({3, 3});
  for (const int partitions : {7, 15, 56}) {
    std::string text;
    int count = 0;
    for (unsigned three = 2; three < 0x1fe && count < partitions; three += 2) {
      if (std::popcount(three) != 3) continue;
      std::array<std::string, 2> sets;
      for (int tile = 1; tile < 9; ++tile) {
        std::string& set = sets[three >> tile & 1];
        if (!set.empty()) set += ',';
        set += std::to_string(tile);
      }
      if (count++ > 0) text += ',';
      text.append("pdb:{").append(sets[1]).append("}{").append(sets[0]).append("}");
    }
    const std::string heuristic = to_string(resolve_heuristic("max(" + text + ")", goal));
    for (int i = 0; i < 4; ++i) {
      expect_twins({make_instance(random_board(goal, random), goal), heuristic, Kernel::automatic,
                    PruneRule::parent, Metric::single, folder.text()});
    }
  }
}

// The kernel for 16 views with more slots than 32: three patterns to a view.
TEST(CollectionKernel, ViewsWithManySlotsSkipOnlyWhatCannotPrune) {
  const TemporaryFolder folder;
  Random random(73);
  const Board goal = Goal(Goal::Kind::first).board({3, 3});
  const std::string heuristic = to_string(resolve_heuristic(
      "max(pdb:{1,2,3}{4,5,6}{7,8},pdb:{1,2,4}{3,5,7}{6,8},pdb:{1,5,8}{2,3,6}{4,7},"
      "pdb:{1,3,7}{2,6,8}{4,5},pdb:{1,6,7}{2,4,5}{3,8},pdb:{3,4,8}{2,5,6}{1,7},"
      "pdb:{2,3,8}{1,4,6}{5,7})",
      goal));
  for (int i = 0; i < 4; ++i) {
    const Problem problem{
        make_instance(random_board(goal, random), goal), heuristic,      Kernel::automatic,
        i % 2 == 0 ? PruneRule::parent : PruneRule{10},  Metric::single, folder.text()};
    const TableHeuristic tables(problem.instance, parse_heuristic(heuristic), folder.text());
    ASSERT_LE(tables.collection()->views().size(), 16);
    ASSERT_GT(tables.collection()->slots().size(), 32);
    ASSERT_LE(tables.collection()->slots().size(), 48);
    expect_twins(problem);
  }
}

// Entries that are only a placement's least excess can rise by more than one in a move.
TEST(CollectionKernel, InexactEntriesAreLookedUpAtEveryMove) {
  const TemporaryFolder folder;
  Random random(72);
  const Size size{4, 3};
  const Board goal = Goal(Goal::Kind::first).board(size);
  const HeuristicSpec spec = resolve_heuristic("max(pdb:5-6,pdb:4-4-3,pdb:3-4-4)", goal);
  for (const TableRequest& request : table_requests(spec, size, goal.blank())) {
    const Pattern pattern{size, request.key.homes, request.key.blank};
    Table::write(folder.text(), request.key, build_aware_table(pattern, 1, {}, 0).bytes());
  }
  for (int i = 0; i < 20; ++i) {
    expect_twins({make_instance(scrambled(goal, 60, random), goal), to_string(spec),
                  Kernel::automatic, i % 2 == 0 ? PruneRule::parent : PruneRule{10}, Metric::single,
                  folder.text()});
  }
}

TEST(ViewOrder, TakesFirstWhatPrunesMostOfTheRest) {
  ViewOrder order(4);
  EXPECT_EQ(order.views(), (std::vector<std::uint8_t>{0, 1, 2, 3}));
  // View 1 prunes most, by one; of what it leaves view 0 prunes all.
  for (int i = 0; i < 6; ++i) order.add_sample(0b0110);
  for (int i = 0; i < 3; ++i) order.add_sample(0b0001);
  order.add_sample(0b0010);
  EXPECT_TRUE(order.learn(80));
  EXPECT_EQ(order.views(), (std::vector<std::uint8_t>{1, 0, 2, 3}));
  for (int i = 0; i < 6; ++i) order.add_sample(0b0100);
  EXPECT_FALSE(order.learn(80));  // once per bound
  EXPECT_TRUE(order.learn(82));
  EXPECT_EQ(order.views(), (std::vector<std::uint8_t>{2, 0, 1, 3}));
  EXPECT_FALSE(order.learn(84));
}

}  // namespace
}  // namespace tessera
