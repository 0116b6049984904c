// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tessera/puzzle/board.hpp"

namespace tessera {

/// The tiles in order with the blank in that cell. Throws Error(input) where it is none.
[[nodiscard]] Board ordered_board(Size size, std::int64_t blank);

/// What a goal is called before the board's size is known: `last` (1,2,..,n-1,0), `first`
/// (0,1,..,n-1), or an explicit board.
class Goal {
 public:
  enum class Kind { last, first, board };

  Goal() = default;
  explicit Goal(Kind kind) : kind_(kind) {}
  explicit Goal(const Board& board) : kind_(Kind::board), board_(board) {}

  /// The goal board of that size. Throws Error(input) where an explicit goal has another size.
  [[nodiscard]] Board board(Size size) const;
  /// "last", "first", or the tiles.
  friend std::string to_string(const Goal& goal);

 private:
  Kind kind_ = Kind::last;
  Board board_;
};

/// Reads `last`, `first` or tiles (of `size`, or square). Throws Error(input).
[[nodiscard]] Goal parse_goal(std::string_view text, std::optional<Size> size);

/// How many swaps of two tiles, the blank taken for one, lead from one board to the other.
[[nodiscard]] int swaps_between(const Board& start, const Board& goal);

/// Whether moves lead from one board to the other. Each move is a transposition and one step of
/// the blank, so the parity of the permutation must be that of the blank's way (Johnson 1879).
[[nodiscard]] bool solvable(const Board& start, const Board& goal);

/// Two tiles swapped, so that an unsolvable board becomes solvable and the other way about.
[[nodiscard]] Board with_parity_flipped(const Board& board);

}  // namespace tessera
