// SPDX-License-Identifier: MIT
#include "compare/time_left.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace tessera {
namespace {

void run(TimeLeft& left, std::size_t configuration, double seconds) {
  left.begins(configuration);
  left.ended(seconds);
}

TEST(TimeLeft, WeighsConfigurationsByTheirTimes) {
  TimeLeft left(2, 5);
  EXPECT_EQ(left.estimate().done, 0);
  run(left, 0, 98);
  EXPECT_FALSE(left.estimate().seconds_left);  // the other one has not run yet
  run(left, 1, 2);
  EXPECT_DOUBLE_EQ(*left.estimate().seconds_left, 400);
  EXPECT_DOUBLE_EQ(left.estimate().done, 0.2);
  run(left, 1, 2);  // one of eight runs that are left, but little of the time
  EXPECT_DOUBLE_EQ(*left.estimate().seconds_left, 398);
  left.begins(0);
  EXPECT_DOUBLE_EQ(*left.estimate(49).seconds_left, 349);
  EXPECT_DOUBLE_EQ(*left.estimate(120).seconds_left, 300 + 0.01 * 98);  // longer than ever
}

// In whatever order the configurations run, no step changes what is expected of the rest.
TEST(TimeLeft, DoesNotJump) {
  constexpr std::array<double, 3> seconds{0.5, 4, 60};
  for (std::array<std::size_t, 3> order{0, 1, 2};;) {
    TimeLeft left(3, 4);
    double spent = 0;
    for (int repetition = 0; repetition < 4; ++repetition) {
      for (const std::size_t i : order) {
        run(left, i, seconds[i]);
        spent += seconds[i];
        if (const auto rest = left.estimate().seconds_left) {
          EXPECT_NEAR(*rest, 4 * 64.5 - spent, 1e-9);
          EXPECT_NEAR(left.estimate().done, spent / (4 * 64.5), 1e-9);
        } else {
          EXPECT_EQ(repetition, 0);
        }
      }
    }
    if (!std::next_permutation(order.begin(), order.end())) break;
  }
}

TEST(TimeLeft, TheFirstRunOfAConfigurationMayTakeLongerThanAllOthers) {
  TimeLeft left(2, 2);
  run(left, 0, 1);
  left.begins(1);
  // Each of its two runs takes 999 s at least.
  EXPECT_NEAR(left.estimate(999).done, 0.5, 0.01);
}

TEST(TimeLeft, IsNotOverWhileARunIsLeft) {
  for (const int repeat : {1, 2}) {
    TimeLeft left(2, repeat);
    for (int i = 1; i < 2 * repeat; ++i) run(left, static_cast<std::size_t>(i % 2), 1);
    left.begins(0);
    EXPECT_LT(left.estimate(1).done, 0.999) << repeat;
    EXPECT_LT(left.estimate(1000).done, 1) << repeat;
    left.ended(1000);
    EXPECT_EQ(left.estimate().done, 1) << repeat;
  }
}

TEST(TimeLeft, AConfigurationThatWasCutTakesNoMore) {
  TimeLeft left(2, 3);
  run(left, 0, 10);
  left.begins(1);
  left.ended(1);
  left.cut(1);
  EXPECT_DOUBLE_EQ(*left.estimate().seconds_left, 20);
}

}  // namespace
}  // namespace tessera
