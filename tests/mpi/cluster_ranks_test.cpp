// SPDX-License-Identifier: MIT
// All ranks run the tests together.
#include "cluster/messages/cluster_ranks.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "cluster/job/step.hpp"
#include "mpi/session_main.hpp"

namespace tessera {
namespace {

using Bytes = std::vector<std::byte>;

// From one rank to another: nothing, a little, or more than a message that is sent unasked.
Bytes part_of(int from, int to, int round) {
  const int kind = (from + 2 * to + round) % 3;
  return Bytes(kind == 0 ? 0 : kind == 1 ? 5 : 300'000, static_cast<std::byte>(16 * from + to));
}

TEST(ClusterRanks, AllToAllBringsEachPart) {
  ClusterRanks ranks(*session);
  for (int round = 0; round < 20; ++round) {
    Ranks::Parts parts;
    for (int to = 0; to < ranks.size(); ++to) parts.push_back(part_of(ranks.rank(), to, round));
    const Ranks::Parts received = all_to_all(ranks, std::move(parts));
    ASSERT_EQ(received.size(), static_cast<std::size_t>(ranks.size()));
    for (int from = 0; from < ranks.size(); ++from) {
      EXPECT_EQ(received[static_cast<std::size_t>(from)], part_of(from, ranks.rank(), round));
    }
  }
}

TEST(ClusterRanks, GatherHasEveryTextOnAllRanks) {
  ClusterRanks ranks(*session);
  const auto text = [](int rank) { return std::string(static_cast<std::size_t>(rank % 3), 'x'); };
  const std::vector<std::string> texts = gather(ranks, text(ranks.rank()));
  ASSERT_EQ(texts.size(), static_cast<std::size_t>(ranks.size()));
  for (int rank = 0; rank < ranks.size(); ++rank) {
    EXPECT_EQ(texts[static_cast<std::size_t>(rank)], text(rank));
  }
}

// Two transfers are under way, and rank 0 knows of a stop.
TEST(ClusterRanks, AnEmptiedTransferLeavesWhatIsThere) {
  ClusterRanks ranks(*session);
  const auto count = static_cast<std::size_t>(ranks.size());
  const auto first = ranks.transfer();
  const auto second = ranks.transfer();
  const Bytes sent(100'000, std::byte{7});
  const Bytes before(sent.size(), std::byte{1});
  for (Ranks::Transfer* transfer : {first.get(), second.get()}) {
    transfer->out.assign(count, sent);
    transfer->in.assign(count, before);
    transfer->start(ranks.rank() == 0 && transfer == second.get());
  }
  first->wait();
  second->wait();
  for (int from = 0; from < ranks.size(); ++from) {
    if (from == ranks.rank()) continue;
    EXPECT_EQ(first->in[static_cast<std::size_t>(from)], sent);
    EXPECT_EQ(second->in[static_cast<std::size_t>(from)], from == 0 ? before : sent);
  }
}

// However long the others work: they may save a checkpoint that does not fit on one rank alone.
TEST(ClusterRanks, AFailureWaitsForTheWorkOfTheOthers) {
  ClusterRanks ranks(*session);
  longest_wait = std::chrono::milliseconds(0);
  const int failing = ranks.size() - 1;
  for (int round = 0; round < 2; ++round) {
    try {
      ranks.agree("agree", [&] {
        if (ranks.rank() == failing) out_of_resources("no room");
        // Work that is longer than the failing rank waits, which is not at all.
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
      });
      ADD_FAILURE() << "nobody failed";
    } catch (const CommonError& error) {
      EXPECT_EQ(error.kind(), ErrorKind::resource);
      EXPECT_NE(std::string(error.what()).find("no room"), std::string::npos);
    }
    EXPECT_TRUE(ranks.may_continue());
  }
  longest_wait = std::chrono::seconds(3);
}

}  // namespace
}  // namespace tessera
