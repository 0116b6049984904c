// SPDX-License-Identifier: MIT
#include "base/random.hpp"

#include <gtest/gtest.h>

#include <array>

namespace tessera {
namespace {

// Pinned: a seed must give the same boards with every compiler and in every version.
TEST(Random, FirstValuesAreThoseOfSplitmix64) {
  Random random(0);
  EXPECT_EQ(random.next(), 0xe220a8397b1dcdafULL);
  EXPECT_EQ(random.next(), 0x6e789e6aa1b965f4ULL);
  EXPECT_EQ(random.next(), 0x06c45d188009454fULL);
}

TEST(Random, BelowIsEven) {
  Random random(1);
  std::array<int, 7> hits{};
  constexpr int draws = 70'000;
  for (int i = 0; i < draws; ++i) ++hits.at(random.below(hits.size()));
  for (const int count : hits) EXPECT_NEAR(count, draws / 7, 400);
}

}  // namespace
}  // namespace tessera
