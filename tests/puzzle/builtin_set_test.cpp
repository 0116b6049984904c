// SPDX-License-Identifier: MIT
#include "puzzle/builtin_set.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/refusal.hpp"

namespace tessera {
namespace {

int total_length(const BuiltinSet& set) {
  int sum = 0;
  for (const SetBoard& board : set.boards) sum += board.optimal_length;
  return sum;
}

TEST(BuiltinSet, HoldsWhatTheLiteratureHas) {
  EXPECT_EQ(total_length(builtin_set("korf100", Metric::single)), 5305);
  EXPECT_EQ(total_length(builtin_set("korf50", Metric::single)), 5039);
  EXPECT_EQ(builtin_set("korf100", Metric::single).boards.size(), 100U);
  EXPECT_EQ(builtin_set("korf50", Metric::single).boards.size(), 50U);
  EXPECT_EQ(builtin_set("haskell", Metric::single).boards.size(), 8U);
  EXPECT_EQ(builtin_set("hardest15", Metric::single).boards.size(), 17U);
  EXPECT_EQ(builtin_set("hardest15", Metric::multi).boards.size(), 16U);
  EXPECT_EQ(builtin_set("deepcubea15", Metric::single).boards.size(), 500U);
  EXPECT_EQ(builtin_set("deepcubea24", Metric::single).boards.size(), 496U);
  EXPECT_EQ(builtin_set("deepcubea35", Metric::single).boards.size(), 500U);
  EXPECT_EQ(builtin_set("deepcubea48", Metric::single).boards.size(), 500U);
  EXPECT_EQ(builtin_set("clausecker400", Metric::single).boards.size(), 400U);
  EXPECT_EQ(builtin_set("deep24", Metric::single).boards.size(), 12U);
  for (const std::string& name : builtin_set_names()) {
    const BuiltinSet set = builtin_set(name, Metric::single);
    for (const SetBoard& board : set.boards) {
      const Board goal = set.goal.board(board.board.board.size());
      EXPECT_TRUE(solvable(board.board.board, goal)) << name << " " << board.board.id;
    }
  }
}

TEST(BuiltinSet, RangesPickById) {
  std::string ids;
  for (const SetBoard& board : builtin_set("korf100:3-5,42,1", Metric::single).boards) {
    ids += board.board.id + " ";
  }
  EXPECT_EQ(ids, "3 4 5 42 1 ");
  const BuiltinSet deep = builtin_set("deep24:C2,R", Metric::single);
  ASSERT_EQ(deep.boards.size(), 2U);
  EXPECT_EQ(deep.boards[0].board.id, "c2");
  EXPECT_EQ(deep.boards[1].optimal_length, 156);
  for (const char* bad : {"korf100:0", "deep24:c12", "korf100:101", "korf100:5-3", "korf100:x",
                          "korf100:", "korf100:1-", "korf", "haskel:1", "nothing"}) {
    EXPECT_THROW((void)builtin_set(bad, Metric::single), Error) << bad;
  }
  EXPECT_STREQ(refused([] { return builtin_set("korf10", Metric::single); }).what(),
               "set 'korf10' is unknown, did you mean korf100?");
}

}  // namespace
}  // namespace tessera
