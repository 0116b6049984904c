// SPDX-License-Identifier: MIT
#include "solver/session.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <utility>

#include "puzzle/builtin_set.hpp"
#include "solver/board_solver.hpp"
#include "solver/plan.hpp"

namespace tessera {
namespace {

constexpr std::uint64_t mib = std::uint64_t{1} << 20;

class KeptBoard final : public SessionBoard {
 public:
  using SessionBoard::SessionBoard;

  void ended(BoardOutcome outcome, bool alone) override {
    result = std::move(outcome.result);
    was_alone = alone;
  }
  void stopped_unsearched(Stop /*why*/, double /*setup_seconds*/) override { ADD_FAILURE(); }
  void failed(const Failure& failure) override { ADD_FAILURE() << failure.message; }

  SearchResult result;
  bool was_alone = false;
};

std::shared_ptr<KeptBoard> first_of_korf100(const SearchOptions& options) {
  const BuiltinSet set = builtin_set("korf100:1", Metric::single);
  const Board start = set.boards.front().board.board;
  const Board goal = set.goal.board(start.size());
  return std::make_shared<KeptBoard>(
      SessionTask{{"1", start, goal, "last"}, options, make_plan(options, goal, 2)});
}

TEST(Session, KnowsTheFirstBoundOfABoardThatComesTooLate) {
  const auto board = first_of_korf100({.heuristic = "manhattan", .batch = Batch::tree});
  SolverSession session({.deadline = std::chrono::steady_clock::now()});
  const Workers workers{BackendKind::serial, {local_place(1)}};
  const auto backend = local_backend(workers);
  BoardSolver solver({}, workers, *backend);
  session.add(board);
  session.close();
  EXPECT_TRUE(session.solve(session.next(), solver));
  EXPECT_EQ(board->result.stop, Stop::time_limit);
  EXPECT_EQ(board->result.bound, 41);
}

// A board that fills any memory, on one of four threads.
TEST(Session, DividesTheMemoryAmongItsThreads) {
  const SearchOptions options{.engine = Engine::astar,
                              .heuristic = "manhattan",
                              .batch = Batch::boards,
                              .memory_bytes = 64 * mib};
  const auto board = first_of_korf100(options);
  SolverSession session({.threads = 4});
  session.add(board);
  session.close();
  EXPECT_EQ(session.next(), nullptr);  // once the board has ended
  EXPECT_TRUE(board->was_alone);
  EXPECT_EQ(board->result.stop, Stop::memory);
  EXPECT_LE(board->result.bytes, 16 * mib);
}

}  // namespace
}  // namespace tessera
