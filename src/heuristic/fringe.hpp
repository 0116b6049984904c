// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "heuristic/heuristic.hpp"
#include "heuristic/placement_steps.hpp"
#include "pdb/fringe_table.hpp"

namespace tessera {

/// Culberson and Schaeffer's first pattern database: a lookup of the moves, of all tiles, that
/// bring the fringe and the blank home. Exact for an abstraction of the puzzle, so a step changes h
/// by at most one; since each move takes the blank to a cell of the other color, by exactly one.
///
/// The reflection of a board about the diagonal through the blank's home has the same entry,
/// because the reflection maps the fringe to itself: looking that up too would gain nothing.
class Fringe {
 public:
  static constexpr HeuristicInfo info{
      .name = "fringe",
      .summary = "table of all moves that bring the farthest row and column home",
      .max_cells = 16,
      .limits = "up to 4x4, 5x3, 6x2",
      .memory = "519 MB on 4x4",
      .set_up = "16 s CPU on 4x4"};
  static constexpr int f_step = 2;
  static constexpr int unrolled_cells = 0;

  struct State {
    std::uint32_t index = 0;
    int h = 0;
  };

  static void require(Size size) { (void)fringe_index(size); }

  [[nodiscard]] static std::vector<TableRequest> tables(Size size, int goal_blank) {
    return {fringe_request(size, goal_blank)};
  }

  /// Throws Error(resource) for a size whose table is too large, and whatever open_table throws.
  Fringe(const Instance& instance, const std::string& table_directory)
      : steps_(instance, symmetries(instance.size()).front(),
               fringe_homes(instance.size(), instance.goal_blank), fringe_index(instance.size())),
        table_(open_table(table_directory, fringe_request(instance.size(), instance.goal_blank))),
        entries_(table_->data()) {}

  [[nodiscard]] int evaluate(const Board& board) const { return start(board).h; }
  [[nodiscard]] State start(const Board& board) const {
    const std::uint32_t index = steps_.index_of(cells_by_label(board));
    return {index, entries_[index]};
  }

  template <class Position, class StepT>
  [[nodiscard]] int rise(const Position& position, unsigned label, StepT step, State& state) const {
    constexpr int longest_side = 6;
    state.index =
        steps_.stepped<longest_side - 1>(state.index, position, label, step.blank, step.direction);
    const int before = state.h;
    state.h = entries_[state.index];
    return 1 + state.h - before;
  }

 private:
  PlacementSteps steps_;
  std::shared_ptr<const Table> table_;
  const std::uint8_t* entries_;
};

}  // namespace tessera
