// SPDX-License-Identifier: MIT
#include "heuristic/length_guess.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>

#include "base/places.hpp"
#include "puzzle/builtin_set.hpp"
#include "puzzle/goal.hpp"

namespace tessera {
namespace {

TEST(Length, IsLikelyForKorfsBoards) {
  const BuiltinSet set = builtin_set("korf100", Metric::single);
  std::ifstream file(test_data("korf100_iterations.txt"));
  int beyond = 0;
  double difference = 0;
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::size_t id = 0;
    int length = 0;
    if (!(fields >> id >> length)) continue;
    const Board& board = set.boards[id - 1].board.board;
    const LengthGuess guess =
        guess_length(make_instance(board, set.goal.board(board.size())), Metric::single, 0);
    EXPECT_EQ((guess.likely - length) % 2, 0);
    EXPECT_EQ((guess.high - length) % 2, 0);
    difference += guess.likely - length;
    beyond += length > guess.high;
  }
  EXPECT_LT(std::abs(difference / 100), 1.5);
  EXPECT_LE(beyond, 6);
}

}  // namespace
}  // namespace tessera
