// SPDX-License-Identifier: MIT
#include "search/tree/ida_star.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>

#include "base/thinned.hpp"
#include "built_in_problem.hpp"
#include "long_first_bound.hpp"
#include "plain_oracle.hpp"
#include "puzzle/all_boards.hpp"
#include "puzzle/random_board.hpp"
#include "search/tree/balance_policy.hpp"
#include "solving.hpp"

namespace tessera {
namespace {

struct Recorder final : Observer {
  std::vector<int> started;
  std::vector<IterationReport> finished;
  std::vector<int> incumbents;
  void iteration_started(int bound) override { started.push_back(bound); }
  void iteration_finished(const IterationReport& report) override { finished.push_back(report); }
  void incumbent(int length) override { incumbents.push_back(length); }
};

// Korf's table: generated with the root, expanded without the goal. The smallest of the set.
TEST(IdaStar, CountsAreKorfs) {
  struct Known {
    int id;
    int length;
    std::uint64_t generated;
    std::uint64_t expanded;
  };
  for (const Known& known : {Known{12, 45, 546344, 269708}, Known{9, 46, 1650696, 810906}}) {
    for (const Kernel kernel : {Kernel::plain, Kernel::bucket}) {
      for (const std::size_t frontier : {0UL, 1UL, 500UL}) {
        IdaStarOptions options;
        options.frontier = frontier;
        const SearchResult result = solve(
            built_in_problem("korf100:" + std::to_string(known.id), "manhattan", kernel), options);
        ASSERT_TRUE(result.solution);
        EXPECT_EQ(static_cast<int>(result.solution->size()), known.length);
        EXPECT_EQ(result.counts.generated, known.generated) << frontier;
        EXPECT_EQ(result.counts.expanded, known.expanded) << frontier;
        EXPECT_TRUE(result.optimal);
      }
    }
  }
}

// How many subtrees each call brought.
class CountingExecutor final : public SerialExecutor {
 public:
  explicit CountingExecutor(int workers = 4) : workers_(workers) {}
  Execution execute(std::span<const WorkItem> items, const Task& task, Monitor& monitor) override {
    dealt.push_back(items.size());
    return SerialExecutor::execute(items, task, monitor);
  }
  [[nodiscard]] int workers() const override { return workers_; }

  std::vector<std::size_t> dealt;

 private:
  int workers_;
};

TEST(IdaStar, ALongFirstBoundIsDivided) {
  if (thinned > 1) GTEST_SKIP() << "millions of nodes take too long here";
  const Problem problem = long_first_bound();
  IdaStarOptions options;
  options.finish_iteration = true;
  CountingExecutor executor;
  Recorder recorder;
  const SearchResult result = ida_star(problem, options, executor, {}, recorder);
  EXPECT_EQ(recorder.started, std::vector<int>{52});
  ASSERT_EQ(executor.dealt.size(), 1);
  EXPECT_GE(executor.dealt[0], 64);
  EXPECT_GT(result.counts.expanded, balance.local_most);
  // Alone, it would only search the same nodes twice.
  CountingExecutor alone(1);
  EXPECT_EQ(solve(alone, problem, options).counts, result.counts);
  EXPECT_TRUE(alone.dealt.empty());
}

TEST(IdaStar, ASolvedBoardTakesNoMove) {
  const Board goal = Goal().board({4, 4});
  const SearchResult result = solve({make_instance(goal, goal), "manhattan"});
  EXPECT_EQ(result.solution, "");
  EXPECT_TRUE(result.optimal);
  EXPECT_EQ(result.counts.generated, 1U);
  EXPECT_EQ(result.counts.expanded, 0U);
}

TEST(IdaStar, TellsEveryIteration) {
  Recorder recorder;
  const SearchResult result = solve(built_in_problem("korf100:12"), {}, recorder);
  EXPECT_EQ(recorder.started, (std::vector<int>{35, 37, 39, 41, 43, 45}));
  ASSERT_EQ(recorder.finished.size(), 6U);
  Counts sum{0, 1, 0};
  for (const IterationReport& report : recorder.finished) {
    sum += report.counts;
    EXPECT_TRUE(report.complete);
  }
  EXPECT_EQ(sum, result.counts);
  EXPECT_EQ(recorder.incumbents, (std::vector<int>{45}));
}

TEST(IdaStar, BoundsAreTheSmallestFBeyondTheLast) {
  Random random(31);
  const Board goal = Goal().board({3, 3});
  const Instance instance = make_instance(scrambled(goal, 24, random), goal);
  Recorder recorder;
  (void)solve({instance, "misplaced"}, {}, recorder);
  const auto search = make_subtree_search({instance, "misplaced", Kernel::plain});
  const Node root = search->node_at("");
  int bound = root.f();
  for (const int started : recorder.started) {
    EXPECT_EQ(started, bound);
    bound = PlainOracle(*search, bound, Mode::first).search(root).next_bound;
  }
}

// The number of shortest paths by dynamic programming over the breadth-first levels.
TEST(IdaStar, AllCountsEveryOptimalSolution) {
  const Board goal = Goal(Goal::Kind::first).board({3, 3});
  const std::vector<int> distance = distances_from(goal);
  const std::function<std::uint64_t(const Board&)> paths =
      [&](const Board& board) -> std::uint64_t {
    if (board == goal) return 1;
    std::uint64_t sum = 0;
    for (const Direction d : all_directions) {
      if (!board.neighbor(d)) continue;
      const Board next = board.moved(d);
      if (distance[rank(next)] == distance[rank(board)] - 1) sum += paths(next);
    }
    return sum;
  };
  Random random(33);
  IdaStarOptions options;
  options.all = true;
  for (int i = 0; i < 40; ++i) {
    const Board board = random_board(goal, random);
    for (const std::size_t frontier : {0UL, 40UL}) {
      options.frontier = frontier;
      const SearchResult result = solve({make_instance(board, goal), "manhattan"}, options);
      EXPECT_EQ(result.solution_count, paths(board)) << to_string(board);
      EXPECT_EQ(static_cast<int>(result.solution->size()), distance[rank(board)]);
    }
  }
}

TEST(IdaStar, FinishedIterationsReportTheFirstSolutionInMoveOrder) {
  IdaStarOptions finish;
  finish.finish_iteration = true;
  const SearchResult first = solve(built_in_problem("korf100:12", "manhattan", Kernel::plain));
  for (const std::size_t frontier : {0UL, 3UL, 200UL}) {
    finish.frontier = frontier;
    const SearchResult finished = solve(built_in_problem("korf100:12"), finish);
    EXPECT_EQ(finished.solution, first.solution);
    EXPECT_EQ(finished.counts, (Counts{329'931, 668'555, 1})) << frontier;
  }
}

TEST(IdaStar, IndependentBoundsFindTheSameLength) {
  Random random(35);
  const Board goal = Goal().board({3, 3});
  const std::vector<int> distance = distances_from(goal);
  IdaStarOptions options;
  options.independent = true;
  for (int i = 0; i < 30; ++i) {
    const Board board = random_board(goal, random);
    options.split_depth = i % 2 == 0 ? std::optional(i % 7) : std::nullopt;
    const SearchResult result = solve({make_instance(board, goal), "manhattan"}, options);
    EXPECT_EQ(static_cast<int>(result.solution->size()), distance[rank(board)]);
    EXPECT_TRUE(result.optimal);
    Counts sum{0, 1, 0};
    for (const IterationReport& report : result.iterations) {
      sum += report.counts;
      EXPECT_EQ(report.timed, &report == &result.iterations.front()) << "bounds overlap in time";
    }
    EXPECT_EQ(sum, result.counts);
  }
}

// With an automaton, a subtree without the goal may be finite: no bound is the last one there.
TEST(IdaStar, IndependentBoundsEndInFiniteSubtrees) {
  IdaStarOptions options;
  options.independent = true;
  for (const Size size : {Size{2, 2}, Size{3, 2}}) {
    const Board goal = Goal().board(size);
    const std::vector<int> distance = distances_from(goal);
    for (std::uint64_t r = 0; r < distance.size(); ++r) {
      if (distance[r] < 0) continue;
      const Problem problem{make_instance(unrank(size, r), goal), "manhattan", Kernel::plain,
                            PruneRule{12}};
      const SearchResult result = solve(problem, options);
      ASSERT_TRUE(result.solution) << to_string(unrank(size, r));
      EXPECT_EQ(static_cast<int>(result.solution->size()), distance[r]);
      EXPECT_TRUE(result.optimal);
    }
  }
}

TEST(IdaStar, StopsAtItsLimits) {
  Limits limits;
  limits.nodes = 300'000;
  SearchResult result =
      solve(built_in_problem("korf100:88", "manhattan", Kernel::plain), {}, limits);
  EXPECT_EQ(result.stop, Stop::node_limit);
  EXPECT_FALSE(result.solution);
  EXPECT_FALSE(result.optimal);
  EXPECT_NEAR(static_cast<double>(result.counts.generated), 300'000, 1000);
  EXPECT_EQ(result.iterations.back().bound, result.bound);

  limits = {};
  limits.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
  result = solve(built_in_problem("korf100:88", "manhattan", Kernel::plain), {}, limits);
  EXPECT_EQ(result.stop, Stop::time_limit);
  EXPECT_LT(result.seconds, 5);
  EXPECT_FALSE(result.iterations.back().complete);

  std::atomic<bool> interrupted{true};
  limits = {};
  limits.interrupted = &interrupted;
  result = solve(built_in_problem("korf100:88"), {}, limits);
  EXPECT_EQ(result.stop, Stop::interrupted);
}

}  // namespace
}  // namespace tessera
