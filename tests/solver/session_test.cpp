// SPDX-License-Identifier: MIT
#include "solver/session.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "puzzle/builtin_set.hpp"
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

// A board that fills any memory, on one of four threads.
TEST(Session, DividesTheMemoryAmongItsThreads) {
  const SearchOptions options{.engine = Engine::astar,
                              .heuristic = "manhattan",
                              .batch = Batch::boards,
                              .memory_bytes = 64 * mib};
  const BuiltinSet set = builtin_set("korf100:1", Metric::single);
  const Board start = set.boards.front().board.board;
  const Board goal = set.goal.board(start.size());
  const auto board = std::make_shared<KeptBoard>(
      SessionTask{{"1", start, goal, "last"}, options, make_plan(options, goal, 2)});
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
