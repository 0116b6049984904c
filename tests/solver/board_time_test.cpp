// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <tessera/solver.hpp>
#include <utility>
#include <vector>

#include "search/tree/serial_executor.hpp"
#include "solver/interface/solver_impl.hpp"

namespace tessera {
namespace {

// Every board is too hard for a worker alone, after 100 seconds.
class TooHardAlone final : public SerialExecutor {
 public:
  std::vector<WorkerTimes> solve_boards(std::vector<BoardJob> jobs, const BatchOptions& /*batch*/,
                                        const Limits& /*limits*/, const BoardDone& done) override {
    for (const BoardJob& job : jobs) {
      BoardOutcome outcome;
      outcome.index = job.index;
      outcome.too_hard = true;
      outcome.wall_seconds = 100;
      done(std::move(outcome));
    }
    return times();
  }
};

// The limit holds for both of a board's searches.
TEST(BoardTime, IncludesTheSearchByOneWorkerAlone) {
  const std::vector<api::Board> boards(2, api::Board::parse("8 6 7/2 5 4/3 0 1"));
  for (const double limit : {60.0, 10'000.0}) {
    api::Options options;
    options.time_limit = limit;
    TooHardAlone backend;
    api::Solver solver(
        std::make_unique<api::Solver::Impl>(options, std::vector<RankPlace>(2), &backend));
    for (const api::Result& result : solver.solve(boards)) {
      EXPECT_EQ(result.status, limit < 100 ? api::Status::limit : api::Status::solved);
    }
  }
}

}  // namespace
}  // namespace tessera
