// SPDX-License-Identifier: MIT
#include "puzzle/position.hpp"

#include <gtest/gtest.h>

#include "puzzle/geometry.hpp"
#include "puzzle/goal.hpp"
#include "puzzle/random_board.hpp"

namespace tessera {
namespace {

TEST(Position, FollowsTheBoardThroughMovesAndBack) {
  Random random(11);
  for (const Size size : {Size{4, 4}, Size{3, 3}, Size{2, 5}}) {
    Board board = random_board(Goal().board(size), random);
    NibblePosition nibbles(board);
    BytePosition<64> bytes(board);
    auto handle = bytes.handle();
    for (int i = 0; i < 200; ++i) {
      const Direction d = all_directions.at(random.below(4));
      const auto next = board.neighbor(d);
      if (!next) continue;
      const int blank = board.blank();
      const NibblePosition before = nibbles;
      nibbles = nibbles.slid(*next, blank);
      EXPECT_EQ(nibbles.slid(blank, *next), before);
      handle = handle.slid(*next, blank);
      board.move(d);
      ASSERT_EQ(nibbles, NibblePosition(board));
      ASSERT_TRUE(handle == BytePosition<64>(board));
      for (int cell = 0; cell < size.cells(); ++cell) {
        ASSERT_EQ(static_cast<int>(nibbles.tile(cell)), board.tile(cell));
        ASSERT_EQ(static_cast<int>(handle.tile(cell)), board.tile(cell));
      }
    }
    const auto next = board.neighbor(Direction::up) ? board.neighbor(Direction::up)
                                                    : board.neighbor(Direction::down);
    const auto child = handle.slid(*next, board.blank());
    EXPECT_FALSE(child == BytePosition<64>(board));
    BytePosition<64>::Handle::slide_back(child, *next, board.blank());
    EXPECT_TRUE(handle == BytePosition<64>(board));
  }
}

TEST(Position, SolvedWordIsTheOneThatTheHeaderDraws) {
  EXPECT_EQ(NibblePosition(Goal(Goal::Kind::first).board({4, 4})).word(), 0xfedcba9876543210ULL);
}

template <int W, int H>
void expect_same_geometry() {
  const RuntimeGeometry runtime({W, H});
  for (int cell = 0; cell < W * H; ++cell) {
    for (int back = 0; back <= no_way; ++back) {
      int count = 0;
      for (int d = 4; d-- > 0;) {
        EXPECT_EQ((Geometry<W, H>::allowed(cell, back, d)), runtime.allowed(cell, back, d));
        EXPECT_EQ((Geometry<W, H>::offset(d)), runtime.offset(d));
        count += runtime.allowed(cell, back, d) ? 1 : 0;
        EXPECT_EQ((Geometry<W, H>::count_allowed(cell, back, d)), count);
      }
    }
  }
}

TEST(Geometry, StaticAndRuntimeAgree) {
  expect_same_geometry<4, 4>();
  expect_same_geometry<4, 3>();
  expect_same_geometry<2, 5>();
  expect_same_geometry<5, 5>();
}

}  // namespace
}  // namespace tessera
