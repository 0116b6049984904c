// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "tessera/heuristic/heuristic.hpp"

namespace tessera {

/// Inversion distance (K. Takahashi): read the board row by row, without the blank, and count the
/// pairs of tiles that stand in the other order than their homes do. A move along a row changes no
/// such pair, a move along a column only those of the tile and the W - 1 tiles that it passes: it
/// adds W-1, W-3, ..., or -(W-1) inversions. The blank's row also determines whether the number of
/// these moves is odd. So at least m are needed, the least m of that parity with m (W-1) >=
/// inversions. The same column by column, and the sum of both.
///
/// m is the exact distance where nothing but inversions and parity is looked at, so that h changes
/// by one on each step and f by 0 or 2.
class Inversion {
 public:
  static constexpr HeuristicInfo info{
      .name = "inversion", .summary = "moves that the tiles' order in rows and in columns needs"};
  static constexpr int f_step = 2;
  static constexpr bool unrolled = false;

  /// For either direction what m moves could undo beyond what there is to undo:
  /// m (W-1) - inversions, less than 2 (W-1) since m is the least. All that a step must know.
  struct State {
    std::int8_t vertical = 0;
    std::int8_t horizontal = 0;
  };

  explicit Inversion(const Instance& instance);
  [[nodiscard]] int evaluate(const Board& board) const;
  [[nodiscard]] State start(const Board& board) const;

  template <class Position, class StepT>
  [[nodiscard]] int rise(const Position& position, unsigned label, StepT step, State& state) const {
    const bool forward = step.next < step.blank;  // the tile goes on in the order of reading
    const int left = forward ? step.next : step.blank;
    const int right = forward ? step.blank : step.next;
    int later = 0;  // the tiles passed that are at home after this one
    if (step.direction == 0 || step.direction == 3) {
      for (int cell = left + 1; cell < right; ++cell) {
        later += row_order_[position.tile(cell)] > row_order_[label] ? 1 : 0;
      }
      return rise_of(state.vertical, size_.width - 1, forward ? later : size_.width - 1 - later);
    }
    const auto count = [&](int cell) {
      later += column_order_[position.tile(cell)] > column_order_[label] ? 1 : 0;
    };
    for (int cell = left + size_.width; cell < size_.cells(); cell += size_.width) count(cell);
    for (int cell = right - size_.width; cell >= 0; cell -= size_.width) count(cell);
    return rise_of(state.horizontal, size_.height - 1, forward ? later : size_.height - 1 - later);
  }

 private:
  // A move that passes so many tiles makes `made` inversions and undoes the others. Either one move
  // less undoes what is left, or parity takes one more.
  static int rise_of(std::int8_t& spare, int passed, int made) {
    const int left = spare - 2 * made;
    spare = static_cast<std::int8_t>(left >= 0 ? left : left + 2 * passed);
    return left >= 0 ? 0 : 2;
  }

  struct Part {
    int moves;
    int spare;
  };
  using Orders = std::array<std::uint8_t, Size::max_cells>;
  [[nodiscard]] Part part(const Board& board, bool vertical) const;

  Size size_;
  int goal_blank_;
  Orders row_order_{};  // by label
  Orders column_order_{};
};

}  // namespace tessera
