// SPDX-License-Identifier: MIT
// The other engines: all find what breadth-first truth says, and count what they say they count.
#include <gtest/gtest.h>

#include "base/thinned.hpp"
#include "heuristic/manhattan.hpp"
#include "puzzle/all_boards.hpp"
#include "puzzle/random_board.hpp"
#include "search/best_first/best_first.hpp"
#include "solving.hpp"
#include "two_ranks.hpp"

namespace tessera {
namespace {

constexpr std::uint64_t plenty = std::uint64_t{1} << 32;

SearchResult run(const Problem& problem, BestFirstOrder order, std::uint64_t memory_bytes = plenty,
                 const Limits& limits = {}) {
  Observer nobody;
  BestFirstOptions options;
  options.order = order;
  options.memory_bytes = memory_bytes;
  return best_first(problem, options, limits, nobody);
}

SearchResult deepen(const Problem& problem, std::size_t frontier = 0) {
  IdaStarOptions options;
  options.every_depth = true;
  options.frontier = frontier;
  return solve(problem, options);
}

Counts sum(const std::vector<IterationReport>& rows) {
  Counts counts;
  for (const IterationReport& row : rows) counts += row.counts;
  return counts;
}

// All boards of 3x3 by their distance, for the slow engines a sample.
TEST(Engines, AgreeWithTruthOnThreeByThree) {
  const Size size{3, 3};
  for (const Board& goal : {Goal().board(size), varied_goals(size)[2]}) {
    const std::vector<int> distance = distances_from(goal);
    for (std::uint64_t number = 0; number < distance.size(); number += 197 * thinned * sampled(3)) {
      if (distance[number] < 0) continue;
      const Board board = unrank(size, number);
      const int length = distance[number];
      const auto problem = [&](const char* heuristic, PruneRule prune = PruneRule::parent) {
        return Problem{make_instance(board, goal), heuristic, Kernel::plain, prune};
      };
      const auto expect = [&](const Problem& posed, const SearchResult& result) {
        ASSERT_TRUE(leads_to_goal(posed, result)) << to_string(board);
        EXPECT_EQ(static_cast<int>(result.solution->size()), length) << to_string(board);
        EXPECT_TRUE(result.optimal);
        EXPECT_EQ(result.counts, sum(result.iterations) + (Counts{0, 1, 0}));
      };
      expect(problem("manhattan"), run(problem("manhattan"), BestFirstOrder::astar));
      expect(problem("manhattan"), deepen(problem("manhattan")));
      const SearchResult greedy = run(problem("manhattan"), BestFirstOrder::greedy);
      ASSERT_TRUE(leads_to_goal(problem("manhattan"), greedy));
      EXPECT_GE(static_cast<int>(greedy.solution->size()), length);
      if (greedy.optimal) {
        EXPECT_EQ(static_cast<int>(greedy.solution->size()), length);
      }
      if (number % 5 == 0) {
        expect(problem("linear-conflict"), run(problem("linear-conflict"), BestFirstOrder::astar));
        expect(problem("zero"), run(problem("zero"), BestFirstOrder::breadth));
      }
      if (length <= 14)
        expect(problem("zero", PruneRule::none), deepen(problem("zero", PruneRule::none)));
    }
  }
}

// With a consistent h A* expands each board of g* + h < C* once, and no other before the last
// layer.
TEST(Astar, ExpandsWhatTheTheorySays) {
  const Size size{3, 3};
  const Board goal = Goal().board(size);
  Random random(11);
  for (int i = 0; i < 5; ++i) {
    const Board board = random_board(goal, random);
    const Problem problem{make_instance(board, goal), "manhattan"};
    const SearchResult result = run(problem, BestFirstOrder::astar);
    const std::vector<int> from_start = distances_from(problem.instance.start);
    const Manhattan manhattan(problem.instance);
    std::map<int, std::uint64_t> by_f;
    for (std::uint64_t number = 0; number < from_start.size(); ++number) {
      if (from_start[number] < 0) continue;
      ++by_f[from_start[number] + manhattan.evaluate(unrank(size, number))];
    }
    const int length = static_cast<int>(result.solution->size());
    for (const IterationReport& row : result.iterations) {
      if (row.bound == length) continue;
      EXPECT_EQ(row.counts.expanded, by_f[row.bound]) << row.bound;
      EXPECT_TRUE(row.complete);
    }
    EXPECT_EQ(result.iterations.back().bound, length);
    EXPECT_LE(result.iterations.back().counts.expanded, by_f[length]);
    EXPECT_GE(result.states, result.counts.expanded);
    EXPECT_GE(result.bytes, 8 * result.states);
  }
}

TEST(BreadthFirst, ExpandsWholeLevels) {
  const Size size{4, 2};
  const Board goal = Goal().board(size);
  const std::vector<int> from_goal = distances_from(goal);
  const auto farthest = static_cast<std::uint64_t>(
      std::max_element(from_goal.begin(), from_goal.end()) - from_goal.begin());
  const Problem problem{make_instance(unrank(size, farthest), goal), "zero"};
  const SearchResult result = run(problem, BestFirstOrder::breadth);
  const std::vector<int> from_start = distances_from(problem.instance.start);
  EXPECT_EQ(static_cast<int>(result.solution->size()), from_goal[farthest]);
  for (const IterationReport& row : result.iterations) {
    if (row.bound + 1 == from_goal[farthest]) continue;  // ends at the goal
    EXPECT_EQ(row.counts.expanded, static_cast<std::uint64_t>(std::count(
                                       from_start.begin(), from_start.end(), row.bound)));
  }
}

// Depth-first without any pruning, the counts as for all engines: a node within the bound is
// expanded, its children, the one before it too, are generated before the bound is tested.
struct Walks {
  const Board& goal;
  Counts counts;
  bool visit(const Board& board, int left) {
    if (board == goal) {
      ++counts.solutions;
      return true;
    }
    ++counts.expanded;
    for (const Direction d : all_directions) {
      if (!board.neighbor(d)) continue;
      ++counts.generated;
      if (left > 0 && visit(board.moved(d), left - 1)) return true;
    }
    return false;
  }
};

TEST(Iddfs, CountsTheMoveBackToo) {
  for (const Size size : {Size{3, 3}, Size{4, 4}, Size{4, 3}, Size{5, 2}, Size{5, 5}}) {
    const Board goal = Goal().board(size);
    Random random(2);
    const Board board = scrambled(goal, 9, random);
    const Problem problem{make_instance(board, goal), "zero", Kernel::plain, PruneRule::none};
    const Board end = problem.instance.goal();
    for (const std::size_t frontier : {0UL, 40UL}) {
      const SearchResult result = deepen(problem, frontier);
      ASSERT_TRUE(leads_to_goal(problem, result));
      for (const IterationReport& row : result.iterations) {
        Walks walks{end, {}};
        walks.visit(problem.instance.start, row.bound);
        EXPECT_EQ(row.counts, walks.counts) << to_string(size) << " " << row.bound;
      }
    }
  }
}

TEST(Engines, AgreeOnLargerAndOddSizes) {
  for (const Size size :
       {Size{4, 3}, Size{3, 4}, Size{2, 5}, Size{4, 4}, Size{5, 5}, Size{6, 5}, Size{8, 8}}) {
    const Board goal = Goal().board(size);
    Random random(4);
    for (int i = 0; i < (all_cases() ? 3 : 1); ++i) {
      const bool is_large = size.cells() > 16;  // breadth-first search expands millions of boards
      const int moves = all_cases() ? (is_large ? 18 : 28) : (is_large ? 12 : 24);
      const Board board = scrambled(goal, moves, random);
      const Problem problem{make_instance(board, goal), "manhattan"};
      const auto length = solve(problem).solution->size();
      const SearchResult astar = run(problem, BestFirstOrder::astar);
      EXPECT_EQ(astar.solution->size(), length) << to_string(size);
      EXPECT_TRUE(leads_to_goal(problem, astar));
      const SearchResult greedy = run(problem, BestFirstOrder::greedy);
      EXPECT_TRUE(leads_to_goal(problem, greedy));
      const SearchResult deepened = deepen(problem);
      EXPECT_EQ(deepened.solution->size(), length);
      if (length <= 16) {
        const SearchResult bfs = run(problem, BestFirstOrder::breadth);
        EXPECT_EQ(bfs.solution->size(), length);
      }
    }
  }
}

// f falls on some ways with these: boards are opened again.
TEST(Astar, TakesHeuristicsThatAreNotConsistent) {
  const Size size{4, 4};
  const Board goal = Goal().board(size);
  Random random(8);
  for (int i = 0; i < 4; ++i) {
    const Board board = scrambled(goal, 30, random);
    const auto length_with = [&](const char* heuristic) {
      const Problem problem{make_instance(board, goal), heuristic};
      const SearchResult result = run(problem, BestFirstOrder::astar);
      EXPECT_TRUE(leads_to_goal(problem, result));
      return result.solution->size();
    };
    const auto length = length_with("manhattan");
    for (const char* heuristic : {"inversion", "walking", "max(misplaced,inversion)"}) {
      EXPECT_EQ(length_with(heuristic), length) << heuristic;
    }
  }
}

TEST(Engines, KnowMetricMulti) {
  const Size size{3, 3};
  const Board goal = Goal().board(size);
  Random random(6);
  for (int i = 0; i < 8; ++i) {
    const Board board = scrambled(goal, 20, random);
    Problem problem{make_instance(board, goal), "zero"};
    problem.metric = Metric::multi;
    const SearchResult bfs = run(problem, BestFirstOrder::breadth);
    ASSERT_TRUE(leads_to_goal(problem, bfs));
    const int length = solution_length(*bfs.solution, Metric::multi);
    EXPECT_EQ(solution_length(*solve(problem).solution, Metric::multi), length);
    const SearchResult astar = run(problem, BestFirstOrder::astar);
    EXPECT_TRUE(leads_to_goal(problem, astar));
    EXPECT_EQ(solution_length(*astar.solution, Metric::multi), length);
    EXPECT_TRUE(leads_to_goal(problem, run(problem, BestFirstOrder::greedy)));
    const SearchResult deepened = deepen(problem);
    EXPECT_EQ(solution_length(*deepened.solution, Metric::multi), length);
  }
}

TEST(Engines, SolvedBoardsTakeNoMove) {
  const Board goal = Goal().board({4, 4});
  const Problem problem{make_instance(goal, goal), "manhattan"};
  for (const auto order :
       {BestFirstOrder::astar, BestFirstOrder::greedy, BestFirstOrder::breadth}) {
    const SearchResult result = run(problem, order);
    EXPECT_EQ(result.solution, "");
    EXPECT_TRUE(result.optimal);
    EXPECT_EQ(result.counts, (Counts{0, 1, 0}));
  }
  EXPECT_EQ(deepen(problem).solution, "");
}

TEST(Engines, StopAtLimitsWithALowerBound) {
  const Board goal = Goal(Goal::Kind::first).board({4, 4});
  const Board board = parse_board("15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0", {});  // 80 moves
  const Problem problem{make_instance(board, goal), "manhattan"};
  for (const auto order : {BestFirstOrder::astar, BestFirstOrder::breadth}) {
    const SearchResult full = run(problem, order, 3'000'000);
    EXPECT_EQ(full.stop, Stop::memory);
    EXPECT_FALSE(full.solution);
    EXPECT_FALSE(full.iterations.back().complete);
    EXPECT_GT(full.states, 90'000U);
    EXPECT_LE(full.bytes, 3'000'000U);
    EXPECT_GT(full.bound, 10);
    EXPECT_LE(full.bound, 80);
    Limits limits;
    limits.nodes = 50'000;
    const SearchResult cut = run(problem, order, plenty, limits);
    EXPECT_EQ(cut.stop, Stop::node_limit);
    EXPECT_GE(cut.counts.generated, 50'000U);
    EXPECT_LT(cut.counts.generated, 50'100U);
    const std::atomic<bool> interrupted{true};
    limits.interrupted = &interrupted;
    EXPECT_EQ(run(problem, order, plenty, limits).stop, Stop::interrupted);
  }
  // Greedy is not in need of much; but it too stays within what it has.
  const SearchResult greedy = run(problem, BestFirstOrder::greedy, 1000);
  EXPECT_EQ(greedy.stop, Stop::memory);
}

// Large boards, of which greedy search alone solves hardly one: beam searches follow.
TEST(Greedy, SolvesLargeBoardsWithinLimits) {
  struct Case {
    Size size;
    const char* heuristic;
    Metric metric;
  };
  constexpr std::uint64_t gives_up = 200'000;  // nodes
  SerialExecutor executor;
  Observer nobody;
  BestFirstOptions options;
  options.order = BestFirstOrder::greedy;
  options.memory_bytes = plenty;
  for (const Case& c :
       {Case{{8, 8}, "pairwise", Metric::single}, Case{{7, 7}, "zero", Metric::multi}}) {
    Random random(3);
    const Board goal = Goal().board(c.size);
    Problem problem{make_instance(random_board(goal, random), goal), c.heuristic};
    problem.metric = c.metric;
    const SearchResult result = executor.best_first(problem, options, {}, nobody);
    EXPECT_TRUE(leads_to_goal(problem, result)) << c.heuristic;
    EXPECT_FALSE(result.stop);
    EXPECT_FALSE(result.optimal);
    EXPECT_GT(result.counts.generated, gives_up);
    Limits limits;
    limits.nodes = gives_up + 10'000;
    const SearchResult cut = executor.best_first(problem, options, limits, nobody);
    EXPECT_EQ(cut.stop, Stop::node_limit);
    EXPECT_FALSE(cut.solution);
    EXPECT_GE(cut.counts.generated, limits.nodes);
    EXPECT_LT(cut.counts.generated, limits.nodes + 1000) << "one layer more";
    limits.nodes = result.counts.generated + 1;
    EXPECT_EQ(executor.best_first(problem, options, limits, nobody).solution, result.solution);
  }
}

TEST(Greedy, AllTimesIncludeTheBeams) {
  Random random(3);
  const Board goal = Goal().board({8, 8});
  const Problem problem{make_instance(random_board(goal, random), goal), "manhattan"};
  Observer nobody;
  for (const int ranks : {1, 2}) {
    TwoRanks executor(ranks);
    const SearchResult result = executor.best_first(
        problem, {.order = BestFirstOrder::greedy, .memory_bytes = plenty}, {}, nobody);
    ASSERT_GT(result.counts.generated, 200'000U) << "greedy search gave up";
    ASSERT_EQ(result.times.size(), 2U);
    for (const WorkerTimes& worker : result.times) {
      EXPECT_NEAR(worker.sum(), result.seconds, 1e-6);
      EXPECT_EQ(worker.wait > 0, worker.rank >= ranks) << "only rank 0 may have run them";
    }
  }
}

}  // namespace
}  // namespace tessera
