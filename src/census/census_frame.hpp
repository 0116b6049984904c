// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "census/census.hpp"
#include "census/levels/sweep.hpp"
#include "puzzle/board.hpp"

namespace tessera {

/// Converts between a size and goal as given by the user and the layout's, transposed so that width
/// <= height: there a tile's label is its goal position, row by row.
class CensusFrame {
 public:
  CensusFrame(Size size, int goal_blank)
      : size_(size), goal_(goal_blank), turned_(size.width > size.height) {}

  [[nodiscard]] Size inner_size() const { return turned_ ? size_.transposed() : size_; }
  [[nodiscard]] int inner_goal() const { return inner_cell(goal_); }

  /// A board of the layout, given by the blank's cell and the other labels row by row, as one byte
  /// per cell of the user's board.
  [[nodiscard]] std::string board_text(int inner_blank, const std::vector<int>& labels) const;

 private:
  [[nodiscard]] int inner_cell(int cell) const { return turned_ ? size_.transposed(cell) : cell; }
  [[nodiscard]] int tile_of(int label) const;

  Size size_;
  int goal_;
  bool turned_;
};

/// The numbers of the states of a level of that width that a task requests; equal on all ranks.
[[nodiscard]] std::vector<std::uint64_t> picked_numbers(const CensusTask& task,
                                                        std::uint64_t width);

/// These states of a level as boards, on all ranks. Collective.
[[nodiscard]] std::vector<Board> pick_boards(const StateLayout& layout, const CensusFrame& frame,
                                             const LevelPlanes& level, const CensusTask& task,
                                             std::uint64_t width, Ranks& ranks);

/// Sizes without a state layout: one row or column, and 2x2.
[[nodiscard]] bool is_plain_census(Size size);

/// Breadth-first search, board by board; for small sizes.
[[nodiscard]] CensusResult plain_census(const CensusTask& task, CensusObserver& observer);

}  // namespace tessera
