// SPDX-License-Identifier: MIT
#include "solver/board_solver.hpp"

#include <gtest/gtest.h>

#include "puzzle/goal.hpp"
#include "search/tree/serial_executor.hpp"

namespace tessera {
namespace {

// Counts how often it is to open tables.
class Opener final : public SerialExecutor {
 public:
  int opened = 0;

  bool prepare(const Problem& /*problem*/, const TableProgress& /*progress*/) override {
    ++opened;
    return true;
  }
};

TEST(BoardSolver, OpensTablesOnceForBoardsThatShareThem) {
  SearchOptions options;
  options.heuristic = "pdb:4-4";
  options.search_from = SearchFrom::goal;
  Opener backend;
  BoardSolver solver(options, {BackendKind::serial, {local_place(1)}}, backend);
  const auto opened_for = [&](const char* text) {
    const Board start = parse_board(text, {});
    const Plan plan = make_plan(options, Goal().board(start.size()), 1, &start);
    EXPECT_TRUE(solver.prepare(plan, {}));
    return std::exchange(backend.opened, 0);
  };
  EXPECT_EQ(opened_for("1 2 3 4 5 6 7 0 8"), 1);
  EXPECT_EQ(opened_for("1 2 3 4 5 6 8 0 7"), 0);
  EXPECT_EQ(opened_for("1 2 3 4 0 6 7 5 8"), 1);
  options.heuristic = "manhattan";  // needs none
  EXPECT_EQ(opened_for("1 2 3 4 5 6 7 0 8"), 0);
  options.heuristic = "pdb:4-4";
  EXPECT_EQ(opened_for("1 2 3 4 0 6 7 5 8"), 0);
}

}  // namespace
}  // namespace tessera
