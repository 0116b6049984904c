// SPDX-License-Identifier: MIT
#include "heuristic/manhattan.hpp"

namespace tessera {

Manhattan::Manhattan(const Instance& instance) : instance_(instance) {
  const Size size = instance.size();
  for (int blank = 0; blank < size.cells(); ++blank) {
    for (int direction = 0; direction < 4; ++direction) {
      if (!size.has_neighbor(blank, direction)) continue;
      const int next = blank + size.offset(direction);
      for (int label = 1; label < size.cells(); ++label) {
        const int home = instance.home(label);
        const bool recedes = size.distance(blank, home) > size.distance(next, home);
        rises_[index(blank, direction)][static_cast<std::size_t>(label)] = recedes ? 2 : 0;
      }
    }
  }
}

std::uint64_t Manhattan::receding(int blank, int direction) const {
  std::uint64_t mask = 0;
  for (std::size_t label = 0; label < Size::max_cells; ++label) {
    if (rises_[index(blank, direction)][label] > 0) mask |= std::uint64_t{1} << label;
  }
  return mask;
}

int Manhattan::evaluate(const Board& board) const {
  const Size size = board.size();
  int sum = 0;
  for (int cell = 0; cell < size.cells(); ++cell) {
    const int label = board.tile(cell);
    if (label != 0) sum += size.distance(cell, instance_.home(label));
  }
  return sum;
}

}  // namespace tessera
