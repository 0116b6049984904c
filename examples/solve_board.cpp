// SPDX-License-Identifier: MIT
// Solves one board on all CPUs, with the heuristic that suits it: solve_board "8 6 7 2 5 4 3 0 1"
#include <iostream>
#include <tessera/tessera.hpp>

int main(int argc, char** argv) try {
  tessera::Solver solver;
  const auto board = tessera::Board::parse(argc > 1 ? argv[1] : "8 6 7/2 5 4/3 0 1");
  const tessera::Result r = solver.solve(board);
  if (r.status == tessera::Status::unsolvable) std::cout << "unsolvable\n";
  else std::cout << r.length << " moves: " << r.moves << "\n";
} catch (const tessera::Error& error) {
  std::cerr << "solve_board: " << error.what() << "\n";
  return 1;
}
