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
  static constexpr int unrolled_cells = 16;

  explicit LinearConflict(const Instance& instance);
  [[nodiscard]] int evaluate(const Board& board) const;

  template <class Position, class StepT>
  [[nodiscard]] int rise(const Position& position, unsigned label, StepT step, State = {}) const {
    const int direction = step.direction;
    const bool vertical = direction == 0 || direction == 3;
    const int from = line_of(vertical, step.next);
    const int to = line_of(vertical, step.blank);
    const int home = vertical ? home_row_[label] : home_column_[label];
    int rise = manhattan_.rise(position, label, step);
    // The tile passes no other tile of the line that it moves along, so only the lines across can
    // change, and of those only the one that contains its home.
    if (home == to) rise += leavers_by(position, vertical, to, step.blank, label);
    else if (home == from) rise -= leavers_by(position, vertical, from, step.next, label);
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
    Leavers leavers;
    for (int i = 0; i < length; ++i, c += stride) leavers.add(place());
    return leavers.cost();
  }

 private:
  // Longest increasing subsequence by patience sorting: bit n of `ends` is set if one ends with the
  // place n, and is the least end of those of its length. A place that does not extend the longest
  // displaces the next greater end, and costs a tile that must leave.
  class Leavers {
   public:
    void add(std::uint8_t place) {
      const std::uint64_t bit = std::uint64_t{1} << ((place - 1U) & 63U);
      const std::uint64_t greater = ends_ & ~(2 * bit - 1);
      // 0, a tile of another line, is the last bit: no end is greater, and the mask removes it.
      ends_ = ((ends_ ^ (greater & -greater)) | bit) & (~std::uint64_t{0} >> 1);
      count_ += greater != 0 ? 1 : 0;
    }
    [[nodiscard]] int cost() const { return 2 * count_; }

   private:
    std::uint64_t ends_ = 0;
    int count_ = 0;
  };

  // What the tile in `cell` adds to the cost of its home line, be it there or on its way.
  template <class Position>
  [[nodiscard]] int leavers_by(const Position& position, bool is_row, int line, int cell,
                               unsigned label) const {
    const int length = is_row ? size_.width : size_.height;
    if (length <= longest_tabled) {
      return leavers(position, is_row, line, cell, label) -
             leavers(position, is_row, line, cell, 0);
    }
    const int stride = is_row ? 1 : size_.width;
    const Places& places = (is_row ? row_place_ : column_place_)[static_cast<std::size_t>(line)];
    Leavers with;
    Leavers without;
    int c = is_row ? line * size_.width : line;
    for (int i = 0; i < length; ++i, c += stride) {
      const std::uint8_t other = c == cell ? 0 : places[position.tile(c)];
      with.add(c == cell ? places[label] : other);
      without.add(other);
    }
    return with.cost() - without.cost();
  }
  [[nodiscard]] int line_of(bool is_row, int cell) const {
    return lines_[is_row ? 0 : 1][static_cast<std::size_t>(cell)];
  }

  // Lines of up to five cells use a table indexed by three bits per cell; longer ones are computed.
  static constexpr int longest_tabled = 5;
  static constexpr int longest_line = Size::max_cells / 2;
  using Places = std::array<std::uint8_t, Size::max_cells>;  // by label

  static const std::vector<std::uint8_t>& table();

  Size size_;
  Manhattan manhattan_;
  std::array<std::array<std::uint8_t, Size::max_cells>, 2> lines_{};  // rows and columns of cells
  std::array<int, Size::max_cells> home_row_{};
  std::array<int, Size::max_cells> home_column_{};
  std::array<Places, longest_line> row_place_{};
  std::array<Places, longest_line> column_place_{};
  const std::uint8_t* table_;
};

}  // namespace tessera
