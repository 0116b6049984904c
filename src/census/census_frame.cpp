// SPDX-License-Identifier: MIT
#include "census/census_frame.hpp"

namespace tessera {

CensusFrame::CensusFrame(Size size, int goal_blank)
    : size_(size),
      goal_(goal_blank),
      turned_(size.width > size.height),
      inner_(turned_ ? Size{size.height, size.width} : size),
      tile_of_label_(static_cast<std::size_t>(size.cells())) {
  // A tile's number is its place in the goal, read as a person does; its label the same turned.
  for (int cell = 0, tile = 1; cell < size.cells(); ++cell) {
    if (cell == goal_) continue;
    const int inner = inner_cell(cell);
    const int label = inner < inner_goal() ? inner + 1 : inner;
    tile_of_label_[static_cast<std::size_t>(label)] = tile++;
  }
}

std::string CensusFrame::board_text(int inner_blank, const std::vector<int>& labels) const {
  std::string text(static_cast<std::size_t>(size_.cells()), '\0');
  for (int cell = 0; cell < size_.cells(); ++cell) {
    const int inner = inner_cell(cell);
    if (inner == inner_blank) continue;
    const int label = labels[static_cast<std::size_t>(inner < inner_blank ? inner : inner - 1)];
    text[static_cast<std::size_t>(cell)] =
        static_cast<char>(tile_of_label_[static_cast<std::size_t>(label)]);
  }
  return text;
}

std::vector<Board> CensusFrame::boards(std::string_view texts) const {
  std::vector<Board> boards;
  const auto cells = static_cast<std::size_t>(size_.cells());
  for (; texts.size() >= cells; texts.remove_prefix(cells)) {
    const std::vector<std::int64_t> tiles(texts.begin(),
                                          texts.begin() + static_cast<std::ptrdiff_t>(cells));
    boards.emplace_back(size_, tiles);
  }
  return boards;
}

}  // namespace tessera
