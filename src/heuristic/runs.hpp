// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "heuristic/lines.hpp"

namespace tessera {

/// A lower bound on the moves of metric multi, for boards too large for tables.
///
/// A vertical move shifts up to height - 1 tiles by one row, all in one direction. If tiles have to
/// go U rows up and D rows down in all, a move up thus lowers U by at most height - 1 and does not
/// lower D, so at least ceil(U / (height - 1)) + ceil(D / (height - 1)) vertical moves are needed.
/// A move up raises D by at most height - 1, so this number changes by at most one per vertical
/// move; horizontal moves do not change it. Columns likewise. Both numbers together give a
/// consistent bound (alternating_moves).
///
/// The search passes a State down, as with ColoredLines.
class Runs {
 public:
  static constexpr HeuristicInfo info{
      .name = "runs", .summary = "moves if each shifted a whole line of tiles (metric multi)"};

  explicit Runs(const Instance& instance);

  struct State {
    std::array<std::uint8_t, Size::max_cells> labels;  ///< by cell
    /// Steps that the tiles have yet to go, by axis, then back (up or left) and on (down or right).
    std::array<std::array<int, 2>, 2> steps;

    bool operator==(const State& other) const { return steps == other.steps; }
  };
  [[nodiscard]] State start(const Board& board) const;

  /// There is one bound for each axis, which does not depend on the blank.
  static constexpr std::size_t views = 1;
  /// The least moves along the axis.
  [[nodiscard]] int moves(LineAxis axis, std::size_t /*view*/, const State& state,
                          int /*line*/) const {
    const auto a = static_cast<std::size_t>(axis);
    const auto whole_lines = [&](int steps) { return (steps + longest_[a] - 1) / longest_[a]; };
    return whole_lines(state.steps[a][0]) + whole_lines(state.steps[a][1]);
  }
  /// As ColoredLines::step.
  void step(LineAxis axis, const State& from, State& state, int line, int across,
            bool backward) const {
    state = from;
    const auto a = static_cast<std::size_t>(axis);
    const bool vertical = axis == LineAxis::vertical;
    const int first = vertical ? line * size_.width + across : across * size_.width + line;
    const auto upper = static_cast<std::size_t>(first);
    const auto lower = static_cast<std::size_t>(first + (vertical ? size_.width : 1));
    // The tile goes the other way.
    const std::uint8_t label = state.labels[backward ? upper : lower];
    const int home = homes_[a][label];
    auto& [back, on] = state.steps[a];
    if (backward) home > line ? --on : ++back;
    else home <= line ? --back : ++on;
    state.labels[backward ? upper : lower] = 0;
    state.labels[backward ? lower : upper] = label;
  }

 private:
  Size size_;
  std::array<int, 2> longest_;  // by axis: the most tiles that one move shifts
  std::array<std::array<std::uint8_t, Size::max_cells>, 2> homes_{};  // by axis and label: its line
};

/// Two colors on larger boards, a few tiles at a side or a corner and all others; and runs, which
/// count more where the boards are long or all tiles near their goals.
class Sides : public BothGuides<ColoredLines<TwoColorsOfMany>, Runs> {
 public:
  static constexpr HeuristicInfo info{
      .name = "sides",
      .summary = "runs, and small tables of the tiles at each side and corner (metric multi)",
      .max_cells = TwoColorsOfMany::max_cells,
      .limits = "up to 36 cells",
      .memory = "138 MB on 6x5",
      .set_up = "14 s CPU on 6x5"};

  /// Throws whatever open_table throws.
  Sides(const Instance& instance, const std::string& table_directory)
      : BothGuides({instance, table_directory}, Runs(instance)) {}
};

}  // namespace tessera
