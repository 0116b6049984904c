// SPDX-License-Identifier: MIT
#include "protocol/rank_protocol.hpp"

#include <gtest/gtest.h>

#include <array>

#include "random_network.hpp"

namespace tessera {
namespace {

NetworkOptions network_of(int ranks, std::uint64_t units_per_rank) {
  NetworkOptions options;
  options.place = {.rank = 0, .ranks = ranks, .threads = 1};
  options.units = units_per_rank * static_cast<std::uint64_t>(ranks);
  return options;
}

TEST(RankProtocol, ThousandRanksSearchEveryUnitOnce) {
  NetworkOptions options = network_of(1000, 2000);
  options.largest = 40'000;  // some fifty subtrees only, so nearly all work is stolen
  options.slow_ranks = 10;
  RandomNetwork network(options);
  network.run();
  EXPECT_EQ(network.ending(), Ending::exhausted);
  EXPECT_EQ(network.visited(), options.units);
  EXPECT_GT(network.stolen(), 1000U);
}

// Some sixteen ranks begin with a subtree each; the others ask for theirs and wait on their
// lifelines.
TEST(RankProtocol, FewSubtreesAreSoonOnAllRanks) {
  NetworkOptions options = network_of(1024, 5000);
  options.largest = options.units / 8;
  RandomNetwork network(options);
  network.run();
  EXPECT_EQ(network.visited(), options.units);
  EXPECT_LT(network.all_had_work_at(), 0.040);
}

// One round alone proves nothing: its ranks contribute at different times.
TEST(RankProtocol, TwoRoundsProveTheEnd) {
  RankProtocol protocol({.rank = 0, .ranks = 2, .threads = 1}, {}, Random(1));
  protocol.round_completed({.created = 5, .completed = 5}, 0.01);
  EXPECT_FALSE(protocol.ending());
  protocol.round_completed({.created = 6, .completed = 6}, 0.02);  // one was cut meanwhile
  EXPECT_FALSE(protocol.ending());
  protocol.round_completed({.created = 6, .completed = 6}, 0.03);
  EXPECT_EQ(protocol.ending(), Ending::exhausted);
}

// A driver that acts at these times and on events alone misses nothing.
TEST(RankProtocol, ReturnsWhenToActAgain) {
  struct Nothing final : RankActions {
    void ask(int, int, bool) override { ++asked; }
    std::size_t give(int, const Share&) override { return 0; }
    void refuse(int) override {}
    void cut_for(int) override {}
    void begin_round(const Round&) override { ++rounds; }
    int asked = 0;
    int rounds = 0;
  };
  Nothing actions;
  RankProtocol protocol({.rank = 0, .ranks = 9, .threads = 1}, {}, Random(1));
  const PoolLoad full{.waiting = 1, .running = 1};
  const PoolLoad last{.waiting = 0, .running = 1};
  EXPECT_EQ(protocol.act(0, full, actions), balance.round_seconds);
  EXPECT_EQ(protocol.act(balance.round_seconds, full, actions), RankProtocol::never);
  EXPECT_EQ(actions.rounds, 1);
  const double asked_at = 0.006;
  EXPECT_EQ(protocol.act(asked_at, last, actions), asked_at + balance.request_seconds);
  EXPECT_EQ(protocol.act(0.007, last, actions), asked_at + balance.request_seconds);
  EXPECT_EQ(actions.asked, 1);
  (void)protocol.act(asked_at + balance.request_seconds, last, actions);
  EXPECT_EQ(actions.asked, 2);
}

// It would give them what its own idle threads lack.
TEST(RankProtocol, ThievesDoNotWaitForARankThatLacksWork) {
  struct Counting final : RankActions {
    void ask(int, int, bool) override {}
    std::size_t give(int, const Share&) override { return 0; }
    void refuse(int) override { ++refused; }
    void cut_for(int threads) override { wanted = threads; }
    void begin_round(const Round&) override {}
    int refused = 0;
    int wanted = 0;
  };
  Counting actions;
  RankProtocol protocol({.rank = 0, .ranks = 9, .threads = 4}, {}, Random(1));
  protocol.asked_by(1, 3, false);
  (void)protocol.act(0, {.waiting = 0, .running = 2}, actions);
  EXPECT_EQ(actions.refused, 0);
  EXPECT_EQ(actions.wanted, 3);
  protocol.asked_by(2, 4, true);  // a lifeline waits in any case
  (void)protocol.act(0.001, {.waiting = 0, .running = 1}, actions);
  EXPECT_EQ(actions.refused, 1);
  EXPECT_EQ(actions.wanted, 4);
}

// Few ranks with little work: ends and steals coincide in ways that many ranks average out.
TEST(RankProtocol, EndsExactlyWhenAllIsDone) {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    NetworkOptions options = network_of(1 + static_cast<int>(seed % 7), seed % 50);
    options.place.threads = 1 + static_cast<int>(seed % 3);
    options.largest = 1 + seed % 40;
    options.slow_ranks = static_cast<int>(seed % 2);
    options.unit_seconds = 100e-6;
    options.seed = seed;
    RandomNetwork network(options);
    network.run();
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
    EXPECT_EQ(network.ending(), Ending::exhausted);
    EXPECT_EQ(network.visited(), options.units);
  }
}

TEST(RankProtocol, OtherSchedulesSearchEveryUnitOnce) {
  for (const Schedule schedule : {Schedule::dealt, Schedule::dynamic}) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      NetworkOptions options = network_of(1 + static_cast<int>(seed % 20), 200);
      options.rules = {.schedule = schedule, .cuts = false};
      options.largest = 20;
      options.seed = seed;
      RandomNetwork network(options);
      network.run();
      ASSERT_FALSE(HasFailure()) << "seed " << seed;
      EXPECT_EQ(network.visited(), options.units);
      const bool asks = schedule == Schedule::dynamic && options.place.ranks > 1;
      EXPECT_EQ(network.stolen() > 0, asks);
    }
  }
}

TEST(RankProtocol, AnEarlySolutionEndsAllRanks) {
  NetworkOptions options = network_of(1000, 50'000);
  options.goal = options.units / 3;
  options.largest = 1000;
  RandomNetwork network(options);
  network.run();
  EXPECT_EQ(network.ending(), Ending::solution);
  EXPECT_LT(network.visited(), options.units);
}

TEST(RankProtocol, ASolutionEndsNothingWhereBoundsAreIndependent) {
  NetworkOptions options = network_of(20, 500);
  options.rules = {.cuts = false, .ends_at_solution = false};
  options.goal = 7;
  RandomNetwork network(options);
  network.run();
  EXPECT_EQ(network.ending(), Ending::exhausted);
}

TEST(RankProtocol, ALimitEndsAllRanksWithinAFewRounds) {
  NetworkOptions options = network_of(1000, 50'000);
  options.stop_at = 0.1;
  RandomNetwork network(options);
  network.run();
  EXPECT_EQ(network.ending(), Ending::stopped);
  EXPECT_LT(network.visited(), options.units);
  EXPECT_LT(network.seconds(), 0.15);
}

// Whatever comes first: solutions, limits and the end of the work meet in one round.
TEST(RankProtocol, EndsOnceWhateverComesTogether) {
  std::array<int, 3> endings{};
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    NetworkOptions options = network_of(2 + static_cast<int>(seed % 9), 120);
    options.largest = 30;
    options.unit_seconds = 100e-6;
    options.goal = seed % (3 * options.units);  // often none
    options.stop_at = 30e-6 * static_cast<double>(seed % 1000);
    options.slow_ranks = static_cast<int>(seed % 3);
    options.seed = seed;
    RandomNetwork network(options);
    network.run();
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
    ++endings[static_cast<std::size_t>(network.ending())];
  }
  for (const int count : endings) EXPECT_GT(count, 50);
}

// Idle ranks wait on their lifelines; they do not ask around for ever.
TEST(RankProtocol, IdleRanksAskLittle) {
  NetworkOptions options = network_of(64, 0);
  options.units = 20'000;
  options.largest = 20'000;
  options.rules.cuts = false;  // one rank searches, nobody can help
  RandomNetwork network(options);
  network.run();
  EXPECT_GT(network.seconds(), 0.1);
  EXPECT_LT(network.requests(), 64U * 16);
}

TEST(Share, LeavesAsMuchForTheVictimAndForEachThiefBehind) {
  EXPECT_EQ((Share{.thieves = 1, .idle = false, .most = 100}).of(10), 5U);
  EXPECT_EQ((Share{.thieves = 4, .idle = false, .most = 100}).of(10), 2U);
  EXPECT_EQ((Share{.thieves = 1, .idle = false, .most = 100}).of(1), 0U);
  EXPECT_EQ((Share{.thieves = 1, .idle = true, .most = 100}).of(1), 1U);
  EXPECT_EQ((Share{.thieves = 1, .idle = true, .most = 100}).of(0), 0U);
  EXPECT_EQ((Share{.thieves = 1, .idle = true, .most = 3}).of(10), 3U);
}

TEST(Deal, GivesTheCostliestToTheLeastLoaded) {
  const std::vector<double> costs{1, 9, 4, 5, 2};
  using Dealt = std::vector<std::vector<std::uint32_t>>;
  EXPECT_EQ(deal(costs, std::vector{1, 1}, Schedule::stealing), (Dealt{{1, 4}, {3, 2, 0}}));
  EXPECT_EQ(deal(costs, std::vector{4, 1}, Schedule::dealt), (Dealt{{1, 2, 4, 0}, {3}}));
  EXPECT_EQ(deal({}, std::vector{1, 1}, Schedule::dealt), (Dealt{{}, {}}));
}

// So that whoever begins with nothing is near to one that has a subtree.
TEST(Deal, SpreadsFewSubtreesOverAllRanks) {
  const std::vector<int> threads(1000, 1);
  for (const std::size_t subtrees : {1U, 7U, 250U, 999U}) {
    const auto dealt = deal(std::vector<double>(subtrees, 5), threads, Schedule::stealing);
    const std::size_t stride = (1000 + subtrees - 1) / subtrees;
    std::size_t without = 0;  // ranks in a row
    std::size_t all = 0;
    for (const auto& of_rank : dealt) {
      EXPECT_LE(of_rank.size(), 1U);
      all += of_rank.size();
      without = of_rank.empty() ? without + 1 : 0;
      if (subtrees > 1) {
        EXPECT_LT(without, 2 * stride) << subtrees;
      }
    }
    EXPECT_EQ(all, subtrees);
  }
}

TEST(Deal, LeavesTheStoreToTheMasterWhereRanksComeBack) {
  const std::vector<double> costs(100, 1);
  const auto dealt = deal(costs, std::vector{1, 1, 2}, Schedule::dynamic);
  EXPECT_EQ(dealt[0].size(), 100U - 2 - 4);
  EXPECT_EQ(dealt[1].size(), 2U);
  EXPECT_EQ(dealt[2].size(), 4U);
}

}  // namespace
}  // namespace tessera
