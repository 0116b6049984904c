// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "heuristic/heuristic.hpp"
#include "heuristic/linear_conflict.hpp"
#include "pdb/walking_table.hpp"

namespace tessera {

/// Walking distance (Takahashi): vertical steps plus horizontal steps, each axis on its own. Along
/// an axis, only the current line and the home line of each tile are kept, and a step swaps the
/// blank with any tile of an adjacent line. At least the Manhattan distance, and includes the
/// conflicts of tiles within a line. Every move changes it by exactly one.
class Walking {
 public:
  static constexpr HeuristicInfo info{
      .name = "walking",
      .summary = "how many tiles of each goal line are in each line, per axis",
      .max_cells = 25,
      .limits = "sides to 5; 6x2, 6x3, 7x2",
      .memory = "3 MB on 4x4, 8 MB on 5x5",
      .set_up = "0.01 s on 4x4, 10 s CPU on 5x5"};
  static constexpr int f_step = 2;
  static constexpr int unrolled_cells = 16;

  using State = std::array<WalkingTable::State, 2>;  ///< by axis

  /// Throws Error(resource) for sizes whose tables would be too large.
  static void require(Size size);

  [[nodiscard]] static std::vector<TableRequest> tables(Size size, int goal_blank);

  explicit Walking(const Instance& instance, const std::string& table_directory = {})
      : Walking(instance, table_directory, false) {}
  [[nodiscard]] State start(const Board& labels) const;
  [[nodiscard]] int evaluate(const Board& labels) const { return value(start(labels)); }
  [[nodiscard]] static int value(const State& state) {
    return WalkingTable::distance(state[0]) + WalkingTable::distance(state[1]);
  }

  template <class Position, class StepT>
  [[nodiscard]] int rise(const Position& position, unsigned label, StepT step, State& state) const {
    const std::uint32_t axis = axis_of(step);
    const Axis& own = axes_[axis];
    const int before = WalkingTable::distance(state[axis]);
    if (own.table->is_linked()) {
      state[axis] = own.table->linked(state[axis], own.link[step.direction >= 2][label]);
    } else if (conflicts_) {
      finish(begin(position, label, step, state), state);
    } else {
      state[axis] =
          own.table->after(state[axis], own.line[static_cast<std::size_t>(step.blank)],
                           own.line[static_cast<std::size_t>(step.next)], own.home_line[label]);
    }
    return 1 + WalkingTable::distance(state[axis]) - before;
  }

  /// `rise` in two parts, so that a search can do the first one for many nodes: it prefetches what
  /// the second one reads.
  struct Begun {
    std::uint32_t rank;
    std::uint32_t axis;
  };
  template <class Position, class StepT>
  [[nodiscard, gnu::always_inline]] Begun begin(const Position& position, unsigned label,
                                                StepT step, State& state) const {
    const std::uint32_t axis = axis_of(step);
    const Axis& own = axes_[axis];
    const int to = own.line[static_cast<std::size_t>(step.blank)];
    const int from = own.line[static_cast<std::size_t>(step.next)];
    const int home = own.home_line[label];
    state[axis] = own.table->slid(state[axis], to, from, home);
    if (conflicts_) {
      if (home == to) demand(state, axis, to, position, step.blank, label);
      else if (home == from) demand(state, axis, from, position, step.next, 0);
    }
    return {own.table->prefetched(state[axis]), axis};
  }
  [[gnu::always_inline]] void finish(Begun begun, State& state) const {
    state[begun.axis] = axes_[begun.axis].table->stepped(state[begun.axis], begun.rank);
  }

 protected:
  Walking(const Instance& instance, const std::string& table_directory, bool with_escapes);

 private:
  template <class StepT>
  static constexpr std::uint32_t axis_of(StepT step) {
    return step.direction == 0 || step.direction == 3 ? 0 : 1;
  }

  // Vertical moves, whose lines are rows, or horizontal ones. Lines are numbered as in the table.
  struct Axis {
    std::shared_ptr<const WalkingTable> table;
    int lines = 0;
    bool reversed = false;
    std::array<std::uint8_t, Size::max_cells> line{};       // by cell
    std::array<std::uint8_t, Size::max_cells> home_line{};  // by label
    // Of a small table: the link's number by whether the blank moves right or down, and label.
    std::array<std::array<std::uint8_t, Size::max_cells>, 2> link{};
  };

  // Notes how many tiles must leave a line of the board on which `label` (0: none) is in `cell`.
  template <class Position>
  void demand(State& state, std::size_t axis, int line, const Position& position, int cell,
              unsigned label) const {
    const int index = axes_[axis].reversed ? axes_[axis].lines - 1 - line : line;
    const int tiles = conflicts_->leavers(position, axis == 0, index, cell, label) / 2;
    state[axis] = WalkingTable::demanding(state[axis], line, tiles);
  }

  Size size_;
  std::array<Axis, 2> axes_;
  std::optional<LinearConflict> conflicts_;  // with escapes
};

/// Closes tables that no heuristic uses.
void release_walking_tables();

/// Walking distance on a way on which enough tiles leave the lines that they are at home in: where
/// they are out of order, some must, so that the others can pass (M. Spiegel 2026, the escape
/// condition). At least the walking distance; every move changes it by exactly one.
class Escapes : public Walking {
 public:
  static constexpr HeuristicInfo info{
      .name = "escapes",
      .summary = "walking distance in which tiles that block their line leave it",
      .max_cells = 25,
      .limits = "sides to 5",
      .memory = "0.2 MB on 4x4, 525 MB on 5x5",
      .set_up = "0.1 s on 4x4, 36 s CPU on 5x5"};

  /// Throws Error(resource) for sides longer than five.
  static void require(Size size);

  [[nodiscard]] static std::vector<TableRequest> tables(Size size, int goal_blank);

  explicit Escapes(const Instance& instance, const std::string& table_directory = {})
      : Walking(instance, table_directory, true) {}
};

}  // namespace tessera
