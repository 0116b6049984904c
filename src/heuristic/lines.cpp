// SPDX-License-Identifier: MIT
#include "heuristic/lines.hpp"

#include "base/error.hpp"

namespace tessera {
namespace {

constexpr std::array<LineAxis, 2> axes{LineAxis::vertical, LineAxis::horizontal};

}  // namespace

void Lines::require(Size size) {
  if (size.cells() <= max_line_cells) return;
  bad_input("heuristic lines is for at most " + std::to_string(max_line_cells) +
            " cells, the board has " + std::to_string(size.cells()) + ", expected runs");
}

Lines::Lines(const Instance& instance, const std::string& table_directory)
    : size_(instance.size()) {
  require(size_);
  for (const LineAxis axis : axes) {
    const auto a = static_cast<std::size_t>(axis);
    axes_[a].width = axis == LineAxis::vertical ? size_.width : size_.height;
    axes_[a].step = LineStep(axes_[a].width);
    for (std::size_t coloring = 0; coloring < line_colorings.size(); ++coloring) {
      const LineTableKey key =
          line_table_key(size_, instance.goal_blank, axis, line_colorings[coloring]);
      const LineSpace space(key);
      tables_.push_back(open_table(table_directory, line_request(key), 1, {}));
      indices_.push_back(space.index);
      axes_[a].lookups[coloring] = {space.index->view(), tables_.back()->data()};
      for (int label = 1; label < size_.cells(); ++label) {
        const int home = instance.home(label);
        const int cell = axis == LineAxis::vertical ? home : size_.transposed(home);
        colors_[a][coloring][static_cast<std::size_t>(label)] =
            space.colors[static_cast<std::size_t>(cell)];
      }
    }
  }
}

Lines::State Lines::start(const Board& board) const {
  State state{};
  for (std::size_t a = 0; a < axes.size(); ++a) {
    const bool by_rows = axes[a] == LineAxis::vertical;
    int place = 0;
    for (int i = 0; i < size_.cells(); ++i) {
      const int cell = by_rows ? i : size_.transposed().transposed(i);
      const auto label = static_cast<std::size_t>(board.tile(cell));
      if (label == 0) continue;
      for (std::size_t coloring = 0; coloring < line_colorings.size(); ++coloring) {
        state.words[a] |= std::uint64_t{colors_[a][coloring][label]}
                          << (32 * coloring + 2 * static_cast<std::size_t>(place));
      }
      ++place;
    }
  }
  return state;
}

int Lines::evaluate(const Board& board, std::optional<LineAxis> next) const {
  const State state = start(board);
  return alternating_moves(moves(LineAxis::vertical, state, size_.row(board.blank())),
                           moves(LineAxis::horizontal, state, size_.column(board.blank())), next);
}

}  // namespace tessera
