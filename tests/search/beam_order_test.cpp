// SPDX-License-Identifier: MIT
#include "search/beam/beam_order.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
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
  for (const Size size : {Size{6, 5}, Size{8, 8}, Size{16, 4}, Size{2, 9}}) {
    const Board goal = Goal(Goal::Kind::spiral).board(size);
    const Problem problem{make_instance(random_board(goal, random), goal), "linear-conflict"};
    const BeamOrder order(problem);
    Board board = problem.instance.start;
    int total = 0;
    for (int step = 0; step < 200; ++step) {
      const auto direction = static_cast<Direction>(random.below(4));
      const auto next = board.neighbor(direction);
      if (!next) continue;
      const int change = order.change(board, *next, board.blank());
      const int before = order.spread(board);
      board.move(direction);
      EXPECT_EQ(order.spread(board), before + change) << to_string(size);
      total += std::abs(change);
    }
    EXPECT_GT(total, 0);
    // Manhattan distance does not see what is in a tile's way.
    EXPECT_EQ(BeamOrder({problem.instance, "manhattan"}).spread(board), 0);
    EXPECT_EQ(BeamOrder({problem.instance, "max(zero,misplaced)"}).spread(board), 0);
  }
}

// The board and the goal as in a mirror: labels stay, cells change.
Board mirrored(const Board& board, const std::vector<int>& cells) {
  std::vector<std::int64_t> labels(cells.size());
  for (std::size_t cell = 0; cell < cells.size(); ++cell)
    labels[static_cast<std::size_t>(cells[cell])] = board.tile(static_cast<int>(cell));
  return {board.size(), labels};
}

TEST(BeamOrder, MirrorImagesAreEqual) {
  constexpr Size size{6, 6};
  std::vector<int> upside_down;
  std::vector<int> left_right;
  std::vector<int> transposed;
  for (int cell = 0; cell < size.cells(); ++cell) {
    upside_down.push_back((5 - size.row(cell)) * 6 + size.column(cell));
    left_right.push_back(size.row(cell) * 6 + 5 - size.column(cell));
    transposed.push_back(size.transposed(cell));
  }
  Random random(6);
  const Board goal = Goal().board(size);
  for (int i = 0; i < 20; ++i) {
    const Board board = random_board(goal, random);
    const auto spread = [&](const Board& start, const Board& end) {
      const Instance instance = make_instance(start, end);
      return BeamOrder({instance, "linear-conflict"}).spread(instance.start);
    };
    const int expected = spread(board, goal);
    for (const auto& cells : {upside_down, left_right, transposed}) {
      EXPECT_EQ(spread(mirrored(board, cells), mirrored(goal, cells)), expected);
    }
  }
}

// Two neighbors in each other's places are worse than two that have one step to go side by side.
TEST(BeamOrder, TilesWithOneWayAreBetterThanTilesInEachOthersWay) {
  const auto way = [](int rows, int columns) {
    return static_cast<BeamFeatures::Way>((rows + BeamFeatures::farthest) * BeamFeatures::lengths +
                                          columns + BeamFeatures::farthest);
  };
  const auto weight = [&](BeamFeatures::Way left, BeamFeatures::Way right) {
    return BeamOrder::learned()[1U +
                                static_cast<std::size_t>(BeamFeatures::of_pair(left, right, 2))];
  };
  EXPECT_GT(weight(way(0, 1), way(0, -1)), weight(way(0, 1), way(0, 1)));
  EXPECT_GT(weight(way(0, 1), way(0, -1)), weight(way(1, 0), way(1, 0)));
  EXPECT_GT(weight(way(0, 2), way(0, -2)), weight(way(0, 2), way(0, 2)));
  ASSERT_EQ(BeamOrder::learned().size(), static_cast<std::size_t>(1 + BeamFeatures::count));
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
      const int h = LinearConflict(problem.instance).evaluate(problem.instance.start);
      EXPECT_LT(beam_bin(order.estimate(h, spread)), std::tuple_size_v<BeamHistogram> - 1)
          << to_string(size);
    }
  }
}

}  // namespace
}  // namespace tessera
