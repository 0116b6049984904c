// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "puzzle/board.hpp"

namespace tessera {

/// The tiles in order with the blank in cell `blank`. Throws Error(input) if there is no such cell.
[[nodiscard]] Board ordered_board(Size size, std::int64_t blank);

/// The blank's cell in such a goal of a census: `last`, `first` or `cell:K`. Throws Error(input).
[[nodiscard]] int parse_goal_blank(std::string_view text, Size size);

/// A goal before the board's size is known, by its name, or an explicit board.
class Goal {
 public:
  enum class Kind : std::uint8_t {
    last,     ///< 1,2,..,n-1,0
    first,    ///< 0,1,..,n-1
    spiral,   ///< clockwise from the top left to the middle, where the blank is
    snake,    ///< the first row to the right, the next to the left, ..., the blank at the end
    columns,  ///< down the columns, from left to right, the blank at the end
    board
  };
  /// All but `board`.
  static constexpr std::array named{Kind::last, Kind::first, Kind::spiral, Kind::snake,
                                    Kind::columns};

  Goal() = default;
  explicit Goal(Kind kind) : kind_(kind) {}
  explicit Goal(const Board& board) : kind_(Kind::board), board_(board) {}

  /// The goal board of that size. Throws Error(input) if an explicit goal has another size.
  [[nodiscard]] Board board(Size size) const;
  /// Of an explicit board.
  [[nodiscard]] std::optional<Size> size() const {
    return kind_ == Kind::board ? std::optional(board_.size()) : std::nullopt;
  }
  /// The name, or the tiles.
  friend std::string to_string(const Goal& goal);

 private:
  Kind kind_ = Kind::last;
  Board board_;
};

/// The name of a goal board, or its tiles if it has none: what parse_goal() reads.
[[nodiscard]] std::string goal_name(const Board& goal);

/// Reads a name or tiles (of `size`, which may be empty, as for parse_board). Throws Error(input).
[[nodiscard]] Goal parse_goal(std::string_view text, std::optional<Size> size);

/// The number of swaps of two tiles, counting the blank as one, that turn one board into the other.
[[nodiscard]] int swaps_between(const Board& start, const Board& goal);

/// Whether moves lead from one board to the other. Each is a transposition and one step of the
/// blank, so the parity of the permutation must equal that of the blank's distance (Johnson 1879).
[[nodiscard]] bool solvable(const Board& start, const Board& goal);

/// The names of the goals that moves lead to.
[[nodiscard]] std::vector<std::string> reachable_goals(const Board& board);

}  // namespace tessera
