// SPDX-License-Identifier: MIT
#include "tessera/heuristic/fringe.hpp"

#include <map>
#include <mutex>
#include <tuple>

#include "tessera/base/machine.hpp"

namespace tessera {
namespace {

std::shared_ptr<const std::uint8_t> table_of(Size size, int goal_blank) {
  static std::mutex mutex;
  static std::map<std::tuple<Size, int>, std::shared_ptr<const std::vector<std::uint8_t>>> known;
  const std::lock_guard lock(mutex);
  auto& table = known[{size, goal_blank}];
  if (!table) {
    table = std::make_shared<const std::vector<std::uint8_t>>(
        build_fringe_table(size, goal_blank, static_cast<int>(allowed_cpus().size())));
  }
  return {table, table->data()};
}

std::shared_ptr<const std::uint8_t> stored(const Instance& instance,
                                           const std::string& table_directory) {
  const auto table =
      open_table(table_directory, fringe_request(instance.size(), instance.goal_blank), 1, {});
  return {table, table->data()};
}

}  // namespace

Fringe::Fringe(const Instance& instance, const std::string& table_directory)
    : Fringe(instance, stored(instance, table_directory)) {}

Fringe::Fringe(const Instance& instance)
    : Fringe(instance, table_of(instance.size(), instance.goal_blank)) {}

Fringe::Fringe(const Instance& instance, std::shared_ptr<const std::uint8_t> table)
    : pattern_(instance.size(), instance.goal_blank), table_(std::move(table)) {
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
  return {static_cast<std::uint32_t>(index), table_.get()[index]};
}

}  // namespace tessera
