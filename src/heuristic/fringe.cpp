// SPDX-License-Identifier: MIT
#include "tessera/heuristic/fringe.hpp"

namespace tessera {

Fringe::Fringe(const Instance& instance, const std::string& table_directory)
    : pattern_(instance.size(), instance.goal_blank),
      table_(
          open_table(table_directory, fringe_request(instance.size(), instance.goal_blank), 1, {})),
      entries_(table_->data()) {
  for (int label = 1; label < instance.size().cells(); ++label) {
    item_[static_cast<std::size_t>(label)] = pattern_.item_at_home(instance.home(label));
  }
  item_[0] = pattern_.tiles();
}

Fringe::State Fringe::start(const Board& board) const {
  std::array<int, Size::max_cells> items{};
  const auto cells = static_cast<std::size_t>(board.size().cells());
  for (std::size_t cell = 0; cell < cells; ++cell) {
    items[cell] = item_[static_cast<std::size_t>(board.tile(static_cast<int>(cell)))];
  }
  const std::uint64_t index = pattern_.index(std::span(items).first(cells));
  return {static_cast<std::uint32_t>(index), entries_[index]};
}

}  // namespace tessera
