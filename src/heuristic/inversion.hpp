// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "heuristic/heuristic.hpp"

namespace tessera {

/// Inversion distance (K. Takahashi): read the board row by row, skip the blank, and count the
/// pairs of tiles whose order differs from that of their homes. A move along a row changes no pair,
/// a move along a column only the pairs of the tile with the W - 1 tiles that it passes: it adds
/// W-1, W-3, ..., or -(W-1) inversions. The blank's row also determines the parity of the number of
/// such moves. So at least m are needed, the least m of that parity with m (W-1) >= inversions. h
/// adds the same bound for columns.
///
/// m is the exact distance of the abstraction to inversions and parity, so each step changes h by
/// one and f by 0 or 2.
class Inversion {
 public:
  static constexpr HeuristicInfo info{
      .name = "inversion",
      .summary = "moves that the order of the tiles in rows and columns needs"};
  static constexpr int f_step = 2;
  static constexpr int unrolled_cells = 0;

  /// For vertical and horizontal moves, how many more inversions m moves could remove than there
  /// are: m (W-1) - inversions, less than 2 (W-1) since m is the least. A step needs no more.
  using State = std::array<std::int8_t, 2>;

  explicit Inversion(const Instance& instance);
  [[nodiscard]] int evaluate(const Board& board) const;
  [[nodiscard]] State start(const Board& board) const;

  template <class Position, class StepT>
  [[nodiscard]] int rise(const Position& position, unsigned label, StepT step, State& state) const {
    const bool forward = step.next < step.blank;  // the tile moves forward in reading order
    const int left = forward ? step.next : step.blank;
    const int right = forward ? step.blank : step.next;
    int later = 0;  // the passed tiles whose homes come after this one's
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
  // A move that passes `passed` tiles creates `made` inversions and removes the others. The rest
  // needs either one move less or, because of parity, one more.
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
  // Tiles passed by a move along the axis.
  [[nodiscard]] int passed(std::size_t axis) const {
    return (axis == 0 ? size_.width : size_.height) - 1;
  }

  Size size_;
  int goal_blank_;
  // Home positions, row by row and column by column, by label.
  std::array<std::array<std::uint8_t, Size::max_cells>, 2> orders_{};
};

}  // namespace tessera
