// SPDX-License-Identifier: MIT
#include "heuristic/inversion.hpp"

#include <gtest/gtest.h>

#include "puzzle/all_boards.hpp"
#include "puzzle/random_board.hpp"

namespace tessera {
namespace {

// The form in which the heuristic is published for 4x4, goal last: a move mends three inversions,
// the rest goes one by one.
int published(const Board& board) {
  int h = 0;
  for (const bool by_rows : {true, false}) {
    std::vector<int> homes;
    for (int i = 0; i < 16; ++i) {
      const int tile = board.tile(by_rows ? i : i % 4 * 4 + i / 4);
      if (tile != 0) homes.push_back(by_rows ? tile - 1 : (tile - 1) % 4 * 4 + (tile - 1) / 4);
    }
    int inversions = 0;
    for (std::size_t i = 0; i < homes.size(); ++i) {
      for (std::size_t j = i + 1; j < homes.size(); ++j) inversions += homes[i] > homes[j];
    }
    h += inversions / 3 + inversions % 3;
  }
  return h;
}

TEST(Inversion, IsThePublishedOneOn4x4) {
  const Board goal = Goal(Goal::Kind::last).board({4, 4});
  Random random(6);
  for (int i = 0; i < 1000; ++i) {
    const Board board = random_board(goal, random);
    const Instance instance = make_instance(board, goal);
    ASSERT_EQ(Inversion(instance).evaluate(instance.start), published(board)) << to_string(board);
  }
}

TEST(Inversion, KnowsFromTheBlanksRowWhetherMovesAreOdd) {
  // No pair of tiles is out of order, and still the blank must go up and left.
  const Board goal = Goal(Goal::Kind::first).board({3, 3});
  const auto h = [&](const char* board) {
    const Instance instance = make_instance(parse_board(board, {}), goal);
    return Inversion(instance).evaluate(instance.start);
  };
  EXPECT_EQ(h("0 1 2  3 4 5  6 7 8"), 0);
  EXPECT_EQ(h("1 0 2  3 4 5  6 7 8"), 1);
  EXPECT_EQ(h("3 1 2  0 4 5  6 7 8"), 1);
  EXPECT_EQ(h("1 4 2  3 0 5  6 7 8"), 2);
}

}  // namespace
}  // namespace tessera
