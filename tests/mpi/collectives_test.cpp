// SPDX-License-Identifier: MIT
// All ranks run the tests together.
#include "cluster/messages/collectives.hpp"

#include <gtest/gtest.h>

#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "cluster/job/job_state.hpp"
#include "mpi/session_main.hpp"

namespace tessera {
namespace {

// What a rank sends or gets: nothing, a little, or more than a message that is sent unasked.
std::string part_of(int rank, int round) {
  const std::size_t length = (rank + round) % 3 == 0 ? 0 : (rank + round) % 3 == 1 ? 5 : 300'000;
  return std::string(length, static_cast<char>('a' + (rank + round) % 26));
}

// The message names half a minute; tests that wait for it set less.
TEST(Silence, IsReportedAfterHalfAMinute) {
  EXPECT_EQ(longest_silence, std::chrono::seconds(30));
}

TEST(Collectives, ScatterGivesEachRankItsPart) {
  for (int round = 0; round < 30; ++round) {
    std::vector<std::string> by_rank;
    if (session->rank() == master_rank) {
      for (int rank = 0; rank < session->size(); ++rank) by_rank.push_back(part_of(rank, round));
    }
    EXPECT_EQ(scatter(*session, by_rank), part_of(session->rank(), round));
  }
}

TEST(Collectives, GatherHasEachPartInTheOrderOfRanks) {
  for (int round = 0; round < 30; ++round) {
    const std::vector<std::string> parts = gather(*session, part_of(session->rank(), round));
    if (session->rank() != master_rank) continue;
    ASSERT_EQ(parts.size(), static_cast<std::size_t>(session->size()));
    for (int rank = 0; rank < session->size(); ++rank) {
      EXPECT_EQ(parts[static_cast<std::size_t>(rank)], part_of(rank, round));
    }
  }
}

TEST(Collectives, GatherMergesEachRankOnce) {
  const int ranks = session->size();
  const int sum = gather_merged(*session, 1 + session->rank(), [](int& a, int b) { a += b; });
  if (session->rank() == master_rank) {
    EXPECT_EQ(sum, ranks * (ranks + 1) / 2);
  }
}

}  // namespace
}  // namespace tessera
