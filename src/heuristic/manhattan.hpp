// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "heuristic/heuristic.hpp"

namespace tessera {

/// The sum of the tiles' distances to their homes along rows and columns.
///
/// A step takes one tile one cell closer or farther, so f stays or rises by 2; a table indexed by
/// step and tile gives which.
class Manhattan : public Stateless {
 public:
  static constexpr HeuristicInfo info{"manhattan", "sum of the tiles' distances to their homes"};
  static constexpr int f_step = 2;
  static constexpr int unrolled_cells = Size::max_cells;

  explicit Manhattan(const Instance& instance);
  [[nodiscard]] int evaluate(const Board& board) const;

  template <class Position, class StepT>
  [[nodiscard]] int rise(const Position&, unsigned label, StepT step, State = {}) const {
    return rises_[index(step.blank, step.direction)][label];
  }

  /// Bit l is set if the tile with label l moves away from home when the blank at `blank` steps in
  /// `direction`.
  [[nodiscard]] std::uint64_t receding(int blank, int direction) const;

 private:
  static constexpr std::size_t index(int blank, int direction) {
    return static_cast<std::size_t>(4 * blank + direction);
  }

  Instance instance_;
  // By step, then label: one cache line per step.
  alignas(64) std::array<std::array<std::uint8_t, Size::max_cells>, Size::max_cells * 4UL> rises_{};
};

}  // namespace tessera
