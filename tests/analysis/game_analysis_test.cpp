// SPDX-License-Identifier: MIT
#include "analysis/game_analysis.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>

#include "analysis/game_search.hpp"
#include "base/random.hpp"
#include "puzzle/all_boards.hpp"
#include "puzzle/instance.hpp"
#include "puzzle/random_board.hpp"
#include "search/solving.hpp"
#include "solver/board_solver.hpp"
#include "solver/plan.hpp"

namespace tessera {
namespace {

// Finds distances by IDA*, and counts how often it was asked.
class Finder {
 public:
  Finder(const Board& goal, Metric metric) : goal_(goal), metric_(metric) {}

  Distance operator()(const Board& board, const std::string& known) {
    ++searches;
    if (!known.empty()) {
      EXPECT_EQ(replayed(board, known), goal_);
    }
    const Problem problem{.instance = make_instance(board, goal_),
                          .heuristic = metric_ == Metric::single ? "manhattan" : "lines",
                          .metric = metric_};
    const SearchResult found = solve(problem);
    const int length = solution_length(*found.solution, metric_);
    return {{length, length}, *found.solution};
  }

  int searches = 0;

 private:
  Board goal_;
  Metric metric_;
};

GameAnalysis analysed(const Board& start, const Board& goal, const std::string& letters,
                      Metric metric, Finder& finder) {
  return analyse_game(
      start, goal, letters, metric,
      [&](const Board& board, const std::string& known) { return finder(board, known); });
}

TEST(GameAnalysis, AgreesWithBreadthFirstSearchOnRandomWalks) {
  const Size size{3, 3};
  const Board goal = Goal().board(size);
  const std::vector<int> truth = distances_from(goal);
  Random random(31);
  for (int walk = 0; walk < 1000; ++walk) {
    const Board start = random_board(goal, random);
    std::string letters;
    std::vector<int> distances{truth[rank(start)]};
    for (Board board = start; letters.size() < 12;) {
      const Direction d = all_directions[random.below(4)];
      if (!board.neighbor(d)) continue;
      board.move(d);
      letters += letter(d);
      distances.push_back(truth[rank(board)]);
    }
    Finder finder(goal, Metric::single);
    const GameAnalysis game = analysed(start, goal, letters, Metric::single, finder);
    ASSERT_EQ(game.length, 12);
    ASSERT_EQ(game.solves, distances.back() == 0);
    std::size_t mistakes = 0;
    for (std::size_t i = 0; i < distances.size(); ++i) {
      ASSERT_EQ(game.brackets[i], (Bracket{distances[i], distances[i]})) << walk << " " << i;
      if (i == 0 || distances[i] < distances[i - 1]) continue;
      const Mistake& mistake = game.mistakes.at(mistakes++);
      ASSERT_EQ(mistake.move, static_cast<int>(i));
      ASSERT_EQ(mistake.before, distances[i - 1]);
      ASSERT_EQ(mistake.after, distances[i]);
      ASSERT_EQ(static_cast<int>(mistake.better.size()), mistake.before);
      const auto before = replayed(start, letters.substr(0, i - 1));
      ASSERT_EQ(replayed(*before, mistake.better), goal);
    }
    ASSERT_EQ(mistakes, game.mistakes.size());
    const std::vector<int> lost = lost_moves(game, 5);
    ASSERT_EQ(lost.size(), 8U);
    for (std::size_t i = 0; i < lost.size(); ++i) {
      ASSERT_EQ(lost[i], 5 + distances[i + 5] - distances[i]);
    }
  }
}

TEST(GameAnalysis, CountsRunsInMetricMulti) {
  const Board goal = Goal().board({3, 3});
  const Board start = replayed(goal, "DDRR").value();  // two moves from the goal
  Finder finder(goal, Metric::multi);
  const GameAnalysis best = analysed(start, goal, "LLUU", Metric::multi, finder);
  EXPECT_EQ(best.length, 2);
  EXPECT_TRUE(best.solves);
  EXPECT_TRUE(best.mistakes.empty());
  EXPECT_EQ(finder.searches, 1);  // the player follows the solution
  EXPECT_EQ(best.brackets[0], (Bracket{2, 2}));
  // Half of a run gets no nearer.
  const GameAnalysis slow = analysed(start, goal, "L", Metric::multi, finder);
  ASSERT_EQ(slow.mistakes.size(), 1U);
  EXPECT_EQ(slow.mistakes[0].before, 2);
  EXPECT_EQ(slow.mistakes[0].after, 2);
  EXPECT_EQ(slow.mistakes[0].better, "LLUU");
}

TEST(GameAnalysis, NarrowsBracketsByTheGameAndByNeighbors) {
  const Board goal = Goal().board({3, 3});
  const Board start = replayed(goal, "DDRR").value();
  const auto nothing_known = [&](const Board& board, const std::string&) {
    return Distance{{board == start ? 4 : 1, {}}, ""};
  };
  const GameAnalysis game = analyse_game(start, goal, "LLUU", Metric::single, nothing_known);
  for (int i = 0; i <= 4; ++i) {
    EXPECT_EQ(game.brackets[static_cast<std::size_t>(i)], (Bracket{4 - i, 4 - i})) << i;
  }
  EXPECT_TRUE(game.mistakes.empty());
}

// Of a game of a million moves, each search would take half a millisecond.
TEST(GameSearch, EndsSoonAfterTheTimeLimit) {
  SearchOptions options;
  options.heuristic = "manhattan";
  const Workers workers{BackendKind::serial, {local_place(1)}};
  const std::unique_ptr<Backend> backend = local_backend(workers);
  BoardSolver solver(options, workers, *backend);
  Limits limits;
  limits.deadline = std::chrono::steady_clock::now() - std::chrono::hours(1);
  Observer nobody;
  GameSearch search(options, solver, limits, 5, nobody);
  const Board goal = Goal().board({3, 3});
  const Board start = replayed(goal, "DDRR").value();
  const GameAnalysis game = search.analyse(make_plan(options, goal, 1), start, goal, "LLUU");
  EXPECT_EQ(game.brackets[0], (Bracket{1, 4}));  // 4 at least by the heuristic
}

TEST(GameSearch, PartsOfTheTimeSufficeForEasyBoards) {
  using namespace std::chrono_literals;
  const auto expect_part = [](auto all, std::size_t boards, auto least, auto most) {
    const Limits limits = Limits{}.for_board(all);
    const auto before = std::chrono::steady_clock::now();
    const auto deadline = *part_for_easy_boards(limits, boards).deadline;
    EXPECT_LE(deadline - std::chrono::steady_clock::now(), most);
    EXPECT_GE(deadline - before, least);
  };
  expect_part(1h, 4, 14min, 15min);           // equal parts
  expect_part(1h, 1'000'000, 49ms, 51ms);     // 14 times as much
  expect_part(1h, 100'000'000, 1ms, 1200us);  // 32 times 36 us
  expect_part(100ms, 1, 0ms, 100ms);
}

}  // namespace
}  // namespace tessera
