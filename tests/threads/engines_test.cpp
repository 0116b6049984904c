// SPDX-License-Identifier: MIT
// Threads inside best-first search, and boards side by side.
#include <gtest/gtest.h>

#include "base/thinned.hpp"
#include "puzzle/goal.hpp"
#include "puzzle/random_board.hpp"
#include "search/backend.hpp"
#include "search/solving.hpp"
#include "threads/threads_executor.hpp"

namespace tessera {
namespace {

Problem random_problem(Size size, std::uint64_t seed, int moves) {
  const Board goal = Goal().board(size);
  Random random(seed);
  return {make_instance(scrambled(goal, moves, random), goal), "manhattan"};
}

TEST(InnerParallel, FindsWhatOneThreadFinds) {
  Observer nobody;
  ThreadsExecutor threads(3);
  for (std::uint64_t seed = 1; seed <= (all_cases() ? 4 : 2); ++seed) {
    const Problem problem = random_problem({4, 3}, seed, 40);
    BestFirstOptions options;
    options.memory_bytes = std::uint64_t{1} << 28;
    const SearchResult alone = best_first(problem, options, {}, nobody);
    for (const auto parallel : {InnerParallel::neighbors, InnerParallel::distance}) {
      options.parallel = parallel;
      const SearchResult team = threads.best_first(problem, options, {}, nobody);
      EXPECT_EQ(team.solution, alone.solution);
      EXPECT_EQ(team.counts, alone.counts);
      ASSERT_EQ(team.times.size(), 3U);
      for (const WorkerTimes& thread : team.times) EXPECT_EQ(thread.search, team.seconds);
    }
    options.parallel = InnerParallel::queues;
    for (const int queues : {1, 2, 7}) {
      options.queues = queues;
      const SearchResult race = threads.best_first(problem, options, {}, nobody);
      ASSERT_TRUE(leads_to_goal(problem, race));
      EXPECT_EQ(race.times.size(), static_cast<std::size_t>(queues));
      EXPECT_GE(race.solution->size(), alone.solution->size());
      if (race.optimal) {
        EXPECT_EQ(race.solution->size(), alone.solution->size());
      }
      if (queues == 1) {
        EXPECT_TRUE(race.optimal);
        EXPECT_EQ(race.counts, alone.counts);
      }
    }
  }
}

TEST(InnerParallel, QueuesShareTheirMemoryAndStop) {
  Observer nobody;
  ThreadsExecutor threads(2);
  const Board board = parse_board("15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0", {});  // 80 moves
  const Problem problem{make_instance(board, Goal(Goal::Kind::first).board({4, 4})), "manhattan"};
  BestFirstOptions options;
  options.parallel = InnerParallel::queues;
  options.queues = 2;
  options.memory_bytes = 4'000'000;
  const SearchResult full = threads.best_first(problem, options, {}, nobody);
  EXPECT_EQ(full.stop, Stop::memory);
  EXPECT_LE(full.bytes, options.memory_bytes);
  const std::atomic<bool> interrupted{true};
  Limits limits;
  limits.interrupted = &interrupted;
  options.memory_bytes = std::uint64_t{1} << 30;
  EXPECT_EQ(threads.best_first(problem, options, limits, nobody).stop, Stop::interrupted);
}

TEST(Boards, SideBySideAreWhatTheyAreAlone) {
  std::vector<BoardJob> jobs;
  for (std::uint32_t i = 0; i < 60; ++i) jobs.push_back({i, random_problem({3, 3}, i, 60)});
  const auto solved = [&](Backend& executor, const BatchOptions& options) {
    std::vector<std::optional<BoardOutcome>> outcomes(jobs.size());
    const auto times = executor.solve_boards(jobs, options, {}, [&](BoardOutcome outcome) {
      auto& place = outcomes[outcome.index];
      EXPECT_FALSE(place) << "told twice";
      place = std::move(outcome);
    });
    EXPECT_EQ(static_cast<int>(times.size()), executor.workers());
    return outcomes;
  };
  SerialExecutor one;
  ThreadsExecutor several(4);
  const auto truth = solved(one, {});
  const auto same = solved(several, {});
  BatchOptions easy_only;
  easy_only.easy_nodes = 500;
  const auto some = solved(several, easy_only);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    ASSERT_TRUE(truth[i] && same[i] && some[i]);
    EXPECT_TRUE(leads_to_goal(jobs[i].problem, same[i]->result));
    EXPECT_EQ(same[i]->result.solution, truth[i]->result.solution);
    EXPECT_EQ(same[i]->result.counts, truth[i]->result.counts);
    EXPECT_EQ(some[i]->too_hard, !some[i]->result.solution.has_value());
    const std::uint64_t generated = truth[i]->result.counts.generated;
    if (generated > 2000) {
      EXPECT_TRUE(some[i]->too_hard) << i;
    }
    if (generated < 400) {
      EXPECT_FALSE(some[i]->too_hard) << i;
    }
  }
}

TEST(Boards, AnInterruptionLeavesTheRest) {
  std::vector<BoardJob> jobs;
  for (std::uint32_t i = 0; i < 50; ++i) jobs.push_back({i, random_problem({4, 4}, i, 200)});
  std::atomic<bool> interrupted{false};
  Limits limits;
  limits.interrupted = &interrupted;
  ThreadsExecutor executor(2);
  std::size_t told = 0;
  executor.solve_boards(std::move(jobs), {}, limits, [&](const BoardOutcome&) {
    ++told;
    interrupted = true;
  });
  EXPECT_GE(told, 1U);
  EXPECT_LT(told, 50U);
}

}  // namespace
}  // namespace tessera
