// SPDX-License-Identifier: MIT
#include "census/ranks/memory_sweep.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <deque>
#include <numeric>
#include <thread>
#include <vector>

#include "base/thread_ranks.hpp"
#include "base/thread_team.hpp"

namespace tessera {
namespace {

TEST(CommonItems, AreEachTakenOnce) {
  constexpr std::size_t most = 5000;
  const std::vector<std::size_t> rounds{most, 0, 1, 7, 2, most, 3, 100, most};
  for (const int ranks : {2, 3, 5}) {
    std::deque<std::atomic<int>> taken(most);
    std::atomic<std::size_t> done{0};  // of the round
    std::vector<std::size_t> others_part(std::size_t(ranks), 0);
    ThreadRanks(ranks, true).run([&](Ranks& job) {
      CommonItems items(job, job.common(CommonItems::bytes(ranks)));
      ThreadTeam team(1 + job.rank() % 2);
      const auto rank = std::size_t(job.rank());
      std::array<std::uint64_t, 1> nothing{};
      for (std::size_t round = 0; round < rounds.size(); ++round) {
        const std::size_t count = rounds[round];
        items.begin(count);
        // The last rank is late to some rounds, until others have done its part too.
        while (round % 3 == 0 && job.rank() == ranks - 1 && done < count) {
          std::this_thread::yield();
        }
        std::atomic<std::size_t> helped{0};
        team.share(
            count,
            [&](std::size_t item, int) {
              ++taken.at(item);
              ++done;
              if (item < count * rank / std::size_t(ranks)) ++helped;
              if (item >= count * (rank + 1) / std::size_t(ranks)) ++helped;
            },
            {}, [&] { return items.next(); });
        others_part[rank] += helped;
        job.sum(nothing);
        if (job.rank() == 0) {
          std::size_t wrong = 0;
          for (std::size_t item = 0; item < most; ++item) {
            if (taken[item].exchange(0) != (item < count ? 1 : 0)) ++wrong;
          }
          EXPECT_EQ(wrong, 0U) << "of " << count;
          done = 0;
        }
        job.sum(nothing);
      }
    });
    EXPECT_GT(std::accumulate(others_part.begin(), others_part.end(), std::size_t{0}), most / 5);
  }
}

}  // namespace
}  // namespace tessera
