// SPDX-License-Identifier: MIT
#include "puzzle/goal.hpp"

#include <gtest/gtest.h>

#include <set>

#include "all_boards.hpp"
#include "base/error.hpp"
#include "puzzle/instance.hpp"
#include "puzzle/random_board.hpp"

namespace tessera {
namespace {

class SmallSize : public testing::TestWithParam<Size> {};

TEST_P(SmallSize, SolvableIsWhatBreadthFirstSearchReaches) {
  for (const Board& goal : varied_goals(GetParam())) {
    const std::vector<int> distance = distances_from(goal);
    for (std::uint64_t r = 0; r < distance.size(); ++r) {
      const Board board = unrank(GetParam(), r);
      ASSERT_EQ(solvable(board, goal), distance[r] >= 0) << to_string(board);
    }
  }
}

TEST_P(SmallSize, RankingIsABijection) {
  const std::uint64_t count = arrangements(GetParam());
  for (std::uint64_t r = 0; r < count; ++r) ASSERT_EQ(rank(unrank(GetParam(), r)), r);
}

INSTANTIATE_TEST_SUITE_P(Sizes, SmallSize,
                         testing::Values(Size{2, 2}, Size{3, 2}, Size{2, 3}, Size{4, 2}),
                         [](const auto& test) { return to_string(test.param); });

TEST(Goal, KnownWidthsOfThe8Puzzle) {
  // Levels of 3x3 from a corner goal (OEIS A089473).
  const std::vector<int> known{1,     2,     4,     8,     16,    20,    39,    62,
                               116,   152,   286,   396,   748,   1024,  1893,  2512,
                               4485,  5638,  9529,  10878, 16993, 17110, 23952, 20224,
                               24047, 15578, 14560, 6274,  3910,  760,   221,   2};
  std::vector<int> widths(known.size(), 0);
  for (const int d : distances_from(Goal(Goal::Kind::first).board({3, 3}))) {
    if (d >= 0) ++widths.at(static_cast<std::size_t>(d));
  }
  EXPECT_EQ(widths, known);
}

TEST(Goal, ReadsWhereTheBlankIs) {
  EXPECT_EQ(parse_goal_blank("last", {3, 2}), 5);
  EXPECT_EQ(parse_goal_blank("first", {3, 2}), 0);
  EXPECT_EQ(parse_goal_blank("cell:4", {3, 2}), 4);
  for (const char* bad : {"", "spiral", "4", "cell:", "cell:6", "cell:-1", "cell:x"}) {
    EXPECT_THROW((void)parse_goal_blank(bad, {3, 2}), Error) << bad;
  }
}

TEST(Goal, ReadsNamesAndBoards) {
  EXPECT_EQ(to_string(parse_goal("last", {}).board({3, 2})), "1 2 3 4 5 0");
  EXPECT_EQ(to_string(parse_goal("first", {}).board({3, 2})), "0 1 2 3 4 5");
  EXPECT_EQ(to_string(parse_goal("spiral", {}).board({3, 3})), "1 2 3 8 0 4 7 6 5");
  EXPECT_EQ(to_string(parse_goal("Spiral", {}).board({4, 3})), "1 2 3 4 10 11 0 5 9 8 7 6");
  EXPECT_EQ(to_string(parse_goal("snail", {}).board({2, 3})), "1 2 0 3 5 4");
  EXPECT_EQ(to_string(parse_goal("snake", {}).board({3, 3})), "1 2 3 6 5 4 7 8 0");
  EXPECT_EQ(to_string(parse_goal("snake", {}).board({3, 2})), "1 2 3 0 5 4");
  EXPECT_EQ(to_string(parse_goal("COLUMNS", {}).board({3, 2})), "1 3 5 2 4 0");
  for (const Goal::Kind kind : Goal::named) {
    EXPECT_EQ(parse_goal(to_string(Goal(kind)), {}).board({5, 4}), Goal(kind).board({5, 4}));
  }
  EXPECT_EQ(to_string(parse_goal("1 0 2 3", {})), "1 0 2 3");
  EXPECT_THROW((void)parse_goal("middle", {}), Error);
  EXPECT_THROW((void)parse_goal("1 0 2 3", Size{3, 3}), Error);
  EXPECT_THROW((void)parse_goal("1 0 2 3", {}).board({3, 3}), Error);
}

TEST(Instance, RenamingGoesWithMoves) {
  Random random(3);
  for (const Size size : {Size{4, 4}, Size{5, 3}, Size{8, 8}}) {
    for (const Board& goal : varied_goals(size)) {
      Board board = random_board(goal, random);
      const Instance instance = make_instance(board, goal);
      EXPECT_EQ(instance.goal_blank, goal.blank());
      EXPECT_EQ(make_instance(goal, goal).start, instance.goal());
      Board labels = instance.start;
      for (int i = 0; i < 50; ++i) {
        const Direction d = all_directions.at(random.below(4));
        if (!board.neighbor(d)) continue;
        board.move(d);
        labels.move(d);
        ASSERT_EQ(make_instance(board, goal).start, labels);
      }
      for (int label = 0; label < size.cells(); ++label) {
        EXPECT_EQ(instance.goal().cell_of(label), instance.home(label));
      }
    }
  }
}

TEST(RandomBoard, SeedIsPinnedAndAlwaysSolvable) {
  Random random(7);
  EXPECT_EQ(to_string(random_board(Goal().board({4, 4}), random)),
            "14 6 4 2 5 11 13 1 3 12 15 10 8 0 9 7");
  for (int i = 0; i < 200; ++i) {
    for (const Board& goal : varied_goals({3, 3})) {
      EXPECT_TRUE(solvable(random_board(goal, random), goal));
    }
  }
}

TEST(RandomBoard, EveryBoardOf3x2Comes) {
  Random random(1);
  const Board goal = Goal().board({3, 2});
  std::vector<int> hits(arrangements({3, 2}), 0);
  for (int i = 0; i < 36'000; ++i) ++hits[rank(random_board(goal, random))];
  for (std::uint64_t r = 0; r < hits.size(); ++r) {
    if (solvable(unrank({3, 2}, r), goal)) EXPECT_NEAR(hits[r], 100, 60);
    else EXPECT_EQ(hits[r], 0);
  }
}

TEST(RandomBoard, AScrambleIsAtMostItsMovesAway) {
  Random random(2);
  const Board goal = Goal().board({3, 3});
  const std::vector<int> distance = distances_from(goal);
  for (int moves = 0; moves < 40; ++moves) {
    const Board board = scrambled(goal, moves, random);
    EXPECT_LE(distance[rank(board)], moves);
    EXPECT_EQ(distance[rank(board)] % 2, moves % 2);
  }
}

TEST(RandomBoard, AScrambleInMetricMultiMovesRuns) {
  Random random(3);
  const Board goal = Goal().board({4, 4});
  // From a corner, three runs along each line; then three along the other one.
  for (const auto& [moves, boards] : {std::pair(1, 6U), {2, 18U}}) {
    std::set<std::vector<std::uint8_t>> found;
    for (int i = 0; i < 1000; ++i) {
      const auto tiles = scrambled(goal, moves, random, Metric::multi).tiles();
      found.emplace(tiles.begin(), tiles.end());
    }
    EXPECT_EQ(found.size(), boards);
  }
}

}  // namespace
}  // namespace tessera
