// SPDX-License-Identifier: MIT
// Prints the nodes of each bound: the same numbers for any number of threads and ranks.
#include <iostream>
#include <tessera/tessera.hpp>

int main() {
  tessera::Options options;
  options.heuristic = "linear-conflict";
  options.threads = 2;
  options.finish_iteration = true;
  tessera::Solver solver(options);
  const tessera::Result r = solver.solve(tessera::Board::parse("8 6 7/2 5 4/3 0 1"));
  for (const tessera::Iteration& i : r.iterations) {
    std::cout << "bound " << i.bound << ": " << i.expanded << " expanded\n";
  }
}
