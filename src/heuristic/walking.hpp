// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "heuristic/heuristic.hpp"
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
      .summary = "which line holds tiles of which home, each axis on its own",
      .max_cells = 25,
      .limits = "sides to 5; 6x2, 6x3, 7x2",
      .memory = "3 MB on 4x4, 8 MB on 5x5",
      .set_up = "0.01 s on 4x4, 10 s CPU on 5x5"};
  static constexpr int f_step = 2;
  static constexpr bool unrolled = true;

  using State = std::array<WalkingTable::State, 2>;  ///< by axis

  /// Throws Error(resource) for sizes whose tables would be too large.
  static void require(Size size);

  [[nodiscard]] static std::vector<TableRequest> tables(Size size, int goal_blank);

  explicit Walking(const Instance& instance, const std::string& table_directory = {});
  [[nodiscard]] State start(const Board& labels) const;
  [[nodiscard]] int evaluate(const Board& labels) const { return value(start(labels)); }
  [[nodiscard]] static int value(const State& state) {
    return WalkingTable::distance(state[0]) + WalkingTable::distance(state[1]);
  }

  template <class Position, class StepT>
  [[nodiscard]] int rise(const Position&, unsigned label, StepT step, State& state) const {
    const std::uint32_t axis = axis_of(step);
    const Axis& own = axes_[axis];
    const int before = WalkingTable::distance(state[axis]);
    state[axis] =
        own.table->after(state[axis], own.line[static_cast<std::size_t>(step.blank)],
                         own.line[static_cast<std::size_t>(step.next)], own.home_line[label]);
    return 1 + WalkingTable::distance(state[axis]) - before;
  }

  /// `rise` in two parts, so that a search can do the first one for many nodes: it prefetches what
  /// the second one reads.
  struct Begun {
    std::uint32_t rank;
    std::uint32_t axis;
  };
  template <class StepT>
  [[nodiscard, gnu::always_inline]] Begun begin(unsigned label, StepT step, State& state) const {
    const std::uint32_t axis = axis_of(step);
    const Axis& own = axes_[axis];
    state[axis] =
        own.table->slid(state[axis], own.line[static_cast<std::size_t>(step.blank)],
                        own.line[static_cast<std::size_t>(step.next)], own.home_line[label]);
    return {own.table->prefetched(state[axis]), axis};
  }
  [[gnu::always_inline]] void finish(Begun begun, State& state) const {
    state[begun.axis] = axes_[begun.axis].table->stepped(state[begun.axis], begun.rank);
  }

 private:
  template <class StepT>
  static constexpr std::uint32_t axis_of(StepT step) {
    return step.direction == 0 || step.direction == 3 ? 0 : 1;
  }

  // Vertical moves, whose lines are rows, or horizontal ones. Lines are numbered as in the table.
  struct Axis {
    std::shared_ptr<const WalkingTable> table;
    std::array<std::uint8_t, Size::max_cells> line{};       // by cell
    std::array<std::uint8_t, Size::max_cells> home_line{};  // by label
  };

  Size size_;
  std::array<Axis, 2> axes_;
};

}  // namespace tessera
