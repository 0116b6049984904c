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

  /// For moves up and down and for those sideways what m moves could undo beyond what there is to
  /// undo: m (W-1) - inversions, less than 2 (W-1) since m is the least. All that a step must know.
  using State = std::array<std::int8_t, 2>;

  explicit Inversion(const Instance& instance);
  [[nodiscard]] int evaluate(const Board& board) const;
  [[nodiscard]] State start(const Board& board) const;

  template <class Position, class StepT>
  [[nodiscard]] int rise(const Position& position, unsigned label, StepT step, State& state) const {
    const bool forward = step.next < step.blank;  // the tile goes on in the order of reading
    const int left = forward ? step.next : step.blank;
    const int right = forward ? step.blank : step.next;
    int later = 0;  // the tiles passed that are at home after this one
    const std::size_t axis = step.direction == 0 || step.direction == 3 ? 0 : 1;
    const auto count = [&](int cell) {
      later += orders_[axis][position.tile(cell)] > orders_[axis][label] ? 1 : 0;
    };
    if (axis == 0) {
      for (int cell = left + 1; cell < right; ++cell) count(cell);
    } else {
      for (int cell = left + size_.width; cell < size_.cells(); cell += size_.width) count(cell);
      for (int cell = right - size_.width; cell >= 0; cell -= size_.width) count(cell);
    }
    return rise_of(state[axis], passed(axis), forward ? later : passed(axis) - later);
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
    std::int8_t spare;
  };
  [[nodiscard]] Part part(const Board& board, std::size_t axis) const;
  // By a move along the axis.
  [[nodiscard]] int passed(std::size_t axis) const {
    return (axis == 0 ? size_.width : size_.height) - 1;
  }

  Size size_;
  int goal_blank_;
  // Of homes, row by row and column by column, by label.
  std::array<std::array<std::uint8_t, Size::max_cells>, 2> orders_{};
};

}  // namespace tessera
