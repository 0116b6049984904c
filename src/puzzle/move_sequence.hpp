// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "puzzle/board.hpp"
#include "puzzle/metric.hpp"
#include "puzzle/symmetry.hpp"

namespace tessera {

/// Moves and the board that they start from. All that follow are legal sequences again.
struct MoveSequence {
  Board start;
  Board goal;         ///< tells how tiles are numbered
  std::string moves;  ///< tile letters, legal from `start`

  [[nodiscard]] Board end() const;

  /// From `end` back to `start`.
  [[nodiscard]] MoveSequence inverted() const;
  /// Without moves that cancel each other, as in LR; it leads to the same board.
  [[nodiscard]] MoveSequence simplified() const;
  /// Mirrored at the diagonal from the top left, so that columns become rows. Tiles are renumbered
  /// so that the goal stays the same; goals `last` and `first` stay so on every size.
  [[nodiscard]] MoveSequence reflected() const;
  /// Turned by 180 degrees. Goal `last` becomes `first` and vice versa: where the blank of the goal
  /// moves, the new goal has its tiles in order around it.
  [[nodiscard]] MoveSequence rotated() const;

 private:
  // The image under a symmetry that turns the moves UDLR into those of `letters`.
  [[nodiscard]] MoveSequence image(const Symmetry& symmetry, std::string_view letters) const;
};

/// The tile letters that undo these moves.
[[nodiscard]] std::string undone(std::string_view letters);

/// The length of a solution; empty if its moves, replayed from `start`, do not lead to `goal`.
[[nodiscard]] std::optional<int> replayed_length(const Board& start, const Board& goal,
                                                 std::string_view letters, Metric metric);

/// The moves of a metric in a string of tile letters: single letters, or runs of equal ones.
[[nodiscard]] std::vector<std::string> moves_of(std::string_view letters, Metric metric);

/// The boards before the first and after each of these moves, which must be legal.
[[nodiscard]] std::vector<Board> boards_along(const Board& start,
                                              const std::vector<std::string>& moves);

}  // namespace tessera
