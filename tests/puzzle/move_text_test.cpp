// SPDX-License-Identifier: MIT
#include "puzzle/move_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "base/random.hpp"
#include "base/refusal.hpp"
#include "puzzle/goal.hpp"
#include "puzzle/metric.hpp"
#include "puzzle/move_sequence.hpp"

namespace tessera {
namespace {

MoveSequence random_walk(Size size, bool last, int moves, Random& random) {
  const Board goal = ordered_board(size, last ? size.cells() - 1 : 0);
  MoveSequence walk{goal, goal, ""};
  Board board = goal;
  while (static_cast<int>(walk.moves.size()) < moves) {
    const Direction d = all_directions[random.below(4)];
    if (!board.neighbor(d)) continue;
    board.move(d);
    walk.moves += letter(d);
  }
  return walk;
}

TEST(MoveText, ReadsEveryForm) {
  for (const char* text :
       {"RRRUUDL", "R3 U2 D L", "R3U2DL", "r3 u2 d l", " rrr\tUU1 DL\n", "R3, U,U,D,L"}) {
    EXPECT_EQ(parse_moves(text, Mover::tile), "RRRUUDL") << text;
    EXPECT_EQ(parse_moves(text, Mover::blank), "LLLDDUR") << text;
  }
  EXPECT_EQ(parse_moves(" ", Mover::tile), "");
}

TEST(MoveText, ErrorsNameTheCharacter) {
  const auto error = [](const std::string& text) -> std::string {
    return refused([&] { return parse_moves(text, Mover::tile); }).what();
  };
  EXPECT_EQ(error("R3 U2 Q"), "character 7 'Q' is not a move, expected U, D, L or R");
  EXPECT_TRUE(error("U\xE2\x86\x92X").starts_with("character 2 '"));
  EXPECT_TRUE(error("3R").starts_with("character 1 '3' does not follow a move"));
  EXPECT_TRUE(error("R 3").starts_with("character 3 '3' does not follow a move"));
  EXPECT_TRUE(error("U R0").starts_with("character 4 '0' repeats a move no times"));
  EXPECT_TRUE(error("R99999999999999999999").starts_with("character 2 '9999"));
  EXPECT_TRUE(error("R1000000U").starts_with("too many moves"));
}

TEST(MoveText, NamesTheMoveThatLeavesTheBoard) {
  const Board goal = ordered_board({3, 3}, 8);
  const auto after = [&](const char* moves) {
    return after_moves(goal, parse_moves(moves, Mover::tile), Mover::tile);
  };
  EXPECT_STREQ(refused([&] { return after("R2 L U"); }).what(),
               "move 4 'U' leaves the board, which is 1 2 3 4 5 6 7 0 8 before it");
  EXPECT_THROW((void)after("R3"), Error);
}

TEST(MoveText, EveryNotationReadsBack) {
  Random random(33);
  for (int i = 0; i < 10'000; ++i) {
    const MoveSequence walk = random_walk({4, 4}, true, i % 90, random);
    for (const Mover mover : {Mover::tile, Mover::blank}) {
      for (const Notation notation : {Notation::letters, Notation::counts}) {
        const std::string text = format_moves(walk.moves, notation, mover);
        ASSERT_EQ(parse_moves(text, mover), walk.moves) << text;
        if (notation == Notation::letters || text.empty()) continue;
        ASSERT_EQ(std::ranges::count(text, ' ') + 1, solution_length(walk.moves, Metric::multi));
      }
    }
  }
}

TEST(MoveSequence, ChangedSequencesAreLegal) {
  Random random(7);
  for (const Size size : {Size{3, 3}, Size{4, 3}, Size{2, 5}}) {
    for (int i = 0; i < 400; ++i) {
      const MoveSequence walk = random_walk(size, i % 2 == 0, i % 60, random);
      const MoveSequence back = walk.inverted();
      ASSERT_EQ(back.start, walk.end());
      ASSERT_EQ(back.end(), walk.start);
      const MoveSequence shorter = walk.simplified();
      ASSERT_EQ(shorter.end(), walk.end());
      ASSERT_EQ(shorter.moves.size() % 2, walk.moves.size() % 2);
      for (const char* pair : {"UD", "DU", "LR", "RL"}) {
        ASSERT_EQ(shorter.moves.find(pair), std::string::npos);
      }
      const MoveSequence mirrored = walk.reflected();
      ASSERT_EQ(mirrored.start, mirrored.goal);  // the walks begin at the goal
      ASSERT_EQ(mirrored.goal, ordered_board(size.transposed(), i % 2 == 0 ? size.cells() - 1 : 0));
      ASSERT_EQ(mirrored.reflected().end(), walk.end());
      const MoveSequence turned = walk.rotated();
      ASSERT_EQ(turned.goal, ordered_board(size, i % 2 == 0 ? 0 : size.cells() - 1));
      ASSERT_EQ(turned.start, turned.goal);
      ASSERT_EQ(turned.rotated().end(), walk.end());
      ASSERT_EQ(turned.end().size(), size);
    }
  }
}

}  // namespace
}  // namespace tessera
