// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "heuristic/heuristic.hpp"
#include "heuristic/huge_tables.hpp"
#include "pdb/line_table.hpp"

namespace tessera {

/// A lower bound on the moves of a solution in metric multi that has at least v vertical and h
/// horizontal moves. The search never moves along the same line twice in a row, so vertical and
/// horizontal moves alternate and their numbers differ by at most one: max(2v-1, 2h) if the next
/// move is vertical, and never less than v + h.
///
/// Along a path f = g + this never falls: v and h change by at most one, v on a vertical move only.
[[nodiscard]] constexpr int alternating_moves(int vertical, int horizontal,
                                              std::optional<LineAxis> next) {
  const int vertical_first = std::max({2 * vertical - 1, 2 * horizontal, 0});
  const int horizontal_first = std::max({2 * horizontal - 1, 2 * vertical, 0});
  if (!next) return std::min(vertical_first, horizontal_first);
  return *next == LineAxis::vertical ? vertical_first : horizontal_first;
}

/// A lower bound on the moves of metric multi, from tables of the vertical and the horizontal moves
/// that colored tiles need (pdb/line_table.hpp); for each axis, the larger of two colorings.
///
/// The search passes a State down: the tiles' colors row by row and column by column. A move along
/// one axis changes only that axis's sequences.
template <class Colors>
class ColoredLines {
 public:
  /// The tables of both axes.
  [[nodiscard]] static std::vector<TableRequest> tables(Size size, int goal_blank) {
    return line_requests(size, goal_blank, Colors::colorings);
  }

  /// Throws whatever open_table throws.
  ColoredLines(const Instance& instance, const std::string& table_directory);

  [[nodiscard]] int evaluate(const Board& board, std::optional<LineAxis> next = {}) const;

  struct State {
    std::array<typename Colors::Pair, 2> words;  ///< by axis
    bool operator==(const State& other) const {
      return words[0] == other.words[0] && words[1] == other.words[1];
    }
  };
  [[nodiscard]] State start(const Board& board) const;

  /// The least moves along the axis if the blank is in that row (column, for horizontal moves).
  [[nodiscard]] int moves(LineAxis axis, const State& state, int line) const {
    return std::max(moves(axis, 0, state, line), moves(axis, 1, state, line));
  }
  [[nodiscard]] int moves(LineAxis axis, std::size_t coloring, const State& state, int line) const {
    const auto a = static_cast<std::size_t>(axis);
    const Lookup& lookup = axes_[a].lookups[coloring];
    return lookup.values[static_cast<std::size_t>(line) * lookup.index.size +
                         lookup.index.rank(Colors::sequence(state.words[a], coloring))];
  }
  /// One step of the blank to an adjacent line: backward is up or left, else down or right. `line`
  /// and `across` give the upper or left one of the two cells: its row and column, for horizontal
  /// moves its column and row.
  [[nodiscard]] State stepped(LineAxis axis, State state, int line, int across,
                              bool backward) const {
    const Axis& a = axes_[static_cast<std::size_t>(axis)];
    const int cell = line * a.width + across;
    for (std::uint64_t& word : state.words[static_cast<std::size_t>(axis)]) {
      word = backward ? a.step.up(word, cell) : a.step.down(word, cell);
    }
    return state;
  }

 private:
  // What a lookup reads, without indirections.
  struct Lookup {
    typename LineIndex<Colors>::View index;
    const std::uint8_t* values = nullptr;
  };
  struct Axis {
    int width = 0;  // cells in a line
    LineStep<Colors::step_bits> step{2};
    std::array<Lookup, 2> lookups;  // by coloring
  };

  Size size_;
  std::array<Axis, 2> axes_;
  std::vector<std::shared_ptr<const HugeTable>> tables_;
  std::vector<std::shared_ptr<const LineIndex<Colors>>> indices_;
  std::array<std::array<std::array<std::uint8_t, max_line_cells>, 2>, 2> colors_{};  // by label
};

/// Four colors: the stronger tables, for boards on which they fit.
class Lines : public ColoredLines<FourColors> {
 public:
  static constexpr HeuristicInfo info{
      .name = "lines",
      .summary = "vertical and horizontal moves that colored tiles need (metric multi)",
      .max_cells = FourColors::max_cells,
      .limits = "up to 16 cells",
      .memory = "126 MB on 4x4",
      .set_up = "8 s CPU on 4x4"};
  using ColoredLines::ColoredLines;

  /// Throws Error(input) for boards with more cells.
  static void require(Size size);
};

/// Three colors, two blocks of tiles and all others, for larger boards.
class Blocks : public ColoredLines<ThreeColors> {
 public:
  static constexpr HeuristicInfo info{
      .name = "blocks",
      .summary = "like lines, with two blocks of tiles and all others (metric multi)",
      .max_cells = ThreeColors::max_cells,
      .limits = "up to 25 cells",
      .memory = "462 MB on 5x4",
      .set_up = "51 s CPU on 5x4"};
  using ColoredLines::ColoredLines;

  /// Throws Error(input) for boards with more cells.
  static void require(Size size);
};

}  // namespace tessera
