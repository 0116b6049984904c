// SPDX-License-Identifier: MIT
#include "puzzle/board.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/random.hpp"
#include "base/refusal.hpp"
#include "puzzle/goal.hpp"
#include "puzzle/metric.hpp"
#include "puzzle/move_sequence.hpp"
#include "puzzle/random_board.hpp"

namespace tessera {
namespace {

std::string complaint(const std::string& tiles, std::optional<Size> size = {}) {
  const Error error = refused([&] { return parse_board(tiles, size); });
  EXPECT_EQ(error.kind(), ErrorKind::input);
  return error.what();
}

TEST(Board, SaysWhatIsWrong) {
  EXPECT_EQ(complaint("1 2 3 3"),
            "tile 3 appears twice and there is no blank (0), expected each of 0..3 once");
  EXPECT_EQ(complaint("0 2 3 3"), "tile 3 appears twice, expected each of 0..3 once");
  EXPECT_EQ(complaint("1 2 3 5"), "tile 5 is out of range, expected each of 0..3 once");
  EXPECT_EQ(complaint("1 2 -3 0"), "tile -3 is out of range, expected each of 0..3 once");
  EXPECT_EQ(complaint("1 2 y! 0"), "'y!' is not a number, expected tiles such as 1 2 3 0");
  EXPECT_EQ(complaint("1 2 x 0"), "tile 0 appears twice, expected each of 0..3 once");
  EXPECT_EQ(complaint("1 2 0", Size{2, 2}), "3 tiles, expected 4 for size 2x2");
  EXPECT_EQ(complaint("1 2 3 4 0", Size{2, 2}), "5 tiles, expected 4 for size 2x2");
  EXPECT_NE(complaint("1 2 3 4 0").find("not form a square"), std::string::npos);
  EXPECT_NE(complaint("7 1 2 2 0").find("; an id is written 7: before"), std::string::npos);
  EXPECT_EQ(complaint("1 2 3 4 5 0").find("an id"), std::string::npos);
  EXPECT_EQ(complaint(""), "no tiles, expected a list such as 1 2 3 0");
}

TEST(Board, ReadsBlanksAndCommas) {
  EXPECT_EQ(to_string(parse_board(" 1,2, 3 0", {})), "1 2 3 0");
  EXPECT_EQ(parse_board("3 2 1 0 4 5", Size{3, 2}).blank(), 3);
}

TEST(Board, MoveAndBackIsIdentityOnEverySize) {
  Random random(5);
  for (int w = 2; w <= 32; ++w) {
    for (int h = 2; w * h <= Size::max_cells; ++h) {
      const Board board = random_board(Goal().board({w, h}), random);
      for (const Direction d : all_directions) {
        if (!board.neighbor(d)) continue;
        const Board moved = board.moved(d);
        EXPECT_NE(moved, board);
        EXPECT_EQ(moved.tile(moved.blank()), 0);
        EXPECT_EQ(moved.moved(opposite(d)), board);
      }
    }
  }
}

TEST(Board, LettersAreTheTilesMoves) {
  const Board board = parse_board("1 2 3 4 0 5 6 7 8", {});
  EXPECT_EQ(to_string(*replayed(board, "L")), "1 2 3 4 5 0 6 7 8");
  EXPECT_EQ(to_string(*replayed(board, "R")), "1 2 3 0 4 5 6 7 8");
  EXPECT_EQ(to_string(*replayed(board, "U")), "1 2 3 4 7 5 6 0 8");
  EXPECT_EQ(to_string(*replayed(board, "D")), "1 0 3 4 2 5 6 7 8");
  EXPECT_FALSE(replayed(board, "LL"));
  EXPECT_FALSE(replayed(board, "X"));
}

TEST(Metric, OnlyMovesThatLeadToTheGoalHaveALength) {
  const Board goal = parse_board("1 2 3 4 5 6 7 8 0", {});
  const Board start = parse_board("1 2 3 4 5 6 0 7 8", {});
  EXPECT_EQ(replayed_length(start, goal, "LL", Metric::single), 2);
  EXPECT_EQ(replayed_length(start, goal, "LL", Metric::multi), 1);
  EXPECT_FALSE(replayed_length(start, goal, "L", Metric::single));
  EXPECT_FALSE(replayed_length(start, goal, "LLL", Metric::single));
}

TEST(Metric, RunsOfEqualLettersAreOneMultiMove) {
  EXPECT_EQ(solution_length("LLURRR", Metric::single), 6);
  EXPECT_EQ(solution_length("LLURRR", Metric::multi), 3);
  EXPECT_EQ(solution_length("", Metric::multi), 0);
}

TEST(Size, OnlyPlayableOnes) {
  EXPECT_EQ(parse_size("4x3"), (Size{4, 3}));
  EXPECT_EQ(parse_size("32x2"), (Size{32, 2}));
  EXPECT_EQ(parse_size("4X3"), (Size{4, 3}));
  EXPECT_EQ(parse_size("4"), (Size{4, 4}));
  for (const char* bad : {"", "1", "9", "-4", "x", "4x", "1x4", "9x8", "4x3x2", "-4x3", "33x2"}) {
    EXPECT_THROW((void)parse_size(bad), Error) << bad;
  }
}

}  // namespace
}  // namespace tessera
