// SPDX-License-Identifier: MIT
#include "puzzle/instance.hpp"

#include <vector>

namespace tessera {

Board Instance::goal() const {
  std::vector<std::int64_t> tiles;
  // home is an involution, so the label at home in a cell is home(cell).
  for (int cell = 0; cell < size().cells(); ++cell) tiles.push_back(home(cell));
  return Board(size(), tiles);
}

Instance make_instance(const Board& start, const Board& goal) {
  Instance instance{start, goal.blank()};
  std::vector<int> labels(static_cast<std::size_t>(start.size().cells()));
  for (int cell = 0; cell < start.size().cells(); ++cell) {
    labels[static_cast<std::size_t>(goal.tile(cell))] = instance.home(cell);
  }
  instance.start = start.renamed(labels);
  return instance;
}

}  // namespace tessera
