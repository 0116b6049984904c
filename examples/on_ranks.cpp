// SPDX-License-Identifier: MIT
// Solves boards on the ranks of an MPI program: mpirun -np 2 on_ranks
#include <boost/mpi/collectives.hpp>
#include <boost/mpi/environment.hpp>
#include <iostream>
#include <tessera/mpi.hpp>

int main(int argc, char** argv) {
  const boost::mpi::environment mpi(argc, argv, boost::mpi::threading::funneled);
  const boost::mpi::communicator world;
  tessera::Options options;
  options.threads = 1;
  int length = 0;
  tessera::on_ranks(world, options, [&](tessera::Solver& solver) {
    const auto board = tessera::Board::parse("8 6 7/2 5 4/3 0 1");
    length = solver.solve(board).length;
    std::cout << solver.plan(board).ranks << " ranks\n" << length << " moves\n";
  });
  // All ranks come here after rank 0 has solved its boards; it alone knows the answers so far.
  boost::mpi::broadcast(world, length, 0);
}
