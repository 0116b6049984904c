// SPDX-License-Identifier: MIT
#include "compare/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.hpp"

namespace tessera {
namespace {

using Sample = std::vector<double>;

TEST(Statistics, SpreadIsMedianAndEnds) {
  const Spread odd = spread_of(Sample{3, 1, 9});
  EXPECT_EQ(odd.median, 3);
  EXPECT_EQ(odd.min, 1);
  EXPECT_EQ(odd.max, 9);
  EXPECT_EQ(spread_of(Sample{4, 1, 9, 2}).median, 3);
  EXPECT_EQ(spread_of(Sample{7}).median, 7);
  EXPECT_EQ(median_index(Sample{3, 1, 9}), 0U);
  EXPECT_EQ(median_index(Sample{4, 1, 9, 2}), 3U);  // the lower one of two
}

// Values of the tables for n = m of the exact test.
TEST(Statistics, ChanceIsThatOfTheExactRankTest) {
  EXPECT_NEAR(chance_of_difference(Sample{1, 2, 3}, Sample{4, 5, 6}), 2.0 / 20, 1e-12);
  EXPECT_NEAR(chance_of_difference(Sample{1, 2, 3, 4}, Sample{5, 6, 7, 8}), 2.0 / 70, 1e-12);
  EXPECT_NEAR(chance_of_difference(Sample{1, 2, 3, 4, 5}, Sample{6, 7, 8, 9, 10}), 2.0 / 252,
              1e-12);
  // One pair out of order: U = 1.
  EXPECT_NEAR(chance_of_difference(Sample{1, 2, 3, 4, 6}, Sample{5, 7, 8, 9, 10}), 4.0 / 252,
              1e-12);
  EXPECT_NEAR(chance_of_difference(Sample{1, 4}, Sample{2, 3}), 1, 1e-12);
  EXPECT_EQ(chance_of_difference(Sample{}, Sample{1}), 1);
}

TEST(Statistics, TiesShareTheirRanks) {
  EXPECT_NEAR(chance_of_difference(Sample{5, 5, 5, 5}, Sample{5, 5, 5, 5}), 1, 1e-12);
  // Ranks 1, 2.5 against 2.5, 4: of six choices four lie as far from the middle.
  EXPECT_NEAR(chance_of_difference(Sample{1, 2}, Sample{2, 3}), 4.0 / 6, 1e-12);
}

TEST(Statistics, ChanceIsSymmetricAndKnowsNoUnits) {
  Random random(1);
  for (int i = 0; i < 50; ++i) {
    Sample a(4 + random.below(4));
    Sample b(4 + random.below(4));
    for (double& x : a) x = static_cast<double>(random.below(20));
    for (double& x : b) x = static_cast<double>(random.below(25));
    const double chance = chance_of_difference(a, b);
    EXPECT_NEAR(chance_of_difference(b, a), chance, 1e-12);
    for (Sample* sample : {&a, &b}) {
      for (double& x : *sample) x = std::exp(x);
    }
    EXPECT_NEAR(chance_of_difference(a, b), chance, 1e-12);
  }
}

// Of samples from one source one in twenty at most is called a difference.
TEST(Statistics, NoiseIsSeldomTakenForADifference) {
  Random random(2);
  int wrong = 0;
  constexpr int trials = 4000;
  for (int trial = 0; trial < trials; ++trial) {
    Sample a(5);
    Sample b(5);
    for (Sample* sample : {&a, &b}) {
      for (double& x : *sample) x = static_cast<double>(random.below(1'000'000));
    }
    wrong += chance_of_difference(a, b) < noise_chance ? 1 : 0;
  }
  EXPECT_LT(wrong, trials * noise_chance);
  EXPECT_GT(wrong, trials / 100);  // nor is it deaf
}

TEST(Statistics, OneSlowRunDecidesNothing) {
  EXPECT_LT(chance_of_difference(Sample{1.0, 1.1, 1.2, 1.1, 9.9}, Sample{2.0, 2.1, 2.2, 2.1, 2.0}),
            0.15);
  EXPECT_LT(
      chance_of_difference(Sample{1, 1.1, 1.2, 1.1, 1.0, 9.9}, Sample{2, 2.1, 2.2, 2.1, 2, 2}),
      noise_chance);
}

TEST(Statistics, FiftyRunsEachAreQuick) {
  Sample a(50);
  Sample b(50);
  for (std::size_t i = 0; i < 50; ++i) {
    a[i] = static_cast<double>(i);
    b[i] = static_cast<double>(i) + 100;
  }
  EXPECT_LT(chance_of_difference(a, b), 1e-20);
}

}  // namespace
}  // namespace tessera
