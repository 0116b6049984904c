// SPDX-License-Identifier: MIT
#include "heuristic/linear_conflict.hpp"

namespace tessera {

LinearConflict::LinearConflict(const Instance& instance)
    : size_(instance.size()), manhattan_(instance), table_(table().data()) {
  for (int cell = 0; cell < size_.cells(); ++cell) {
    lines_[0][static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(size_.row(cell));
    lines_[1][static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(size_.column(cell));
  }
  for (int label = 1; label < size_.cells(); ++label) {
    const auto l = static_cast<std::size_t>(label);
    const int home = instance.home(label);
    home_row_[l] = size_.row(home);
    home_column_[l] = size_.column(home);
    row_place_[static_cast<std::size_t>(home_row_[l])][l] =
        static_cast<std::uint8_t>(home_column_[l] + 1);
    column_place_[static_cast<std::size_t>(home_column_[l])][l] =
        static_cast<std::uint8_t>(home_row_[l] + 1);
  }
}

int LinearConflict::evaluate(const Board& board) const {
  const BytePosition<Size::max_cells> position(board);
  int h = manhattan_.evaluate(board);
  for (int row = 0; row < size_.height; ++row) h += leavers(position, true, row, -1, 0);
  for (int column = 0; column < size_.width; ++column) h += leavers(position, false, column, -1, 0);
  return h;
}

int LinearConflict::leavers(std::span<const std::uint8_t> places) {
  Leavers leavers;
  for (const std::uint8_t place : places) leavers.add(place);
  return leavers.cost();
}

const std::vector<std::uint8_t>& LinearConflict::table() {
  static const std::vector<std::uint8_t> costs = [] {
    std::vector<std::uint8_t> table(std::size_t{1} << (3 * longest_tabled));
    std::array<std::uint8_t, longest_tabled> places{};
    for (std::size_t code = 0; code < table.size(); ++code) {
      for (std::size_t i = 0; i < places.size(); ++i) {
        places[i] = static_cast<std::uint8_t>((code >> (3 * i)) & 7U);
      }
      table[code] = static_cast<std::uint8_t>(leavers(places));
    }
    return table;
  }();
  return costs;
}

}  // namespace tessera
