// SPDX-License-Identifier: MIT
// Solves 1000 random boards with progress, and stops after the first that needs 60 moves or more.
#include <iostream>
#include <tessera/tessera.hpp>

int main() {
  std::vector<tessera::Board> boards;
  for (unsigned seed = 1; seed <= 1000; ++seed)
    boards.push_back(tessera::Board::random(4, 4, seed));
  std::stop_source stop;
  tessera::Observer observer;
  observer.progress = [](const tessera::Progress& now) { std::cerr << 100 * now.done << " %\r"; };
  observer.result = [&](std::size_t, const tessera::Result& r) {
    if (r.length >= 60) stop.request_stop();
  };
  observer.stop = stop.get_token();
  std::size_t solved = 0;
  for (const tessera::Result& r : tessera::Solver().solve(boards, observer)) solved += r.optimal;
  std::cout << solved << " of 1000 boards solved before one needed 60 moves\n";
}
