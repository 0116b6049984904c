// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "heuristic/manhattan.hpp"

namespace tessera {

/// Manhattan distance plus two moves for each tile that must leave its line so that the others in
/// it can pass (Hansson, Mayer, Yung 1992). Exact: of the k tiles of a line whose homes are in it,
/// at most a longest increasing subsequence of homes can stay, so k minus its length must leave;
/// counting conflicting pairs instead would count a tile twice.
///
/// f still stays or rises by 2: a tile that leaves or enters a line changes k by one and the
/// subsequence by at most one, and its own distance by one the other way.
class LinearConflict : public Stateless {
 public:
  static constexpr HeuristicInfo info{"linear-conflict",
                                      "manhattan, and two for each tile that must leave its line"};
  static constexpr int f_step = 2;
  static constexpr bool unrolled = true;

  explicit LinearConflict(const Instance& instance);
  [[nodiscard]] int evaluate(const Board& board) const;

  template <class Position, class StepT>
  [[nodiscard]] int rise(const Position& position, unsigned label, StepT step, State = {}) const {
    const int direction = step.direction;
    const bool vertical = direction == 0 || direction == 3;
    const int from = vertical ? size_.row(step.next) : size_.column(step.next);
    const int to = vertical ? size_.row(step.blank) : size_.column(step.blank);
    const int home = vertical ? home_row_[label] : home_column_[label];
    int rise = manhattan_.rise(position, label, step);
    // The tile passes no other tile of the line that it moves along, so only the lines across can
    // change, and of those only the one that contains its home.
    if (home == to) {
      rise += leavers(position, vertical, to, step.blank, label) -
              leavers(position, vertical, to, -1, 0);
    } else if (home == from) {
      rise += leavers(position, vertical, from, step.next, 0) -
              leavers(position, vertical, from, -1, 0);
    }
    return rise;
  }

  /// Twice the number of tiles that must leave a line: `places` holds, per cell, 0 or the tile's
  /// home position in this line plus one.
  [[nodiscard]] static int leavers(std::span<const std::uint8_t> places);

  /// The same for a row or column of the board if `label` (0: none) were in `cell` (-1: no change).
  template <class Position>
  [[nodiscard]] int leavers(const Position& position, bool is_row, int line, int cell,
                            unsigned label) const {
    const int length = is_row ? size_.width : size_.height;
    const int stride = is_row ? 1 : size_.width;
    const Places& places = (is_row ? row_place_ : column_place_)[static_cast<std::size_t>(line)];
    int c = is_row ? line * size_.width : line;
    const auto place = [&] { return places[c == cell ? label : position.tile(c)]; };
    if (length <= longest_tabled) {
      unsigned code = 0;
      for (int i = 0; i < length; ++i, c += stride)
        code |= static_cast<unsigned>(place()) << (3 * i);
      return table_[code];
    }
    std::array<std::uint8_t, longest_line> present{};
    for (int i = 0; i < length; ++i, c += stride) present[static_cast<std::size_t>(i)] = place();
    return leavers(std::span(present).first(static_cast<std::size_t>(length)));
  }

 private:
  // Lines of up to five cells use a table indexed by three bits per cell; longer ones are computed.
  static constexpr int longest_tabled = 5;
  static constexpr int longest_line = Size::max_cells / 2;
  using Places = std::array<std::uint8_t, Size::max_cells>;  // by label

  static const std::vector<std::uint8_t>& table();

  Size size_;
  Manhattan manhattan_;
  std::array<int, Size::max_cells> home_row_{};
  std::array<int, Size::max_cells> home_column_{};
  std::array<Places, longest_line> row_place_{};
  std::array<Places, longest_line> column_place_{};
  const std::uint8_t* table_;
};

}  // namespace tessera
