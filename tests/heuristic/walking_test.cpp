// SPDX-License-Identifier: MIT
#include "heuristic/walking.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "base/error.hpp"
#include "base/temporary_folder.hpp"
#include "base/thinned.hpp"
#include "heuristic/heuristic_spec.hpp"
#include "puzzle/goal.hpp"
#include "puzzle/random_board.hpp"

namespace tessera {
namespace {

struct DeepBoard {
  const char* tiles;
  int walking;
};

// Published boards of 5x5 that need many moves, with their walking distances.
constexpr std::array deep_boards{
    DeepBoard{"0 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1", 140},
    DeepBoard{"24 23 0 22 21 20 19 18 17 16 15 14 13 12 11 10 8 9 7 6 5 3 4 2 1", 136},
    DeepBoard{"0 14 23 17 16 20 19 13 22 11 15 24 18 12 21 5 9 3 7 1 10 4 8 2 6", 134},
    DeepBoard{"20 24 23 22 21 14 19 18 17 16 15 9 12 13 11 10 0 8 7 6 5 4 3 2 1", 134},
    DeepBoard{"24 19 23 22 21 15 20 18 17 16 10 14 13 12 11 5 0 8 7 6 4 9 3 2 1", 132},
    DeepBoard{"24 23 22 21 16 20 19 18 12 17 15 14 13 11 0 10 9 8 7 6 5 4 3 2 1", 132},
    DeepBoard{"14 24 13 12 16 20 18 23 17 11 15 19 0 22 21 5 9 3 7 6 10 4 8 2 1", 130},
    DeepBoard{"15 18 23 22 21 20 24 13 12 11 10 14 19 17 16 5 8 3 7 6 0 4 9 2 1", 130},
    DeepBoard{"20 18 0 12 21 24 19 23 17 16 15 14 13 22 11 5 10 8 2 1 4 9 3 7 6", 130},
    DeepBoard{"20 23 0 17 16 19 15 18 22 21 24 14 13 12 11 10 4 3 7 1 5 9 8 2 6", 130},
    DeepBoard{"0 13 14 12 21 19 15 20 22 17 18 24 23 11 16 5 10 9 2 6 8 4 3 7 1", 128},
    DeepBoard{"0 18 15 21 11 13 20 14 16 17 23 24 19 12 22 8 9 10 6 1 4 3 5 7 2", 128},
};

// Its table takes 10 s of CPU: only .ci/run builds it.
TEST(Walking, IsThePublishedDistanceOnDeepBoards) {
  if (!all_cases()) return;
  const TemporaryFolder folder;
  const Size size{5, 5};
  const Board goal = Goal(Goal::Kind::last).board(size);
  for (const DeepBoard& board : deep_boards) {
    const Instance instance = make_instance(parse_board(board.tiles, size), goal);
    EXPECT_EQ(Walking(instance, folder.text()).evaluate(instance.start), board.walking);
  }
}

// Turned by 180 degrees, a board keeps its distance: both goals share the tables.
TEST(Walking, SharesTablesBetweenGoalsInOppositeCorners) {
  const TemporaryFolder folder;
  Random random(5);
  const Size size{5, 4};
  EXPECT_EQ(Walking::tables(size, 0).size(), 1);  // of the columns; that of the rows is small
  EXPECT_EQ(Walking::tables(size, 0)[0].key, Walking::tables(size, 19)[0].key);
  EXPECT_EQ(Walking::tables({5, 5}, 0).size(), 1);
  EXPECT_EQ(Walking::tables({5, 5}, 1).size(), 2);
  const Board goal = Goal().board(size);
  const auto turned = [&](const Board& board) {
    std::vector<std::int64_t> tiles;
    for (int cell = size.cells(); cell-- > 0;) tiles.push_back(board.tile(cell));
    return Board(size, tiles);
  };
  for (int i = 0; i < 20; ++i) {
    const Board board = random_board(goal, random);
    const Instance instance = make_instance(board, goal);
    const Instance other = make_instance(turned(board), turned(goal));
    EXPECT_EQ(Walking(instance, folder.text()).evaluate(instance.start),
              Walking(other, folder.text()).evaluate(other.start));
  }
}

TEST(Escapes, ClosesItsTablesWhenNothingUsesThem) {
  const auto is_mapped = [] {
    std::ifstream maps("/proc/self/maps");
    return std::string(std::istreambuf_iterator(maps), {}).find("/escapes-") != std::string::npos;
  };
  const TemporaryFolder folder;
  const Board goal = Goal().board({4, 3});
  {
    const Escapes heuristic(make_instance(goal, goal), folder.text());
    release_databases(0);
    EXPECT_TRUE(is_mapped());
  }
  release_databases(0);
  EXPECT_FALSE(is_mapped());
}

TEST(Walking, RefusesSizesWithHugeTables) {
  for (const Size size : {Size{5, 5}, Size{2, 5}, Size{6, 3}, Size{2, 7}}) {
    EXPECT_NO_THROW(Walking::require(size));
  }
  for (const Size size : {Size{6, 4}, Size{6, 5}, Size{3, 7}, Size{8, 2}, Size{8, 8}}) {
    EXPECT_THROW(Walking::require(size), Error);
  }
}

}  // namespace
}  // namespace tessera
