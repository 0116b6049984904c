// SPDX-License-Identifier: MIT
#include "search/beam/beam_order.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <tuple>
#include <vector>

#include "heuristic/linear_conflict.hpp"
#include "puzzle/goal.hpp"
#include "puzzle/random_board.hpp"
#include "search/beam/beam_expansion.hpp"
#include "search/beam/beam_run.hpp"
#include "search/problem.hpp"

namespace tessera {
namespace {

TEST(BeamOrder, AStepChangesTheSpreadAsTheBoardDoes) {
  Random random(5);
  for (const Size size : {Size{6, 5}, Size{8, 8}, Size{16, 4}, Size{2, 9}}) {
    const Board goal = Goal(Goal::Kind::spiral).board(size);
    const Instance instance = make_instance(random_board(goal, random), goal);
    const Problem problem{.instance = instance,
                          .heuristic = "linear-conflict",
                          .metric = size.height % 2 == 0 ? Metric::multi : Metric::single};
    const BeamOrder order(problem, size.width == 8 ? 2.0 : 1.5);
    EXPECT_GT(order.estimate(0, order.spread(instance.goal())), 0);
    Board board = instance.start;
    int total = 0;
    for (int step = 0; step < 200; ++step) {
      const auto direction = static_cast<Direction>(random.below(4));
      const auto next = board.neighbor(direction);
      if (!next) continue;
      const Step<int, int, int> move{board.blank(), *next, static_cast<int>(direction)};
      const int change = order.change(board, move, order.around(board, board.blank()));
      const int before = order.spread(board);
      board.move(direction);
      EXPECT_EQ(order.spread(board), before + change) << to_string(size);
      total += std::abs(change);
    }
    EXPECT_GT(total, 0);
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

TEST(BeamOrder, TilesThatGoTheSameWayAreBetterThanTilesInEachOthersWay) {
  for (const Metric metric : {Metric::single, Metric::multi}) {
    const BeamOrder::Weights weights = BeamOrder::learned(metric);
    ASSERT_EQ(weights.size(), BeamOrder::weights());
    // Of a cell and the one to its right, whose tiles have so many columns to go.
    const auto weight = [&](int left, int right) {
      constexpr auto displacement = [](int columns) {
        return BeamFeatures::displacement(0, columns);
      };
      const auto of = [&](int feature) -> int {
        return weights[static_cast<std::size_t>(1 + feature)];
      };
      // Above two tiles at home.
      BeamFeatures::Block block = 0;
      for (const int columns : {left, right, 0, 0})
        block = block << BeamFeatures::kind_bits | BeamFeatures::kind(displacement(columns));
      return of(BeamFeatures::of_pair(displacement(left), displacement(right), 2)) +
             of(BeamFeatures::of_block(block));
    };
    EXPECT_GT(weight(1, -1), weight(1, 1));
    EXPECT_GT(weight(2, -2), weight(2, 2));
    EXPECT_GT(weight(1, -2), weight(2, 1));
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
      const int h = LinearConflict(problem.instance).evaluate(problem.instance.start);
      EXPECT_LT(beam_bin(order.estimate(h, spread)), std::tuple_size_v<BeamHistogram> - 1)
          << to_string(size);
    }
  }
}

// Expands random boards and builds all children: their spread is that of the moved board.
template <class Expansion>
void expect_spreads(Problem problem) {
  const Board goal = problem.instance.goal();
  Random random(7);
  for (int i = 0; i < 20; ++i) {
    problem.instance = make_instance(random_board(goal, random), goal);
    const BeamShares shares(64, 1);
    const Expansion boards(problem, {.width = 64}, shares);
    const BeamOrder order(problem);
    alignas(16) std::array<std::byte, sizeof(typename Expansion::Node)> parent{};
    const Board& start = problem.instance.start;
    boards.start(start, parent.data());
    typename Expansion::Marks marks;
    marks.fill(1);
    const BeamBoards::Chunk chunk{
        .place = 0, .count = 1, .nodes = parent.data(), .marks = marks.data()};
    BeamBoards::ByShard by_shard(shares.shards());
    const BeamBoards::Most all{.h = no_bound, .estimate = no_bound};
    const std::size_t count = boards.expand(chunk, all, by_shard).evaluated;
    std::vector<typename Expansion::Node> children(count);
    auto* place = reinterpret_cast<std::byte*>(children.data());
    boards.make(chunk, {&place, 1});
    ASSERT_EQ(place, reinterpret_cast<std::byte*>(children.data() + count));
    for (const auto& child : children) {
      const auto moved = replayed(start, BeamMove::letters(child.moves));
      ASSERT_TRUE(moved);
      EXPECT_EQ(child.spread, order.spread(*moved));
      EXPECT_EQ(child.h, LinearConflict(problem.instance).evaluate(*moved));
      EXPECT_EQ(child.blank, moved->blank());
    }
  }
}

TEST(BeamOrder, ExpansionsKeepTheSpreadOfTheirBoards) {
  const auto problem = [](Size size, Metric metric = Metric::single) {
    const Board goal = Goal().board(size);
    return Problem{.instance = make_instance(goal, goal), .heuristic = "zero", .metric = metric};
  };
  expect_spreads<BeamExpansion<16, Metric::single>>(problem({4, 4}));
  expect_spreads<BeamExpansion<25, Metric::single>>(problem({5, 5}));
  expect_spreads<BeamExpansion<36, Metric::single>>(problem({7, 5}));
  expect_spreads<BeamExpansion<64, Metric::single>>(problem({2, 32}));
  expect_spreads<BeamExpansion<25, Metric::multi>>(problem({5, 4}, Metric::multi));
  expect_spreads<BeamExpansion<64, Metric::multi>>(problem({7, 5}, Metric::multi));
}

}  // namespace
}  // namespace tessera
