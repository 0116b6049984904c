// SPDX-License-Identifier: MIT
// What ranks send one another, without other ranks.
#include "cluster/messages/messages.hpp"

#include <gtest/gtest.h>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/packed_iarchive.hpp>
#include <boost/mpi/packed_oarchive.hpp>
#include <numeric>

#include "cluster/messages/node_mail.hpp"
#include "mpi/session_main.hpp"
#include "protocol/rank_protocol.hpp"
#include "random_messages.hpp"
#include "search/built_in_problem.hpp"

namespace tessera {
namespace {

template <class Message>
class Messages : public testing::Test {};

using Types =
    testing::Types<Notice, RankInfo, CensusTask, Problem, Task, BeamOptions, BestFirstOptions,
                   BatchStart, std::vector<BoardJob>, std::vector<BoardOutcome>,
                   std::vector<PooledItem>, std::vector<FinishedSubtree>, RankResult,
                   BestFirstShare, std::vector<IterationReport>, std::vector<Span>,
                   std::vector<int>, std::string>;
TYPED_TEST_SUITE(Messages, Types);

TYPED_TEST(Messages, ArriveWithAllMembers) {
  const boost::mpi::communicator world;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    RandomMessages random(seed, seed % 6);
    const auto sent = random.next<TypeParam>();
    auto received = random.next<TypeParam>();  // nothing of it may stay
    boost::mpi::packed_oarchive out(world);
    out << sent;
    boost::mpi::packed_iarchive in(world, out.size());
    std::copy_n(static_cast<const char*>(out.address()), out.size(),
                static_cast<char*>(in.address()));
    in >> received;
    ASSERT_TRUE(equal(sent, received)) << "seed " << seed;
  }
}

TYPED_TEST(Messages, TravelWhenTheyAreLarge) {
  const boost::mpi::communicator world;
  RandomMessages random(1, 40);
  auto sent = random.next<TypeParam>();
  if constexpr (requires { sent.resize(100'000); }) sent.resize(100'000);
  boost::mpi::request request = world.isend(0, tag_work, sent);
  TypeParam received{};
  world.recv(0, tag_work, received);
  request.wait();
  EXPECT_TRUE(equal(sent, received));
}

template <class Message>
std::size_t packed_bytes(const Message& message) {
  return packed(boost::mpi::communicator{}, message).size();
}

// The table in docs/architecture.md.
TEST(MessageSizes, AreAsDocumented) {
  const std::string path(30, 'U');
  EXPECT_NEAR(static_cast<double>(packed_bytes(built_in_problem("korf100:1"))), 150, 60);
  EXPECT_EQ(packed_bytes(Task{}), 32U);
  EXPECT_EQ(packed_bytes(Notice{}), 1024U);
  EXPECT_EQ(packed_bytes(std::vector<PooledItem>{}), 14U);
  RankResult nothing;
  nothing.seconds.resize(1 + 2);
  EXPECT_NEAR(static_cast<double>(packed_bytes(nothing)), 80 + 8 * 2, 4);
  RankResult of_two = nothing;
  of_two.seconds.resize(2 * (1 + 2));
  EXPECT_EQ(packed_bytes(of_two), packed_bytes(nothing) + 8 + 8 * 2);
  for (const std::size_t n : {1U, 8U, 64U}) {
    EXPECT_EQ(packed_bytes(std::vector<PooledItem>(n, {7, {path, 1.5}})), 16 + n * (20 + 30));
    const std::vector<FinishedSubtree> finished(n, {path, {}, 0, path});
    EXPECT_EQ(packed_bytes(finished), 16 + n * (36 + 2 * 30));
    RankResult traced = nothing;
    traced.found.tracks.resize(1);
    traced.found.tracks[0].spans.resize(n);
    EXPECT_NEAR(static_cast<double>(packed_bytes(traced) - packed_bytes(nothing)),
                32 + 56 * static_cast<double>(n), 4);
  }
  EXPECT_EQ(sizeof(Round), 48U);
  EXPECT_EQ(packed_bytes(BestFirstOptions{}), 16U);
  EXPECT_EQ(packed_bytes(BeamOptions{}), 32U);
  EXPECT_NEAR(static_cast<double>(packed_bytes(BestFirstShare{})), 85, 4);
  EXPECT_EQ(packed_bytes(BatchStart{}), 32U);
  const std::vector<BoardJob> boards{{1, built_in_problem("korf100:1")},
                                     {2, built_in_problem("korf100:1")},
                                     {3, built_in_problem("korf100:1")}};
  EXPECT_NEAR(static_cast<double>(packed_bytes(boards)),
              15 + 3 * (8 + static_cast<double>(packed_bytes(built_in_problem("korf100:1")))), 10);
}

// It has batches for what arrives and for ranks that it has nodes for, and uses them again.
TEST(NodeMail, TakesMemoryForWhatIsUnderWay) {
  using Mail = NodeMail<std::uint64_t>;
  constexpr std::size_t batch_bytes = Mail::batch_nodes * sizeof(std::uint64_t);
  MemoryBudget budget(34 * batch_bytes);
  Mail mail(*session, budget);
  EXPECT_EQ(budget.used(), 32 * batch_bytes);
  std::uint64_t sum = 0;
  for (std::uint64_t node = 1; node <= 10'000; ++node) {
    mail.add(0, node);
    if (node % 100 == 0) mail.flush();
    mail.receive([&](std::span<const std::uint64_t> nodes) {
      sum = std::accumulate(nodes.begin(), nodes.end(), sum);
    });
    mail.forget_sent();
  }
  EXPECT_EQ(mail.sent(), 10'000U);
  EXPECT_EQ(mail.received(), 10'000U);
  EXPECT_EQ(sum, 10'000U * 10'001U / 2);
  EXPECT_LE(budget.used(), 34 * batch_bytes);
  mail.close();
}

TEST(NodeMail, StopsWhereTheMemoryIsFull) {
  using Mail = NodeMail<std::uint64_t>;
  MemoryBudget budget(32 * Mail::batch_nodes * sizeof(std::uint64_t));
  Mail mail(*session, budget);
  EXPECT_THROW(mail.add(0, 1), MemoryFull);
  mail.close();
}

}  // namespace
}  // namespace tessera
