// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
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

/// That bound from a guide of the search, such as ColoredLines: from all of its views of both axes.
template <class Guide>
[[nodiscard]] int alternating_moves(const Guide& guide, const Board& board,
                                    std::optional<LineAxis> next = {}) {
  const auto state = guide.start(board);
  const auto moves = [&](LineAxis axis, int line) {
    int most = 0;
    for (std::size_t view = 0; view < Guide::views; ++view) {
      most = std::max(most, guide.moves(axis, view, state, line));
    }
    return most;
  };
  const Size size = board.size();
  return alternating_moves(moves(LineAxis::vertical, size.row(board.blank())),
                           moves(LineAxis::horizontal, size.column(board.blank())), next);
}

/// A lower bound on the moves of metric multi, from tables of the vertical and the horizontal moves
/// that colored tiles need (pdb/line_table.hpp); for each axis, the largest of all colorings.
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

  using State = std::array<typename Colors::Sequences, 2>;  ///< by axis
  [[nodiscard]] State start(const Board& board) const;

  /// The number of bounds for each axis: one for each coloring.
  static constexpr std::size_t views = Colors::colorings.size();
  /// The least moves along the axis in a view, if the blank is in that row (column, for horizontal
  /// moves).
  [[nodiscard]] int moves(LineAxis axis, std::size_t view, const State& state, int line) const {
    const auto a = static_cast<std::size_t>(axis);
    const Lookup& lookup = axes_[a].lookups[view];
    return lookup.values[static_cast<std::size_t>(line) * lookup.index.size +
                         lookup.index.rank(state[a][view])];
  }
  /// One step of the blank to an adjacent line: backward is up or left, else down or right. `line`
  /// and `across` give the upper or left one of the two cells: its row and column, for horizontal
  /// moves its column and row.
  void step(LineAxis axis, const State& from, State& to, int line, int across,
            bool backward) const {
    const auto a = static_cast<std::size_t>(axis);
    const int cell = line * axes_[a].width + across;
    const auto& step = axes_[a].step;
    to[1 - a] = from[1 - a];
    for (std::size_t i = 0; i < to[a].words.size(); ++i) {
      const std::uint64_t word = from[a].words[i];
      to[a].words[i] = backward ? step.up(word, cell) : step.down(word, cell);
    }
  }

 private:
  // What a lookup reads, without indirections.
  struct Lookup {
    typename LineIndex<Colors>::View index;
    const std::uint8_t* values = nullptr;
  };
  struct Axis {
    int width = 0;  // cells in a line
    LineStep<Colors> step{2};
    std::array<Lookup, views> lookups;  // by coloring
  };

  Size size_;
  std::array<Axis, 2> axes_;
  std::vector<std::shared_ptr<const HugeTable>> tables_;
  std::vector<std::shared_ptr<const LineIndex<Colors>>> indices_;
  // By axis, coloring and label.
  std::array<std::array<std::array<std::uint8_t, max_line_cells>, views>, 2> colors_{};
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
};

/// Two colors, in many ways: small tables, which differ in the boards for which they are strong.
class Halves : public ColoredLines<TwoColors> {
 public:
  static constexpr HeuristicInfo info{
      .name = "halves",
      .summary = "like lines, the largest of many tables of two colors (metric multi)",
      .max_cells = TwoColors::max_cells,
      .limits = "up to 25 cells",
      .memory = "111 MB on 5x5",
      .set_up = "11 s CPU on 5x5"};
  using ColoredLines::ColoredLines;
};

/// The views of two guides as those of one.
template <class First, class Second>
class BothGuides {
 public:
  BothGuides(First first, Second second) : first_(std::move(first)), second_(std::move(second)) {}

  [[nodiscard]] static std::vector<TableRequest> tables(Size size, int goal_blank) {
    std::vector<TableRequest> requests = First::tables(size, goal_blank);
    if constexpr (requires { Second::tables(size, goal_blank); }) {
      std::ranges::move(Second::tables(size, goal_blank), std::back_inserter(requests));
    }
    return requests;
  }

  struct State {
    typename First::State first;
    typename Second::State second;

    bool operator==(const State&) const = default;
  };
  [[nodiscard]] State start(const Board& board) const {
    return {first_.start(board), second_.start(board)};
  }

  static constexpr std::size_t views = First::views + Second::views;
  /// As ColoredLines::moves.
  [[nodiscard]] int moves(LineAxis axis, std::size_t view, const State& state, int line) const {
    return view < First::views ? first_.moves(axis, view, state.first, line)
                               : second_.moves(axis, view - First::views, state.second, line);
  }
  /// As ColoredLines::step.
  void step(LineAxis axis, const State& from, State& to, int line, int across,
            bool backward) const {
    first_.step(axis, from.first, to.first, line, across, backward);
    second_.step(axis, from.second, to.second, line, across, backward);
  }

 private:
  First first_;
  Second second_;
};

/// Halves, and tables of three colors: two blocks of tiles and all others.
class Blocks : public BothGuides<Halves, ColoredLines<ThreeColors>> {
 public:
  static constexpr HeuristicInfo info{.name = "blocks",
                                      .summary = "halves and tables of three colors (metric multi)",
                                      .max_cells = ThreeColors::max_cells,
                                      .limits = "up to 25 cells",
                                      .memory = "470 MB on 5x4",
                                      .set_up = "52 s CPU on 5x4"};

  /// Throws whatever open_table throws.
  Blocks(const Instance& instance, const std::string& table_directory)
      : BothGuides({instance, table_directory}, {instance, table_directory}) {}
};

}  // namespace tessera
