// SPDX-License-Identifier: MIT
#pragma once

#include "heuristic/heuristic.hpp"

namespace tessera {

/// Always 0: IDA* becomes iterative deepening.
class Zero : public Stateless {
 public:
  static constexpr HeuristicInfo info{"zero", "h = 0: plain iterative deepening"};
  static constexpr int f_step = 1;
  static constexpr int unrolled_cells = Size::max_cells;

  explicit Zero(const Instance&) {}
  [[nodiscard]] int evaluate(const Board&) const { return 0; }

  template <class Position, class StepT>
  [[nodiscard]] int rise(const Position&, unsigned, StepT, State = {}) const {
    return 1;
  }
};

}  // namespace tessera
