// SPDX-License-Identifier: MIT
#include "threads/threads_executor.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/temporary_folder.hpp"
#include "puzzle/random_board.hpp"
#include "search/built_in_problem.hpp"
#include "search/solving.hpp"
#include "threads/board_pool.hpp"

namespace tessera {
namespace {

using namespace std::chrono_literals;

class Threads : public testing::TestWithParam<int> {};

TEST_P(Threads, CountAsOneDoes) {
  SerialExecutor serial;
  ThreadsExecutor executor(GetParam());
  EXPECT_EQ(executor.workers(), GetParam());
  for (const Kernel kernel : {Kernel::plain, Kernel::bucket}) {
    const Problem problem = built_in_problem("korf100:12", "manhattan", kernel);
    IdaStarOptions options;
    options.finish_iteration = true;
    const SearchResult expected = solve(serial, problem, options);
    for (const Schedule schedule : {Schedule::dealt, Schedule::dynamic, Schedule::stealing}) {
      options.schedule = schedule;
      options.frontier = 60;
      const SearchResult result = solve(executor, problem, options);
      EXPECT_EQ(result.counts, expected.counts);
      EXPECT_EQ(result.solution, expected.solution);
      ASSERT_EQ(result.iterations.size(), expected.iterations.size());
      for (std::size_t i = 0; i < result.iterations.size(); ++i) {
        EXPECT_EQ(result.iterations[i].counts, expected.iterations[i].counts);
      }
      EXPECT_EQ(result.times.size(), static_cast<std::size_t>(GetParam()));
    }
  }
}

TEST_P(Threads, FindOptimalSolutionsBoardAfterBoard) {
  ThreadsExecutor executor(GetParam());
  IdaStarOptions options;
  options.frontier = 30;
  for (const auto& [spec, length] :
       {std::pair{"haskell:5", 30}, {"haskell:6", 36}, {"haskell:1", 3}, {"haskell:8", 40}}) {
    for (const bool independent : {false, true}) {
      options.independent = independent;
      const SearchResult result = solve(executor, built_in_problem(spec), options);
      ASSERT_TRUE(result.solution) << spec;
      EXPECT_EQ(static_cast<int>(result.solution->size()), length);
      EXPECT_TRUE(result.optimal);
    }
  }
}

TEST_P(Threads, StopAtLimits) {
  ThreadsExecutor executor(GetParam());
  Limits limits;
  limits.deadline = std::chrono::steady_clock::now() + 100ms;
  const SearchResult result =
      solve(executor, built_in_problem("korf100:88", "manhattan", Kernel::plain), {}, limits);
  EXPECT_EQ(result.stop, Stop::time_limit);
  EXPECT_FALSE(result.solution);
  EXPECT_LT(result.seconds, 10);
  // And the pool is fit for the next board.
  IdaStarOptions options;
  options.frontier = 10;
  EXPECT_EQ(solve(executor, built_in_problem("haskell:5"), options).solution->size(), 30U);
}

// Lengths are runs there, not letters: a longer text may be the shorter solution.
TEST_P(Threads, SolveInMetricMulti) {
  const TemporaryFolder tables;
  Random random(71);
  const Board goal = Goal().board({4, 3});
  ThreadsExecutor executor(GetParam());
  SerialExecutor serial;
  for (int i = 0; i < 3; ++i) {
    Problem problem{make_instance(random_board(goal, random), goal), "lines"};
    problem.metric = Metric::multi;
    problem.table_directory = tables.text();
    IdaStarOptions options;
    options.finish_iteration = true;
    const SearchResult expected = solve(serial, problem, options);
    options.frontier = 60;
    const SearchResult result = solve(executor, problem, options);
    EXPECT_EQ(result.counts, expected.counts);
    EXPECT_EQ(result.solution, expected.solution);
    options.finish_iteration = false;
    options.independent = true;
    const SearchResult independent = solve(executor, problem, options);
    EXPECT_EQ(solution_length(*independent.solution, Metric::multi),
              solution_length(*expected.solution, Metric::multi));
    EXPECT_TRUE(independent.optimal);
  }
}

INSTANTIATE_TEST_SUITE_P(Counts, Threads, testing::Values(1, 2, 4));

TEST(SubtreePool, AnExceptionReachesTheCaller) {
  ThreadsExecutor executor(2);
  executor.begin(built_in_problem("haskell:5", "no such heuristic"));
  Observer nobody;
  const Limits unlimited;
  Monitor monitor(unlimited, nobody, {});
  const std::vector<WorkItem> items{{"", 1}};
  EXPECT_THROW((void)executor.execute(items, {40, Mode::first}, monitor), Error);
  executor.begin(built_in_problem("haskell:5"));
  EXPECT_TRUE(executor.execute(items, {30, Mode::first}, monitor).solution);
}

TEST(SubtreePool, NoItemIsLostOrDoneTwice) {
  SubtreePool giver(1);
  SubtreePool taker(2);
  const Problem problem = built_in_problem("korf100:12");
  for (SubtreePool* pool : {&giver, &taker}) {
    pool->set_problem(problem);
    pool->start({37, Mode::exhaust});
  }
  std::vector<PooledItem> items;
  constexpr std::uint32_t count = 200;
  for (std::uint32_t i = 0; i < count; ++i) items.push_back({i, {"", static_cast<double>(i)}});
  giver.add(std::move(items));
  taker.add(giver.give_away({.thieves = 1, .idle = true, .most = 50}));
  taker.add(giver.give_away({.thieves = 3, .idle = true, .most = 1000}));
  taker.add(giver.give_away({.thieves = 2, .idle = false, .most = 1000}));
  std::vector<std::uint64_t> done(count, 0);
  for (SubtreePool* pool : {&giver, &taker}) {
    while (pool->status().waiting + pool->status().running > 0) pool->wait(1ms);
    pool->quiesce();
    const auto expanded = pool->collect(count).expanded;
    for (std::size_t i = 0; i < expanded.size(); ++i) done.at(i) += expanded[i];
  }
  EXPECT_GT(done[0], 0U);
  EXPECT_EQ(done, std::vector<std::uint64_t>(count, done[0]));
}

// Of a subtree that takes minutes though a moment was expected, a checkpoint has nearly all that
// was searched of it.
TEST(SubtreePool, ReportsPartsOfASubtreeThatTakesLongerThanExpected) {
  struct Journal final : SearchJournal {
    void subtrees_finished(int /*bound*/, const std::vector<FinishedSubtree>& finished,
                           double /*seconds*/) override {
      for (const FinishedSubtree& subtree : finished) expanded += subtree.counts.expanded;
    }
    void iteration_finished(const IterationReport& /*report*/, int /*next*/) override {}
    void beam_finished(const FinishedBeam& /*beam*/) override {}
    std::uint64_t expanded = 0;
  };
  ThreadsExecutor executor(1);
  executor.begin(built_in_problem("korf100:88", "manhattan", Kernel::plain));
  Observer nobody;
  Limits limits;
  limits.deadline = std::chrono::steady_clock::now() + 1s;
  Journal journal;
  Monitor monitor(limits, nobody, {}, &journal);
  const std::vector<WorkItem> items{{"", 1}};
  const Execution cut = executor.execute(
      items, {.bound = 65, .mode = Mode::exhaust, .report_seconds = 0.05}, monitor);
  EXPECT_EQ(cut.stop, Stop::time_limit);
  EXPECT_GT(journal.expanded, cut.counts.expanded / 2);
}

// As where another rank fails.
TEST(BoardPool, LeavesABoardThatTakesLong) {
  const auto began = std::chrono::steady_clock::now();
  {
    BoardPool pool(2, {}, {});
    pool.add({{0, built_in_problem("korf100:88", "manhattan", Kernel::plain)}});
    while (pool.waiting() > 0) EXPECT_TRUE(pool.take_done(1ms).empty());
  }
  EXPECT_LT(std::chrono::steady_clock::now() - began, 10s);
}

class GivingPool : public testing::TestWithParam<Mode> {};

TEST_P(GivingPool, GivesAtMostHalfAndTheCostliestFirst) {
  SubtreePool pool(1);
  pool.set_problem(built_in_problem("korf100:88", "manhattan", Kernel::plain));
  pool.start({63, GetParam()});  // long enough that the rest stays in the queue
  // The costliest has the smallest h and is searched first in either mode; of the others the costly
  // ones are less promising.
  pool.add(
      {{0, {"", 100, 1}}, {1, {"", 5, 2}}, {2, {"", 50, 9}}, {3, {"", 40, 8}}, {4, {"", 30, 3}}});
  while (pool.status().running == 0) pool.wait(1ms);
  EXPECT_EQ(pool.give_away({.thieves = 4, .idle = false, .most = 10}).size(), 0U);
  const auto given = pool.give_away({.thieves = 1, .idle = true, .most = 10});
  ASSERT_EQ(given.size(), 2U);
  EXPECT_EQ(given[0].ordinal, 2U);
  EXPECT_EQ(given[1].ordinal, 3U);
  EXPECT_EQ(pool.give_away({.thieves = 1, .idle = true, .most = 0}).size(), 0U);
  EXPECT_EQ(pool.give_away({.thieves = 4, .idle = false, .most = 10}).size(), 0U);
  EXPECT_EQ(pool.give_away({.thieves = 4, .idle = true, .most = 10}).size(), 1U);
  pool.stop();
  pool.quiesce();
}

// Not one cut and then a wait for whoever takes its branches: a host with many threads would
// starve.
TEST(SubtreePool, CutsASubtreeForEachIdleThread) {
  constexpr std::size_t idle = 60;
  SubtreePool pool(1);
  pool.set_problem(built_in_problem("korf100:88", "manhattan", Kernel::plain));
  pool.start({67, Mode::exhaust});
  pool.add({{0, {"", 1, 1}}});
  pool.want(static_cast<int>(idle));
  const auto most = std::chrono::steady_clock::now() + 60s;
  std::size_t waiting = 0;
  while (waiting < idle && std::chrono::steady_clock::now() < most) {
    pool.wait(1ms);
    waiting = pool.status().waiting;
  }
  EXPECT_EQ(waiting, idle);
  pool.stop();
  pool.quiesce();
}

INSTANTIATE_TEST_SUITE_P(Modes, GivingPool, testing::Values(Mode::any, Mode::exhaust));

TEST(SubtreePool, BeginsWithTheSmallestHWhereTheFirstSolutionEndsTheSearch) {
  const Problem problem = built_in_problem("korf100:12");  // 45 moves
  SerialExecutor serial;
  const std::string solution = solve(serial, problem, {}).solution.value();
  SubtreePool pool(1);
  pool.set_problem(problem);
  const auto solved_in = [&](const Task& task) {
    pool.start(task);
    pool.add({{0, {"", 1e6, 35}}, {1, {solution.substr(0, 40), 10, 5}}});
    while (pool.status().figures.solutions_seen == 0) pool.wait(1ms);
    pool.stop();
    pool.quiesce();
    return pool.collect(2).solution.value().item;
  };
  EXPECT_EQ(solved_in({45, Mode::any}), 1U);
  EXPECT_EQ(solved_in({.bound = 45, .mode = Mode::any, .schedule = Schedule::dealt}), 0U);
}

}  // namespace
}  // namespace tessera
