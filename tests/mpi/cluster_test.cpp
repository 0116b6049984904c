// SPDX-License-Identifier: MIT
// Rank 0 runs the tests; the other ranks serve every ClusterExecutor that they make.
#include "cluster/search/cluster_executor.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <set>

#include "base/failure.hpp"
#include "base/machine.hpp"
#include "base/temporary_folder.hpp"
#include "base/thinned.hpp"
#include "heuristic/registry.hpp"
#include "mpi/stack_when_late.hpp"
#include "puzzle/random_board.hpp"
#include "search/backend.hpp"
#include "search/beam/beam.hpp"
#include "search/built_in_problem.hpp"
#include "search/solving.hpp"

namespace tessera {
namespace {

Session* session = nullptr;

std::vector<int> threads_each(int threads) {
  return std::vector<int>(static_cast<std::size_t>(session->size()), threads);
}

void expect_same_iterations(const SearchResult& a, const SearchResult& b) {
  EXPECT_EQ(a.counts, b.counts);
  ASSERT_EQ(a.iterations.size(), b.iterations.size());
  for (std::size_t i = 0; i < a.iterations.size(); ++i) {
    EXPECT_EQ(a.iterations[i].bound, b.iterations[i].bound);
    EXPECT_EQ(a.iterations[i].counts, b.iterations[i].counts) << "bound " << a.iterations[i].bound;
  }
}

TEST(Cluster, CountsAsOneProcessDoes) {
  for (const int threads : {1, 2}) {
    ClusterExecutor cluster(*session, threads_each(threads));
    EXPECT_EQ(cluster.workers(), threads * session->size());
    for (const Kernel kernel : {Kernel::plain, Kernel::bucket}) {
      const Problem problem = built_in_problem("korf100:12", "manhattan", kernel);
      for (const bool all : {false, true}) {
        SerialExecutor serial;
        IdaStarOptions options;
        options.finish_iteration = true;
        options.all = all;
        if (all) options.listed = 10;
        const SearchResult expected = solve(serial, problem, options);
        for (const Schedule schedule : {Schedule::dealt, Schedule::dynamic, Schedule::stealing}) {
          options.schedule = schedule;
          options.frontier = 100;
          const SearchResult result = solve(cluster, problem, options);
          expect_same_iterations(result, expected);
          EXPECT_EQ(result.solution, expected.solution);
          EXPECT_EQ(result.solution_count, expected.solution_count);
          ASSERT_EQ(result.list.has_value(), all);
          if (all) {
            EXPECT_EQ(result.list->solutions, expected.list->solutions);
          }
          EXPECT_EQ(result.times.size(), static_cast<std::size_t>(cluster.workers()));
        }
      }
    }
  }
}

TEST(Cluster, CountsOnOtherSizesAndHeuristics) {
  Random random(41);
  ClusterExecutor cluster(*session, threads_each(1));
  for (const Size size : {Size{3, 3}, Size{5, 3}, Size{5, 5}, Size{3, 6}}) {
    const Board goal = Goal(Goal::Kind::first).board(size);
    for (const char* heuristic : {"manhattan", "linear-conflict", "misplaced", "zero"}) {
      const bool weak = heuristic[0] == 'z' || heuristic[1] == 'i';
      const Problem problem{make_instance(scrambled(goal, weak ? 14 : 30, random), goal),
                            heuristic};
      SerialExecutor serial;
      IdaStarOptions options;
      options.finish_iteration = true;
      const SearchResult expected = solve(serial, problem, options);
      options.frontier = 40;
      const SearchResult result = solve(cluster, problem, options);
      expect_same_iterations(result, expected);
      EXPECT_EQ(result.solution, expected.solution);
    }
  }
}

// Views that are skipped and an automaton change no count, whichever worker expands a subtree.
TEST(Cluster, CountsWithCollections) {
  const TemporaryFolder tables;
  Problem problem = built_in_problem("korf100:1");
  problem.heuristic = to_string(
      resolve_heuristic("max(pdb:5-5-5,pdb:4-4-4-3,pdb:3-4-4-4)", problem.instance.goal()));
  problem.prune = PruneRule{10};
  problem.table_directory = tables.text();
  SerialExecutor serial;
  IdaStarOptions options;
  options.finish_iteration = true;
  const SearchResult expected = solve(serial, problem, options);
  ASSERT_GT(expected.counts.expanded, 200'000);
  for (const int threads : {1, 2}) {
    ClusterExecutor cluster(*session, threads_each(threads));
    for (const Schedule schedule : {Schedule::dealt, Schedule::dynamic, Schedule::stealing}) {
      options.schedule = schedule;
      expect_same_iterations(solve(cluster, problem, options), expected);
    }
  }
}

TEST(Cluster, FindsOptimalSolutionsBoardAfterBoard) {
  ClusterExecutor cluster(*session, threads_each(1));
  for (const auto& [spec, length] :
       {std::pair{"haskell:1", 3}, {"haskell:5", 30}, {"haskell:7", 38}, {"haskell:8", 40}}) {
    for (const bool independent : {false, true}) {
      for (const std::size_t frontier : {0UL, 64UL}) {
        IdaStarOptions options;
        options.independent = independent;
        options.frontier = frontier;
        const SearchResult result = solve(cluster, built_in_problem(spec), options);
        ASSERT_TRUE(result.solution) << spec;
        EXPECT_EQ(static_cast<int>(result.solution->size()), length) << spec;
        EXPECT_TRUE(result.optimal);
      }
    }
  }
}

TEST(Cluster, SolvesInMetricMulti) {
  const TemporaryFolder tables;
  Random random(42);
  ClusterExecutor cluster(*session, threads_each(1));
  const Board goal = Goal(Goal::Kind::first).board({4, 3});
  for (int i = 0; i < 3; ++i) {
    Problem problem{make_instance(random_board(goal, random), goal), "lines"};
    problem.metric = Metric::multi;
    problem.table_directory = tables.text();
    SerialExecutor serial;
    IdaStarOptions options;
    options.finish_iteration = true;
    const SearchResult expected = solve(serial, problem, options);
    options.frontier = 40;
    const SearchResult result = solve(cluster, problem, options);
    expect_same_iterations(result, expected);
    EXPECT_EQ(result.solution, expected.solution);
    options.finish_iteration = false;
    options.independent = true;
    const SearchResult independent = solve(cluster, problem, options);
    EXPECT_EQ(solution_length(*independent.solution, Metric::multi),
              solution_length(*expected.solution, Metric::multi));
    EXPECT_TRUE(independent.optimal);
  }
}

// One seed and width give one result, whatever the ranks and their threads.
TEST(Cluster, BeamSearchFindsWhatOneProcessFinds) {
  const TemporaryFolder tables;
  ClusterExecutor cluster(*session, threads_each(2));
  Observer nobody;
  const auto expect_same = [&](const Problem& problem, const BeamOptions& options) {
    ASSERT_EQ(cluster.beam_ranks(options.width), session->size());
    const BeamResult expected = beam_search(problem, options, 1, {}, nobody);
    const BeamResult result = cluster.beam(problem, options, {}, nobody);
    EXPECT_EQ(result.moves, expected.moves) << problem.heuristic << ' ' << options.width;
    EXPECT_EQ(result.evaluated, expected.evaluated);
    EXPECT_EQ(result.layers, expected.layers);
    EXPECT_FALSE(result.stop);
  };
  expect_same(built_in_problem("korf100:79"), {.width = 8192, .seed = 3});
  expect_same(built_in_problem("korf100:12"), {.width = 9000, .shorter_than = 45});
  // Beyond four ranks these take long beside other tests.
  if (thinned > 1 || (session->size() > 4 && !all_cases())) return;
  expect_same(built_in_problem("korf50:1"), {.width = 10'000, .seed = 4});
  const Board goal = Goal(Goal::Kind::last).board({3, 3});
  Random random(2);
  Problem problem{make_instance(random_board(goal, random), goal), ""};
  problem.table_directory = tables.text();
  // States of each form travel.
  for (const char* const heuristic :
       {"pdb:f-f0", "walking", "max(pdb:f-f0,walking)", "max(inversion,linear-conflict)"}) {
    problem.heuristic = heuristic;
    ASSERT_TRUE(cluster.prepare(problem, {}));
    expect_same(problem, {.width = 8192});
  }
}

TEST(Cluster, NarrowBeamsWakeNobody) {
  ClusterExecutor cluster(*session, threads_each(2));
  Observer nobody;
  EXPECT_EQ(cluster.beam_ranks(1024), 1);
  const Problem problem = built_in_problem("korf100:79");
  const BeamResult expected = beam_search(problem, {.width = 1024}, 1, {}, nobody);
  const BeamResult result = cluster.beam(problem, {.width = 1024}, {}, nobody);
  EXPECT_EQ(result.moves, expected.moves);
  EXPECT_EQ(result.evaluated, expected.evaluated);
}

// In the midst of a layer, and the next search is as any other.
TEST(Cluster, BeamSearchIsStopped) {
  ClusterExecutor cluster(*session, threads_each(1));
  Observer nobody;
  const Problem problem = built_in_problem("korf50:1");
  for (const auto delay : {std::chrono::milliseconds(0), std::chrono::milliseconds(300)}) {
    const auto began = std::chrono::steady_clock::now();
    Limits limits;
    limits.deadline = began + delay;
    const BeamResult cut = cluster.beam(problem, {.width = 1'000'000}, limits, nobody);
    EXPECT_EQ(cut.stop, Stop::time_limit);
    EXPECT_FALSE(cut.moves);
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(10));
  }
  EXPECT_TRUE(cluster.beam(built_in_problem("korf100:79"), {.width = 8192}, {}, nobody).moves);
}

// Messages too large to be sent before they are received, some of them at the very end.
TEST(Cluster, TellsAllThatIsFinishedHoweverLate) {
  struct Journal final : SearchJournal {
    void subtrees_finished(int /*bound*/, const std::vector<FinishedSubtree>& told,
                           double /*seconds*/) override {
      subtrees += told.size();
    }
    void iteration_finished(const IterationReport& /*report*/, int /*next*/) override {}
    void beam_finished(const FinishedBeam& /*beam*/) override {}
    std::size_t subtrees = 0;
  };
  ClusterExecutor cluster(*session, threads_each(2));
  for (int i = 0; i < (all_cases() ? 8 : 2); ++i) {
    Journal journal;
    IdaStarOptions options;
    options.finish_iteration = true;
    options.frontier = 20'000;
    options.journal = &journal;
    options.journal_seconds = 1e-4;
    const SearchResult result = solve(cluster, built_in_problem("korf100:12"), options);
    EXPECT_EQ(result.solution->size(), 45U);
    EXPECT_EQ(result.counts.expanded, 329'931U);
    EXPECT_GT(journal.subtrees, 20'000U);
  }
}

TEST(Cluster, StopsInTheMiddleOfAnExecution) {
  ClusterExecutor cluster(*session, threads_each(1));
  Limits limits;
  limits.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  const SearchResult cut =
      solve(cluster, built_in_problem("korf100:88", "manhattan", Kernel::plain), {}, limits);
  EXPECT_EQ(cut.stop, Stop::time_limit);
  EXPECT_FALSE(cut.solution);
  EXPECT_LT(cut.seconds, 20);
  limits = {};
  limits.nodes = 2'000'000;
  EXPECT_EQ(
      solve(cluster, built_in_problem("korf100:88", "manhattan", Kernel::plain), {}, limits).stop,
      Stop::node_limit);
  // What was under way is gone: the next board is searched from scratch and whole.
  IdaStarOptions options;
  options.frontier = 50;
  EXPECT_EQ(solve(cluster, built_in_problem("haskell:6"), options).solution->size(), 36U);
}

// Wherever a limit cuts A*, also in the round in which another rank meets the first solution.
TEST(Cluster, StopsBesideASolution) {
  ClusterExecutor cluster(*session, threads_each(1));
  const Problem problem = built_in_problem("haskell:5");
  BestFirstOptions options;
  options.memory_bytes = std::uint64_t{64} << 20;
  Observer nobody;
  const SearchResult whole = cluster.best_first(problem, options, {}, nobody);
  ASSERT_TRUE(whole.solution);
  const std::uint64_t stride = all_cases() ? 1 : 5;
  for (std::uint64_t step = 1; step <= 100; step += stride) {
    Limits limits;
    limits.nodes = std::max<std::uint64_t>(1, whole.counts.generated * step / 80);
    const SearchResult result = cluster.best_first(problem, options, limits, nobody);
    ASSERT_NE(result.optimal, result.stop.has_value()) << limits.nodes;
    EXPECT_TRUE(!result.optimal || result.solution->size() == 30U);
    EXPECT_TRUE(!result.solution || result.solution->size() >= 30U);  // one in hand is kept
  }
}

// Results that are too large to be sent before they are received may be under way then.
TEST(Cluster, AnInterruptedBatchEnds) {
  ClusterExecutor cluster(*session, threads_each(2));
  for (std::size_t after = 1; after < 1000; after += all_cases() ? 37 : 149) {
    std::vector<BoardJob> jobs;
    for (std::uint32_t i = 0; i < 3000; ++i) jobs.push_back({i, built_in_problem("haskell:2")});
    std::atomic<bool> interrupted{false};
    Limits limits;
    limits.interrupted = &interrupted;
    std::size_t solved = 0;
    (void)cluster.solve_boards(std::move(jobs), {}, limits, [&](BoardOutcome outcome) {
      if (outcome.result.solution) ++solved;
      if (solved == after) interrupted = true;
    });
    EXPECT_GE(solved, after);
    EXPECT_LE(solved, 3000U);
    // None of its results is left for the next batch, whose boards have other numbers.
    std::vector<BoardJob> others;
    for (std::uint32_t i = 0; i < 9; ++i)
      others.push_back({5000 + i, built_in_problem("haskell:1")});
    std::set<std::uint32_t> done;
    (void)cluster.solve_boards(std::move(others), {}, {}, [&](const BoardOutcome& outcome) {
      EXPECT_TRUE(done.insert(outcome.index).second);
      EXPECT_GE(outcome.index, 5000U);
    });
    EXPECT_EQ(done.size(), 9U);
  }
}

// A rank that has just solved a board may not have begun its next one: then there are more tries.
TEST(Cluster, AnInterruptedBatchReportsTheBoardsInProgressOfAllRanks) {
  ClusterExecutor cluster(*session, threads_each(1));
  const int ranks = session->size();
  int cut = 0;
  for (int tries = 0; tries < 50 && cut < ranks; ++tries) {
    std::vector<BoardJob> jobs;  // each rank is given two: one that is easy, one that never ends
    for (int rank = 0; rank < ranks; ++rank) {
      for (const auto& [board, heuristic] :
           {std::pair("haskell:2", "manhattan"), {"hardest15:1", "zero"}}) {
        jobs.push_back(
            {static_cast<std::uint32_t>(jobs.size()), built_in_problem(board, heuristic)});
      }
    }
    std::atomic<bool> interrupted{false};
    Limits limits;
    limits.interrupted = &interrupted;
    int solved = 0;
    cut = 0;
    (void)cluster.solve_boards(std::move(jobs), {}, limits, [&](const BoardOutcome& outcome) {
      if (outcome.result.solution && ++solved == ranks) interrupted = true;
      if (outcome.result.stop == Stop::interrupted) ++cut;
    });
    EXPECT_EQ(solved, ranks);
  }
  EXPECT_EQ(cut, ranks);
}

TEST(Cluster, RanksMayHaveUnequalThreads) {
  std::vector<int> threads;
  for (int rank = 0; rank < session->size(); ++rank) threads.push_back(1 + (rank + 1) % 3);
  ClusterExecutor cluster(*session, threads);
  EXPECT_EQ(cluster.workers(), std::accumulate(threads.begin(), threads.end(), 0));
  const Problem problem = built_in_problem("korf100:12");
  SerialExecutor serial;
  IdaStarOptions options;
  options.finish_iteration = true;
  options.frontier = 100;
  const SearchResult expected = solve(serial, problem, options);
  for (const Schedule schedule : {Schedule::dealt, Schedule::dynamic, Schedule::stealing}) {
    options.schedule = schedule;
    const SearchResult result = solve(cluster, problem, options);
    expect_same_iterations(result, expected);
    EXPECT_EQ(result.solution, expected.solution);
    std::vector<int> of_rank(threads.size());
    for (const WorkerTimes& worker : result.times) {
      EXPECT_EQ(worker.thread, of_rank[static_cast<std::size_t>(worker.rank)]++);
    }
    EXPECT_EQ(of_rank, threads);
  }
  std::vector<BoardJob> jobs;
  for (std::uint32_t i = 0; i < 50; ++i) jobs.push_back({i, built_in_problem("haskell:2")});
  std::vector<int> solved(jobs.size());
  (void)cluster.solve_boards(std::move(jobs), {}, {}, [&](BoardOutcome outcome) {
    if (outcome.result.solution) ++solved[outcome.index];
  });
  EXPECT_EQ(solved, std::vector<int>(50, 1));
}

// A step that one rank fails or stops in is over for all of them, and the next one is as any other.
TEST(Cluster, AllRanksAgreeOnAFailedTable) {
  const TemporaryFolder tables;
  ClusterExecutor cluster(*session, threads_each(1));
  Problem problem = built_in_problem("korf100:12");
  problem.heuristic = "pdb:1e-1e0-1e00-e000";
  problem.table_directory = tables.text();
  EXPECT_FALSE(cluster.prepare(problem, {[](double) { return false; }}));
  problem.table_directory = "/dev/null";
  EXPECT_THROW((void)cluster.prepare(problem, {}), CommonError);
  problem.table_directory = tables.text();
  EXPECT_TRUE(cluster.prepare(problem, {}));
  EXPECT_EQ(solve(cluster, problem, {}).solution->size(), 45U);
}

TEST(Cluster, EasyBoardsWakeNobody) {
  ClusterExecutor cluster(*session, threads_each(1));
  const std::uint64_t commands = session->state().command();
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(solve(cluster, built_in_problem("haskell:4"), {}).solution->size(), 17U);
  }
  EXPECT_EQ(session->state().command(), commands);
}

TEST(Session, GroupsRanksByHost) {
  ASSERT_EQ(session->hosts().size(), 1U);
  std::vector<int> all(static_cast<std::size_t>(session->size()));
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(session->hosts().front(), all);
}

TEST(Session, UsesNoFastBoxesOfOpenMpi5) {
  EXPECT_EQ(environment("OMPI_MCA_btl_sm_fbox_threshold"), "2147483647");
}

TEST(Session, SharesTheCpusOfAHost) {
  for (int rank = 0; rank < session->size(); ++rank) {
    const auto cpus = session->ranks()[static_cast<std::size_t>(rank)].cpus.size();
    EXPECT_GE(session->fair_threads(rank), 1);
    EXPECT_LE(session->fair_threads(rank), static_cast<int>(cpus));
  }
  // Ranks that may use the same CPUs share them.
  const auto& ranks = session->ranks();
  const bool same = std::all_of(ranks.begin(), ranks.end(), [&](const RankInfo& rank) {
    return rank.cpus == ranks.front().cpus;
  });
  if (same) {
    const int cpus = static_cast<int>(ranks.front().cpus.size());
    EXPECT_EQ(session->fair_threads(0), std::max(1, cpus / session->size()));
  }
}

}  // namespace
}  // namespace tessera

int main(int argc, char** argv) {
  tessera::print_stack_when_late();
  tessera::Session session(argc, argv);
  if (session.rank() != 0) {
    tessera::run_worker(session);
    return 0;
  }
  tessera::session = &session;
  testing::InitGoogleTest(&argc, argv);
  const tessera::WaitingRanks others(session);
  return RUN_ALL_TESTS();
}
