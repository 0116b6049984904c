// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "heuristic/heuristic.hpp"

namespace tessera {

/// Walking distance along one axis (Takahashi): only the current line and the home line of each
/// tile are kept, and a step swaps the blank with any tile of an adjacent line. Holds the states
/// reachable from the goal, numbered, with their least steps: 24,964 for four lines of four.
class WalkingTable {
 public:
  using State = std::uint32_t;
  static constexpr State none = ~State{0};
  /// Three bits per line and home, counts[line * lines + home], and the blank's line; packed
  /// because six lines have a million states.
  __extension__ using Key = unsigned __int128;

  WalkingTable(int lines, int length, int blank_home);

  [[nodiscard]] int steps(State state) const { return steps_[state]; }
  /// The state after a tile at home in line `home` moved into the blank's line from the line before
  /// it (towards line 0) or behind it.
  [[nodiscard]] State next(State state, bool from_behind, int home) const {
    return next_[(2 * state + (from_behind ? 1 : 0)) * static_cast<std::size_t>(lines_) +
                 static_cast<std::size_t>(home)];
  }
  /// The state in which counts[line * lines + home] tiles at home in `home` are in `line`.
  [[nodiscard]] State find(const std::vector<std::uint8_t>& counts, int blank_line) const;

 private:
  int lines_;
  std::vector<std::uint8_t> steps_;
  std::vector<State> next_;
  std::vector<Key> keys_;      // by state
  std::vector<State> by_key_;  // states in the order of their keys
};

/// Walking distance: vertical steps plus horizontal steps, each axis on its own. At least the
/// Manhattan distance, and includes the conflicts of tiles within a line.
class Walking {
 public:
  static constexpr HeuristicInfo info{
      .name = "walking",
      .summary = "which line holds tiles of which home, each axis on its own",
      .max_cells = 16,
      .limits = "up to 16 cells, sides to 6",
      .memory = "1 MB on 4x4",
      .set_up = "0.03 s on 4x4"};
  static constexpr int f_step = 2;
  static constexpr bool unrolled = true;

  using State = std::array<WalkingTable::State, 2>;  ///< by axis

  /// Throws Error(resource) for sizes whose tables would be too large.
  static void require(Size size);

  explicit Walking(const Instance& instance);
  [[nodiscard]] State start(const Board& labels) const;
  [[nodiscard]] int evaluate(const Board& labels) const { return value(start(labels)); }
  [[nodiscard]] int value(const State& state) const {
    return tables_[0]->steps(state[0]) + tables_[1]->steps(state[1]);
  }

  template <class Position, class StepT>
  [[nodiscard]] int rise(const Position&, unsigned label, StepT step, State& state) const {
    const int direction = step.direction;
    const std::size_t axis = direction == 0 || direction == 3 ? 0 : 1;
    const bool from_behind = direction >= 2;
    const WalkingTable& table = *tables_[axis];
    const int before = table.steps(state[axis]);
    state[axis] = table.next(state[axis], from_behind, home_lines_[axis][label]);
    return 1 + table.steps(state[axis]) - before;
  }

 private:
  Size size_;
  // By axis: 0 for vertical moves, whose lines are rows, 1 for horizontal moves.
  std::array<std::shared_ptr<const WalkingTable>, 2> tables_;
  std::array<std::array<std::uint8_t, Size::max_cells>, 2> home_lines_{};  // by label
};

}  // namespace tessera
