// SPDX-License-Identifier: MIT
#include "search/tree/solution_list.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "base/thinned.hpp"
#include "puzzle/goal.hpp"
#include "puzzle/metric.hpp"
#include "puzzle/random_board.hpp"
#include "puzzle/ranking.hpp"
#include "solving.hpp"

namespace tessera {
namespace {

SearchResult all_of(const Board& start, const Board& goal, Metric metric, std::size_t most,
                    const std::string& heuristic = {}) {
  const Problem problem{.instance = make_instance(start, goal),
                        .heuristic = !heuristic.empty()         ? heuristic
                                     : metric == Metric::single ? "manhattan"
                                                                : "lines",
                        .metric = metric};
  IdaStarOptions options;
  options.all = true;
  options.listed = most;
  return solve(problem, options);
}

// The boards that one move leads to.
std::vector<Board> next_to(const Board& board, Metric metric) {
  std::vector<Board> boards;
  for (const Direction d : all_directions) {
    for (Board next = board; next.neighbor(d);) {
      next.move(d);
      boards.push_back(next);
      if (metric == Metric::single) break;
    }
  }
  return boards;
}

// The number of optimal solutions of every board, by rank, without any search: the sum over the
// boards next to it that are nearer to the goal.
std::vector<std::uint64_t> counts_by_rank(const Board& goal, Metric metric) {
  std::vector<std::uint64_t> counts(arrangements(goal.size()));
  std::vector<int> distances(counts.size(), -1);
  counts[rank(goal)] = 1;
  distances[rank(goal)] = 0;
  std::vector<Board> level{goal};
  for (int depth = 1; !level.empty(); ++depth) {
    std::vector<Board> next;
    for (const Board& board : level) {
      for (const Board& neighbor : next_to(board, metric)) {
        const std::uint64_t place = rank(neighbor);
        if (distances[place] < 0) {
          distances[place] = depth;
          next.push_back(neighbor);
        }
        if (distances[place] == depth) counts[place] += counts[rank(board)];
      }
    }
    level = std::move(next);
  }
  return counts;
}

// In move order, by a textbook depth-first search.
void enumerate(const Board& board, const Board& goal, int left, std::string& path,
               std::vector<std::string>& solutions) {
  int h = 0;
  const Size size = board.size();
  for (int cell = 0; cell < size.cells(); ++cell) {
    const int tile = board.tile(cell);
    if (tile == 0) continue;
    const int home = goal.cell_of(tile);
    h +=
        std::abs(size.row(cell) - size.row(home)) + std::abs(size.column(cell) - size.column(home));
  }
  if (h > left) return;
  if (board == goal) solutions.push_back(path);
  for (const Direction d : all_directions) {
    if (!board.neighbor(d) || left == 0) continue;
    if (!path.empty() && letter(opposite(d)) == path.back()) continue;
    path += letter(d);
    enumerate(board.moved(d), goal, left - 1, path, solutions);
    path.pop_back();
  }
}

void expect_consistent(const SearchResult& result, const Board& start, const Board& goal,
                       Metric metric, std::size_t most) {
  ASSERT_TRUE(result.list);
  const SolutionList& list = *result.list;
  ASSERT_EQ(list.count, result.solution_count);
  ASSERT_EQ(list.solutions.size(), std::min<std::uint64_t>(most, list.count));
  ASSERT_EQ(list.solutions.front(), *result.solution);
  std::vector<std::string> different = list.solutions;
  std::ranges::sort(different);
  ASSERT_EQ(std::ranges::unique(different).size(), 0U);
  for (const std::string& solution : list.solutions) {
    ASSERT_EQ(replayed(start, solution), goal);
    ASSERT_EQ(solution_length(solution, metric), solution_length(*result.solution, metric));
  }
  const auto add = [](std::uint64_t sum, const FirstMove& move) { return sum + move.solutions; };
  if (start != goal) {
    ASSERT_EQ(
        std::accumulate(list.first_moves.begin(), list.first_moves.end(), std::uint64_t{0}, add),
        list.count);
  }
}

class EightPuzzle : public testing::TestWithParam<Metric> {};

TEST_P(EightPuzzle, CountsOfAllBoardsAreThoseOfADynamicProgram) {
  const Board goal = ordered_board({3, 3}, 8);
  const std::vector<std::uint64_t> counts = counts_by_rank(goal, GetParam());
  std::uint64_t boards = 0;
  std::uint64_t digest = 0xcbf29ce484222325;
  for (std::uint64_t place = 0; place < counts.size(); place += thinned) {
    if (counts[place] == 0) continue;
    ++boards;
    const Board start = unrank(goal.size(), place);
    const SearchResult result = all_of(start, goal, GetParam(), 3);
    ASSERT_EQ(result.list.value().count, counts[place]) << to_string(start);
    if (boards % (1000 / thinned) == 1) expect_consistent(result, start, goal, GetParam(), 3);
    digest = (digest ^ result.list->count) * 0x100000001b3;
  }
  if (thinned > 1) return;
  EXPECT_EQ(boards, 181'440U);
  EXPECT_EQ(digest, GetParam() == Metric::single ? 10790471719487164622U : 14421925356933996860U);
}

INSTANTIATE_TEST_SUITE_P(Metrics, EightPuzzle, testing::Values(Metric::single, Metric::multi),
                         [](const auto& tested) { return std::string(to_string(tested.param)); });

TEST(SolutionList, HoldsWhatEnumerationFinds) {
  Random random(50);
  const Board goal = ordered_board({4, 4}, 15);
  for (int i = 0; i < 50; ++i) {
    const Board start = scrambled(goal, 36, random);
    const SearchResult result = all_of(start, goal, Metric::single, 1'000'000);
    expect_consistent(result, start, goal, Metric::single, 1'000'000);
    std::vector<std::string> solutions;
    std::string path;
    enumerate(start, goal, static_cast<int>(result.solution->size()), path, solutions);
    ASSERT_EQ(result.list->solutions, solutions);
  }
}

TEST(SolutionList, NarrowsLargeTreesFirst) {
  // Its last bound has 63 million nodes with Manhattan distance.
  const Board goal = ordered_board({4, 4}, 0);
  const Board start = parse_board("12 9 0 6 8 3 5 14 2 4 11 7 10 1 15 13", Size{4, 4});
  const SearchResult plain = all_of(start, goal, Metric::single, 100, "linear-conflict");
  expect_consistent(plain, start, goal, Metric::single, 100);
  const SearchResult narrowed = all_of(start, goal, Metric::single, 100);
  expect_consistent(narrowed, start, goal, Metric::single, 100);
  EXPECT_EQ(plain.list->solutions, narrowed.list->solutions);
}

TEST(SolutionList, ASolvedBoardHasOneEmptySolution) {
  const Board goal = ordered_board({3, 3}, 8);
  for (const Metric metric : {Metric::single, Metric::multi}) {
    const SearchResult result = all_of(goal, goal, metric, 10);
    EXPECT_EQ(result.list.value().count, 1U);
    EXPECT_EQ(result.list->solutions, std::vector<std::string>{""});
    EXPECT_TRUE(result.list->first_moves.empty());
  }
}

TEST(SolutionList, WithoutHItSearchesWithManhattanDistance) {
  const Board goal = ordered_board({3, 3}, 8);
  const Board start = parse_board("1 2 3 5 0 6 4 7 8", Size{3, 3});
  const Problem problem{
      .instance = make_instance(start, goal), .heuristic = "zero", .prune = PruneRule::none};
  IdaStarOptions options;
  options.all = options.every_depth = true;
  options.listed = 5;
  expect_consistent(solve(problem, options), start, goal, Metric::single, 5);
}

}  // namespace
}  // namespace tessera
