// SPDX-License-Identifier: MIT
#include "search/beam/beam_order.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <tuple>
#include <vector>

#include "heuristic/linear_conflict.hpp"
#include "puzzle/goal.hpp"
#include "puzzle/random_board.hpp"
#include "search/beam/beam_run.hpp"
#include "search/problem.hpp"

namespace tessera {
namespace {

TEST(BeamOrder, AStepChangesTheSpreadAsTheBoardDoes) {
  Random random(5);
  for (const Size size : {Size{6, 5}, Size{8, 8}}) {
    const Board goal = Goal().board(size);
    const Problem problem{make_instance(random_board(goal, random), goal), "linear-conflict"};
    const BeamOrder order(problem);
    EXPECT_EQ(order.spread(problem.instance.goal()), 0);
    Board board = problem.instance.start;
    int total = 0;
    for (int step = 0; step < 200; ++step) {
      const auto direction = static_cast<Direction>(random.below(4));
      const auto next = board.neighbor(direction);
      if (!next) continue;
      const auto label = static_cast<unsigned>(board.tile(*next));
      const int change = order.change(label, *next, board.blank());
      const int before = order.spread(board);
      board.move(direction);
      EXPECT_EQ(order.spread(board), before + change);
      total += std::abs(change);
    }
    EXPECT_GT(total, 0);
    // Manhattan distance does not see what is in a tile's way.
    EXPECT_EQ(BeamOrder({problem.instance, "manhattan"}).spread(board), 0);
    EXPECT_EQ(BeamOrder({problem.instance, "max(zero,misplaced)"}).spread(board), 0);
  }
}

// In the corners opposite to their homes, tiles are as far away as they can be.
TEST(BeamOrder, TheFarthestBoardsHaveBinsOfTheirOwn) {
  for (const Size size : {Size{32, 2}, Size{16, 4}, Size{8, 8}, Size{2, 32}}) {
    const Board goal = Goal().board(size);
    std::vector<std::int64_t> reversed;
    for (int cell = size.cells() - 1; cell >= 0; --cell) reversed.push_back(goal.tile(cell));
    const Board board(size, reversed);
    const Problem problem{make_instance(board, goal), "linear-conflict"};
    for (const double exponent : {1.5, 2.0}) {
      const BeamOrder order(problem, exponent);
      const int spread = order.spread(problem.instance.start);
      EXPECT_LE(spread, std::numeric_limits<std::int16_t>::max()) << to_string(size);
      const int h = LinearConflict(problem.instance).evaluate(problem.instance.start);
      EXPECT_LT(beam_bin(order.estimate(h, spread)), std::tuple_size_v<BeamHistogram> - 1)
          << to_string(size);
    }
  }
}

}  // namespace
}  // namespace tessera
