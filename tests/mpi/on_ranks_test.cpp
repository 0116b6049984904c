// SPDX-License-Identifier: MIT
// The public interface on the ranks of a program of its own, which starts MPI without thread
// support, sends messages of its own, and uses the solver several times.
#include <gtest/gtest.h>

#include <atomic>
#include <boost/mpi/collectives.hpp>
#include <boost/mpi/environment.hpp>
#include <stdexcept>
#include <string>
#include <tessera/mpi.hpp>
#include <thread>

#include "base/temporary_folder.hpp"

namespace {

const tessera::Board board = tessera::Board::parse("8 6 7/2 5 4/3 0 1");

tessera::Options manhattan() {
  tessera::Options options;
  options.threads = 1;
  options.heuristic = "manhattan";
  options.finish_iteration = true;
  return options;
}

TEST(OnRanks, SearchesWithAllOfThem) {
  const boost::mpi::communicator world;
  const tessera::Board larger = tessera::Board::random(4, 4, 3);
  std::uint64_t on_ranks = 0;
  bool called = false;
  tessera::on_ranks(world, manhattan(), [&](tessera::Solver& solver) {
    called = true;
    EXPECT_EQ(solver.plan(larger).ranks, world.size());
    const tessera::Result r = solver.solve(larger);
    EXPECT_TRUE(r.optimal);
    on_ranks = r.iterations.back().expanded;
  });
  EXPECT_EQ(called, world.rank() == 0);
  if (world.rank() != 0) return;
  EXPECT_EQ(tessera::Solver(manhattan()).solve(larger).iterations.back().expanded, on_ranks);
}

TEST(OnRanks, SolvesABatch) {
  const boost::mpi::communicator world;
  tessera::on_ranks(world, manhattan(), [&](tessera::Solver& solver) {
    std::vector<tessera::Board> boards;
    for (unsigned seed = 1; seed <= 30; ++seed)
      boards.push_back(tessera::Board::random(3, 3, seed));
    for (const tessera::Result& r : solver.solve(boards)) EXPECT_TRUE(r.optimal);
  });
}

// One of the tables, 1237 MiB, cannot be built in the part of a rank.
TEST(OnRanks, EachHasItsPartOfTheMemory) {
  const boost::mpi::communicator world;
  if (world.size() == 1) return;
  tessera::Options options = manhattan();
  options.heuristic = "pdb:7-8";
  options.memory = std::uint64_t{2000} << 20;
  const tessera::TemporaryFolder tables;  // rank 0's is used
  options.tables = tables.text();
  tessera::on_ranks(world, options, [](tessera::Solver& solver) {
    try {
      (void)solver.solve(tessera::Board::random(4, 4, 3));
      ADD_FAILURE() << "the tables were built";
    } catch (const tessera::Error& error) {
      EXPECT_EQ(error.kind(), tessera::ErrorKind::resource) << error.what();
    }
  });
}

TEST(OnRanks, LeavesMessagesOfTheProgramAlone) {
  const boost::mpi::communicator world;
  const int next = (world.rank() + 1) % world.size();
  const int previous = (world.rank() + world.size() - 1) % world.size();
  boost::mpi::request sent = world.isend(next, 0, world.rank());
  tessera::on_ranks(world, manhattan(),
                    [](tessera::Solver& solver) { EXPECT_EQ(solver.solve(board).length, 31); });
  int received = -1;
  world.recv(previous, 0, received);
  sent.wait();
  EXPECT_EQ(received, previous);
}

TEST(OnRanks, PassesOnWhatIsThrown) {
  const boost::mpi::communicator world;
  const auto fail = [&] {
    tessera::on_ranks(world, manhattan(),
                      [](tessera::Solver&) { throw std::runtime_error("mine"); });
  };
  if (world.rank() == 0) EXPECT_THROW(fail(), std::runtime_error);
  else EXPECT_NO_THROW(fail());
  tessera::Options wrong = manhattan();
  wrong.heuristic = "manhatten";
  const auto misnamed = [&] {
    tessera::on_ranks(world, wrong, [](tessera::Solver& solver) { (void)solver.solve(board); });
  };
  if (world.rank() == 0) EXPECT_THROW(misnamed(), tessera::Error);
  else EXPECT_NO_THROW(misnamed());
}

TEST(OnRanks, RefusesNoCommunicator) {
  const boost::mpi::communicator none(MPI_COMM_NULL, boost::mpi::comm_attach);
  EXPECT_THROW(tessera::on_ranks(none, manhattan(), [](tessera::Solver&) {}), tessera::Error);
}

TEST(OnRanks, RefusesBadOptionsAsTheSolverAloneDoes) {
  const boost::mpi::communicator world;
  tessera::Options beam = manhattan();
  beam.engine = tessera::Engine::beam;
  beam.all = true;
  tessera::Options few = manhattan();
  few.threads = -1;
  for (const tessera::Options& options : {beam, few}) {
    const auto refused = [&] {
      try {
        tessera::on_ranks(world, options, [](tessera::Solver&) {});
      } catch (const tessera::Error& error) {
        return error.kind() == tessera::ErrorKind::input;
      }
      return false;
    };
    EXPECT_EQ(refused(), world.rank() == 0);
  }
}

TEST(OnRanks, SaysThatARankLacksAHeuristic) {
  const boost::mpi::communicator world;
  if (world.size() == 1) return;
  if (world.rank() == 0)
    tessera::add_heuristic("of-rank-0", [](const tessera::Homes&) { return 0; });
  tessera::Options options = manhattan();
  options.heuristic = "of-rank-0";
  try {
    tessera::on_ranks(world, options, [](tessera::Solver& solver) {
      (void)solver.solve(tessera::Board::random(4, 4, 3));
    });
    ADD_FAILURE() << "the search ended";
  } catch (const tessera::Error& error) {
    EXPECT_EQ(error.kind(), tessera::ErrorKind::input);
    const std::string message = error.what();
    EXPECT_NE(message.find("heuristic of-rank-0: every rank must add it"), std::string::npos)
        << message;
  }
}

TEST(OnRanks, RunsAHeuristicOfTheProgram) {
  const boost::mpi::communicator world;
  tessera::add_heuristic("none-at-all", [](const tessera::Homes&) { return 0; });
  tessera::Options options = manhattan();
  options.heuristic = "max(none-at-all,manhattan)";
  tessera::on_ranks(world, options,
                    [](tessera::Solver& solver) { EXPECT_EQ(solver.solve(board).length, 31); });
}

// A thread that still searches during the second solve() would use what it replaces.
TEST(OnRanks, StopsAllSearchThreadsWhenARankFails) {
  const boost::mpi::communicator world;
  if (world.size() == 1) return;
  static std::atomic<bool> over = false;
  static std::atomic<int> late = 0;
  static std::atomic<int> boards = 0;
  const auto main_thread = std::this_thread::get_id();
  tessera::add_heuristic("fails", [=, rank = world.rank()](const tessera::Homes&) {
    if (rank == 1 && ++boards > 2000) throw std::runtime_error("not this one");
    if (over && std::this_thread::get_id() != main_thread) ++late;
    return 0;
  });
  tessera::Options options = manhattan();
  options.heuristic = "max(fails,manhattan)";
  options.goal = "first";
  const auto solve = [](tessera::Solver& solver) {
    const auto hard = tessera::Board::parse("14 13 15 7/11 12 9 5/6 0 2 1/4 8 10 3");
    for (int times = 0; times < 2; ++times) {
      try {
        (void)solver.solve(hard);
        ADD_FAILURE() << "no rank failed";
      } catch (const tessera::Error& error) {
        EXPECT_STREQ(error.what(), "rank 1: internal failure: not this one");
      }
      over = true;
    }
  };
  try {
    tessera::on_ranks(world, options, solve);
    ADD_FAILURE() << "no rank failed";
  } catch (const tessera::Error& error) {
    EXPECT_STREQ(error.what(), "rank 1: internal failure: not this one");
  }
  EXPECT_EQ(late, 0);
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const boost::mpi::environment mpi(argc, argv);
  const int failed = RUN_ALL_TESTS();
  return boost::mpi::all_reduce(boost::mpi::communicator(), failed, std::plus<>());
}
