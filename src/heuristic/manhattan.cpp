// SPDX-License-Identifier: MIT
#include "tessera/heuristic/manhattan.hpp"

namespace tessera {

Manhattan::Manhattan(const Instance& instance) : size_(instance.size()) {
  const int cells = size_.cells();
  const RuntimeGeometry geometry(size_);
  for (int label = 0; label < cells; ++label) {
    home_[static_cast<std::size_t>(label)] = instance.home(label);
  }
  for (int blank = 0; blank < cells; ++blank) {
    for (int direction = 0; direction < 4; ++direction) {
      if (!geometry.allowed(blank, no_way, direction)) continue;
      const int next = blank + geometry.offset(direction);
      for (int label = 1; label < cells; ++label) {
        const int home = instance.home(label);
        const bool recedes = size_.distance(blank, home) > size_.distance(next, home);
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
  int sum = 0;
  for (int cell = 0; cell < size_.cells(); ++cell) {
    const int label = board.tile(cell);
    if (label != 0) sum += size_.distance(cell, home_[static_cast<std::size_t>(label)]);
  }
  return sum;
}

}  // namespace tessera
