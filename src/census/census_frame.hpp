// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "census/levels/sweep.hpp"
#include "tessera/census/census.hpp"
#include "tessera/puzzle/board.hpp"

namespace tessera {

/// A size and goal as a person has them, and turned so that width <= height, as the layout has
/// them: there a tile's label is its place in the reading order of the goal.
class CensusFrame {
 public:
  CensusFrame(Size size, int goal_blank);

  [[nodiscard]] Size inner_size() const { return turned_ ? size_.transposed() : size_; }
  [[nodiscard]] int inner_goal() const { return inner_cell(goal_); }

  /// A board of the layout, by the blank's cell and the labels of all others in reading order, as
  /// one byte a cell of the board as a person has it.
  [[nodiscard]] std::string board_text(int inner_blank, const std::vector<int>& labels) const;
  /// The boards of many such texts, one after another.
  [[nodiscard]] std::vector<Board> boards(std::string_view texts) const;

 private:
  [[nodiscard]] int inner_cell(int cell) const { return turned_ ? size_.transposed(cell) : cell; }

  Size size_;
  int goal_;
  bool turned_;
  std::vector<int> tile_of_label_;
};

/// Which states of a level of that width a task asks for, the same on every rank.
[[nodiscard]] std::vector<std::uint64_t> picked_numbers(const CensusTask& task,
                                                        std::uint64_t width);

/// These states of a level as boards, for all ranks. Collective.
[[nodiscard]] std::vector<Board> pick_boards(const StateLayout& layout, const CensusFrame& frame,
                                             const LevelPlanes& level, const CensusTask& task,
                                             std::uint64_t width, Exchange& exchange);

/// Sizes without a map: one row or column, and 2x2.
[[nodiscard]] bool is_plain_census(Size size);

/// Breadth-first search over boards one by one; for small sizes.
[[nodiscard]] CensusResult plain_census(const CensusTask& task, CensusObserver& observer);

}  // namespace tessera
