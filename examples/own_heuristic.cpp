// SPDX-License-Identifier: MIT
// A heuristic of one's own: Manhattan distance.
#include <cstdlib>
#include <iostream>
#include <tessera/tessera.hpp>

int main() {
  tessera::add_heuristic("mine", [](const tessera::Homes& board) {
    int moves = 0;
    for (int cell = 0; cell < board.width * board.height; ++cell) {
      const int home = board.home[static_cast<std::size_t>(cell)];
      if (cell == board.blank) continue;
      moves += std::abs(cell % board.width - home % board.width) +
               std::abs(cell / board.width - home / board.width);
    }
    return moves;
  });
  tessera::Options options;
  options.heuristic = "mine";
  const auto r = tessera::Solver(options).solve(tessera::Board::parse("8 6 7/2 5 4/3 0 1"));
  std::cout << r.length << " moves, " << r.nodes.expanded << " nodes expanded\n";
}
