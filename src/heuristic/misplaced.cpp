// SPDX-License-Identifier: MIT
#include "tessera/heuristic/misplaced.hpp"

namespace tessera {

Misplaced::Misplaced(const Instance& instance) {
  for (int label = 0; label < instance.size().cells(); ++label) {
    home_[static_cast<std::size_t>(label)] = instance.home(label);
  }
}

int Misplaced::evaluate(const Board& board) const {
  int count = 0;
  for (int cell = 0; cell < board.size().cells(); ++cell) {
    const int label = board.tile(cell);
    if (label != 0 && home_[static_cast<std::size_t>(label)] != cell) ++count;
  }
  return count;
}

}  // namespace tessera
