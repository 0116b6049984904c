// SPDX-License-Identifier: MIT
#include "census/common_items.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <deque>
#include <thread>
#include <vector>

#include "census/team.hpp"
#include "thread_exchange.hpp"

namespace tessera {
namespace {

TEST(CommonItems, AreEachTakenOnce) {
  constexpr std::size_t most = 5000;
  const std::vector<std::size_t> rounds{most, 0, 1, 7, 2, most, 3, 100, most};
  for (const int ranks : {2, 3, 5}) {
    std::deque<std::atomic<int>> taken(most);
    std::vector<std::size_t> others_part(std::size_t(ranks), 0);
    ThreadRanks(ranks, ranks).run([&](Exchange& exchange) {
      CommonItems items(exchange);
      Team team(1 + exchange.rank() % 2);
      const auto rank = std::size_t(exchange.rank());
      std::array<std::uint64_t, 1> nothing{};
      for (std::size_t round = 0; round < rounds.size(); ++round) {
        const std::size_t count = rounds[round];
        items.begin(count);
        // The last rank comes late to some rounds: others do its part.
        if (round % 3 == 0 && exchange.rank() == ranks - 1) {
          std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
        std::atomic<std::size_t> helped{0};
        team.share(
            count, [&] { return items.next(); },
            [&](std::size_t item, int) {
              ++taken.at(item);
              if (item < count * rank / std::size_t(ranks)) ++helped;
              if (item >= count * (rank + 1) / std::size_t(ranks)) ++helped;
            },
            {});
        others_part[rank] += helped;
        exchange.sum(nothing);
        if (exchange.rank() == 0) {
          std::size_t wrong = 0;
          for (std::size_t item = 0; item < most; ++item) {
            if (taken[item].exchange(0) != (item < count ? 1 : 0)) ++wrong;
          }
          EXPECT_EQ(wrong, 0U) << "of " << count;
        }
        exchange.sum(nothing);
      }
    });
    EXPECT_GT(others_part[0], 100U);
  }
}

}  // namespace
}  // namespace tessera
