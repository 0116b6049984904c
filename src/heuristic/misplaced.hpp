// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "heuristic/heuristic.hpp"

namespace tessera {

/// The number of tiles that are not at home: each needs at least one move.
class Misplaced : public Stateless {
 public:
  static constexpr HeuristicInfo info{"misplaced", "tiles away from home"};
  static constexpr int f_step = 0;  // h changes by -1, 0 or 1
  static constexpr int unrolled_cells = Size::max_cells;

  explicit Misplaced(const Instance& instance) {
    for (int label = 0; label < instance.size().cells(); ++label) {
      home_[static_cast<std::size_t>(label)] = instance.home(label);
    }
  }
  [[nodiscard]] int evaluate(const Board& board) const {
    int count = 0;
    for (int cell = 0; cell < board.size().cells(); ++cell) {
      const int label = board.tile(cell);
      if (label != 0 && home_[static_cast<std::size_t>(label)] != cell) ++count;
    }
    return count;
  }

  template <class Position, class StepT>
  [[nodiscard]] int rise(const Position&, unsigned label, StepT step, State = {}) const {
    const int home = home_[label];
    return 1 + (home == step.next) - (home == step.blank);
  }

 private:
  std::array<int, Size::max_cells> home_{};
};

}  // namespace tessera
