// SPDX-License-Identifier: MIT
// The public interface, as a user's program sees it.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <map>
#include <tessera/tessera.hpp>
#include <type_traits>

#include "base/memory_limit.hpp"
#include "base/temporary_folder.hpp"

namespace {

using tessera::Board;
using tessera::Error;
using tessera::ErrorKind;
using tessera::Options;
using tessera::Result;
using tessera::Solver;
using tessera::Status;

static_assert(std::is_same_v<tessera::Board, tessera::api::Board>);
static_assert(std::is_nothrow_move_constructible_v<Solver>);

Options on_two_threads() {
  Options options;
  options.threads = 2;
  static const tessera::TemporaryFolder tables;
  options.tables = tables.text();
  return options;
}

template <class Work>
std::string input_error(const Work& work) {
  try {
    (void)work();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "";
}

int manhattan(const tessera::Homes& board) {
  int moves = 0;
  for (int cell = 0; cell < board.width * board.height; ++cell) {
    const int home = board.home[static_cast<std::size_t>(cell)];
    if (cell == board.blank) continue;
    moves += std::abs(cell % board.width - home % board.width) +
             std::abs(cell / board.width - home / board.width);
  }
  return moves;
}

TEST(PublicBoard, ReadsWhatItWrites) {
  const Board board = Board::parse("1 2 3/4 0 6/7 5 8");
  EXPECT_EQ(board.width(), 3);
  EXPECT_EQ(board.tiles(), (std::vector{1, 2, 3, 4, 0, 6, 7, 5, 8}));
  EXPECT_EQ(Board::parse(board.text()), board);
  const Board wide = Board::random(5, 3, 7);
  EXPECT_EQ(Board::parse(wide.text()), wide);
  EXPECT_EQ(wide, Board::random(5, 3, 7));
  EXPECT_EQ(Board::parse_all("1 2 3 4 5 6 7 0 8\n1 2 3 4 5 6 0 7 8\n").size(), 2U);
  EXPECT_EQ(Board::parse("0 1 2 3 4 5", 3, 2).height(), 2);
}

TEST(PublicBoard, ReportsWhatIsWrong) {
  EXPECT_NE(input_error([] { return Board::parse("1 2 2/4 0 6/7 5 8"); }), "");
  EXPECT_NE(input_error([] { return Board(1, 9, std::vector{1, 2}); }), "");
  EXPECT_NE(input_error([] { return Board(3, 3, std::vector{1, 2}); }), "");
  EXPECT_NE(input_error([] { return Board::goal(3, 3, "middle"); }), "");
}

TEST(PublicBoard, IsMovedAndChecked) {
  const Board board = Board::parse("1 2 3/4 0 6/7 5 8");
  EXPECT_EQ(board.after("UL"), Board::goal(3, 3));
  EXPECT_FALSE(board.after("UUU"));
  EXPECT_TRUE(board.solvable());
  EXPECT_FALSE(Board::parse("1 2 3/4 5 6/8 7 0").solvable());
}

TEST(PublicSolver, SolvesABoard) {
  Solver solver(on_two_threads());
  const Result r = solver.solve(Board::parse("8 6 7/2 5 4/3 0 1"));
  EXPECT_EQ(r.status, Status::solved);
  EXPECT_EQ(r.length, 31);
  EXPECT_TRUE(r.optimal);
  EXPECT_EQ(r.lower_bound, 31);
  EXPECT_EQ(r.upper_bound, 31);
  EXPECT_GT(r.nodes.expanded, 0U);
  EXPECT_EQ(r.heuristic, "manhattan");
  EXPECT_EQ(Board::parse("8 6 7/2 5 4/3 0 1").after(r.moves), Board::goal(3, 3));
}

TEST(PublicSolver, AnswersUnsolvableBoards) {
  const Result r = Solver(on_two_threads()).solve(Board::parse("1 2 3/4 5 6/8 7 0"));
  EXPECT_EQ(r.status, Status::unsolvable);
  EXPECT_EQ(r.length, -1);
}

TEST(PublicSolver, CountsTheSameNodesForAnyThreads) {
  Options options = on_two_threads();
  options.heuristic = "linear-conflict";
  options.finish_iteration = true;
  std::vector<std::uint64_t> counts;
  for (const int threads : {1, 2}) {
    options.threads = threads;
    const Result r = Solver(options).solve(Board::parse("8 6 7/2 5 4/3 0 1"));
    counts.push_back(r.iterations.back().expanded);
  }
  EXPECT_EQ(counts, (std::vector<std::uint64_t>{26074, 26074}));
}

TEST(PublicSolver, TakesGoalsMetricsAndEngines) {
  Options options = on_two_threads();
  options.goal = "first";
  EXPECT_EQ(Solver(options).solve(Board::goal(3, 3, "first")).length, 0);
  options = on_two_threads();
  options.metric = tessera::Metric::multi;
  EXPECT_EQ(Solver(options).solve(Board::parse("1 2 3/4 5 6/0 7 8")).length, 1);
  options = on_two_threads();
  options.engine = tessera::parse_engine("A*");
  const Result r = Solver(options).solve(Board::parse("8 6 7/2 5 4/3 0 1"));
  EXPECT_EQ(r.length, 31);
  EXPECT_TRUE(r.optimal);
  options = on_two_threads();
  options.all = true;
  EXPECT_GT(Solver(options).solve(Board::parse("8 6 7/2 5 4/3 0 1")).solutions, 1U);
}

TEST(PublicSolver, ListsAllOptimalSolutions) {
  const Board board = Board::parse("8 6 7/2 5 4/3 0 1");
  Options options = on_two_threads();
  options.all = true;
  const Result r = Solver(options).solve(board);
  ASSERT_EQ(r.all_moves.size(), r.solutions);
  std::map<std::string, std::uint64_t> first_moves;
  for (const std::string& moves : r.all_moves) {
    EXPECT_EQ(moves.size(), 31U);
    EXPECT_EQ(board.after(moves), Board::goal(3, 3));
    ++first_moves[moves.substr(0, 1)];
  }
  EXPECT_EQ(r.good_moves, first_moves);
  options.max_solutions = 3;
  const std::vector batch(2, board);
  for (const Result& listed : Solver(options).solve(batch)) {
    EXPECT_EQ(listed.solutions, r.solutions);
    EXPECT_EQ(listed.all_moves, std::vector(r.all_moves.begin(), r.all_moves.begin() + 3));
  }
  options.max_solutions = 0;
  const Result counted = Solver(options).solve(board);
  EXPECT_EQ(counted.solutions, r.solutions);
  EXPECT_TRUE(counted.all_moves.empty());
}

TEST(PublicSolver, RefusesWhatExcludesOneAnother) {
  Options options;
  options.engine = tessera::Engine::astar;
  options.all = true;
  EXPECT_NE(input_error([&] { return Solver(options).options().all; }), "");
  options = on_two_threads();
  options.heuristic = "manhatten";
  EXPECT_NE(input_error([&] { return Solver(options).solve(Board()); }), "");
  options = Options();
  options.metric = static_cast<tessera::Metric>(2);
  EXPECT_NE(input_error([&] { return Solver(options).options().all; }), "");
  options = Options();
  options.engine = static_cast<tessera::Engine>(-1);
  EXPECT_NE(input_error([&] { return Solver(options).options().all; }), "");
  options = Options();
  options.time_limit = -1;
  EXPECT_NE(input_error([&] { return Solver(options).options().all; }), "");
}

TEST(PublicSolver, AlmostNoTimeIsALimit) {
  Options options = on_two_threads();
  options.goal = "first";
  for (const double seconds : {1e-300, 1e-10, 1e-9}) {
    options.time_limit = seconds;
    const Result r = Solver(options).solve(Board::parse("14 13 15 7/11 12 9 5/6 0 2 1/4 8 10 3"));
    EXPECT_EQ(r.status, tessera::Status::limit) << seconds;
  }
}

TEST(PublicSolver, PlansAsItSolves) {
  const Solver solver(on_two_threads());
  const tessera::Plan plan = solver.plan(Board::random(4, 4, 1));
  EXPECT_EQ(plan.heuristic, "pdb:5-5-5");
  EXPECT_EQ(plan.threads, 2);
  EXPECT_GT(plan.memory_bytes, plan.table_bytes);
  EXPECT_TRUE(plan.text().starts_with("heuristic pdb:5-5-5, tables of "));
}

TEST(PublicSolver, StopsAtALimit) {
  Options options = on_two_threads();
  options.heuristic = "manhattan";
  options.node_limit = 10'000;
  const Result r = Solver(options).solve(Board::random(5, 5, 1));
  EXPECT_EQ(r.status, Status::limit);
  EXPECT_GT(r.lower_bound, 0);
  EXPECT_FALSE(r.optimal);
}

TEST(PublicSolver, StopsWhenAsked) {
  Options options = on_two_threads();
  options.heuristic = "manhattan";
  Solver solver(options);
  std::stop_source stop;
  tessera::Observer observer;
  observer.stop = stop.get_token();
  observer.progress = [&](const tessera::Progress&) { stop.request_stop(); };
  EXPECT_EQ(solver.solve(Board::random(5, 5, 1), observer).status, Status::stopped);
  // A token stops one search, stop() all.
  EXPECT_EQ(solver.solve(Board::parse("1 2 3/4 0 6/7 5 8")).status, Status::solved);
  solver.stop();
  EXPECT_EQ(solver.solve(Board::random(5, 5, 1)).status, Status::stopped);
}

TEST(PublicSolver, AStoppedBatchPlansNoBoard) {
  Options options = on_two_threads();
  options.heuristic = "unknown";
  Solver solver(options);
  const std::vector<Board> boards{Board::random(3, 3, 1), Board::random(4, 4, 1)};
  EXPECT_THROW((void)solver.solve(boards), Error);  // the plan of the first one
  std::stop_source stop;
  stop.request_stop();
  tessera::Observer observer;
  observer.stop = stop.get_token();
  for (const Result& result : solver.solve(boards, observer)) {
    EXPECT_EQ(result.status, Status::stopped);
  }
}

TEST(PublicSolver, ThrowsWhatAnObserverThrows) {
  struct Own {};
  Options options = on_two_threads();
  options.heuristic = "manhattan";
  Solver solver(options);
  tessera::Observer observer;
  observer.progress = [](const tessera::Progress&) { throw Own(); };
  EXPECT_THROW((void)solver.solve(Board::random(5, 5, 1), observer), Own);
  EXPECT_EQ(solver.solve(Board::parse("1 2 3/4 0 6/7 5 8")).length, 2);
}

TEST(PublicSolver, ReportsTheProgressOfBeams) {
  tessera::Options options;
  options.engine = tessera::Engine::beam;
  options.threads = 1;
  tessera::Solver solver(options);
  struct Own {};
  tessera::Observer observer;
  observer.progress = [](const tessera::Progress& now) {
    EXPECT_EQ(now.nodes.generated, 0);  // beams evaluate boards; no node is counted
    if (now.evaluated > 0) throw Own();
  };
  EXPECT_THROW((void)solver.solve(tessera::Board::random(6, 6, 1), observer), Own);
}

TEST(PublicSolver, RefusesASecondCallWhileItSolves) {
  tessera::Options options;
  options.heuristic = "manhattan";
  options.threads = 1;
  Solver solver(options);
  const Board easy = Board::parse("1 2 3/4 0 6/7 5 8");
  std::string refusal;
  tessera::Observer observer;
  observer.iteration = [&](const tessera::Iteration&) {
    refusal = input_error([&] { return solver.solve(easy); });
  };
  EXPECT_EQ(solver.solve(Board::parse("8 6 7/2 5 4/3 0 1"), observer).length, 31);
  EXPECT_EQ(refusal, "this Solver is solving already, expected one call at a time");
  EXPECT_EQ(solver.solve(easy).length, 2);
}

TEST(PublicSolver, SolvesABatch) {
  std::vector<Board> boards{Board::parse("1 2 3/4 5 6/8 7 0")};
  for (unsigned seed = 1; seed <= 20; ++seed) boards.push_back(Board::random(3, 3, seed));
  Solver solver(on_two_threads());
  std::vector<bool> reported(boards.size());
  double done = 0;
  tessera::Observer observer;
  observer.result = [&](std::size_t i, const Result&) { reported[i] = true; };
  observer.progress = [&](const tessera::Progress& now) {
    if (!now.building_tables) done = now.done;
  };
  const std::vector<Result> results = solver.solve(boards, observer);
  ASSERT_EQ(results.size(), boards.size());
  EXPECT_EQ(results[0].status, Status::unsolvable);
  for (std::size_t i = 1; i < boards.size(); ++i) {
    EXPECT_TRUE(results[i].optimal);
    EXPECT_EQ(boards[i].after(results[i].moves), Board::goal(3, 3));
    EXPECT_EQ(results[i].length, solver.solve(boards[i]).length);
  }
  EXPECT_EQ(std::ranges::count(reported, true), static_cast<long>(boards.size()));
  EXPECT_EQ(done, 1);
}

TEST(Solver, LimitsTheMemoryOfTheProcessWhileItSolves) {
  static std::atomic<std::uint64_t> allowed = 0;
  tessera::add_heuristic("of-memory", [](const tessera::Homes& homes) {
    allowed = tessera::LimitedMemory::allowance().bytes;
    return manhattan(homes);
  });
  Options options = on_two_threads();
  options.heuristic = "of-memory";
  options.memory = std::uint64_t{1} << 30;
  EXPECT_EQ(Solver(options).solve(Board::parse("1 2 3/4 0 6/7 5 8")).length, 2);
  EXPECT_EQ(allowed, options.memory);
  EXPECT_EQ(tessera::LimitedMemory::allowance().bytes, 0U);
}

// It may take long for each board, so that the search looks at its stop often.
TEST(OwnHeuristic, IsNotAskedForManyBoardsAfterAStop) {
  static std::stop_source stop;
  static std::atomic<int> boards = 0;
  constexpr int before = 20'000;
  tessera::add_heuristic("stops", [](const tessera::Homes& homes) {
    if (++boards == before) stop.request_stop();
    return manhattan(homes);
  });
  Options options;
  options.threads = 1;
  options.goal = "first";
  options.heuristic = "stops";
  tessera::Observer observer;
  observer.stop = stop.get_token();
  const Result r =
      Solver(options).solve(Board::parse("14 13 15 7/11 12 9 5/6 0 2 1/4 8 10 3"), observer);
  EXPECT_EQ(r.status, tessera::Status::stopped);
  EXPECT_LT(boards, before + 5000);  // successors of 1000 nodes
}

TEST(OwnHeuristic, IsForMetricSingle) {
  tessera::add_heuristic("of-single", manhattan);
  Options options;
  options.heuristic = "of-single";
  options.metric = tessera::Metric::multi;
  EXPECT_NE(input_error([&] {
              return Solver(options).solve(Board::parse("3 2/1 0"));
            }).find("heuristic of-single is for --metric single"),
            std::string::npos);
}

TEST(OwnHeuristic, IsRefusedIfItReturnsMoreMovesThanAnyBoardNeeds) {
  tessera::add_heuristic("infinite", [](const tessera::Homes&) { return 2'000'000'000; });
  tessera::add_heuristic("late", [](const tessera::Homes& homes) {
    return manhattan(homes) < 10 ? 10'001 : manhattan(homes);
  });
  for (const char* name : {"infinite", "late", "max(manhattan,infinite)"}) {
    for (const auto engine : {tessera::Engine::ida, tessera::Engine::astar}) {
      Options options = on_two_threads();
      options.heuristic = name;
      options.engine = engine;
      const std::string error =
          input_error([&] { return Solver(options).solve(Board::parse("8 6 7/2 5 4/3 0 1")); });
      EXPECT_NE(error.find("expected a lower bound of at most 10000 moves"), error.npos) << error;
    }
  }
}

TEST(OwnHeuristic, ExpandsTheNodesOfTheSameBuiltInOne) {
  tessera::add_heuristic("my-manhattan", manhattan);
  std::vector<std::uint64_t> counts;
  for (const char* name : {"manhattan", "my-manhattan", "max(zero,my-manhattan)"}) {
    for (const auto engine : {tessera::Engine::ida, tessera::Engine::astar}) {
      Options options = on_two_threads();
      options.heuristic = name;
      options.engine = engine;
      options.finish_iteration = engine == tessera::Engine::ida;
      const Result r = Solver(options).solve(Board::parse("8 6 7/2 5 4/3 0 1"));
      EXPECT_EQ(r.length, 31) << name;
      if (engine == tessera::Engine::ida) counts.push_back(r.nodes.expanded);
    }
  }
  EXPECT_EQ(counts[1], counts[0]);
  EXPECT_EQ(counts[2], counts[0]);
  EXPECT_NE(input_error([] {
              tessera::add_heuristic("manhattan", manhattan);
              return 0;
            }),
            "");
}

}  // namespace
