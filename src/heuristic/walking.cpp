// SPDX-License-Identifier: MIT
#include "heuristic/walking.hpp"

#include <algorithm>
#include <tuple>

#include "base/error.hpp"
#include "base/shared_cache.hpp"

namespace tessera {
namespace {

// The lines of an axis, and whether they are in reverse order in the table.
struct AxisLines {
  WalkingKey key;
  bool reversed;
};

std::array<AxisLines, 2> lines_of(Size size, int goal_blank) {
  const auto lines = [](int count, int length, int blank_home) {
    const int from_end = count - 1 - blank_home;
    return AxisLines{{count, length, std::min(blank_home, from_end)}, from_end < blank_home};
  };
  return {lines(size.height, size.width, size.row(goal_blank)),
          lines(size.width, size.height, size.column(goal_blank))};
}

std::vector<TableRequest> requests_for(Size size, int goal_blank, bool with_escapes) {
  std::vector<TableRequest> requests;
  for (const AxisLines& lines : lines_of(size, goal_blank)) {
    if (auto request = walking_request(lines.key, with_escapes)) {
      add_once(requests, std::move(*request));
    }
  }
  return requests;
}

auto& known_tables() {
  static SharedCache<std::tuple<WalkingKey, std::string, bool>, WalkingTable> known(8);
  return known;
}

// Shared by all callers with the same arguments.
std::shared_ptr<const WalkingTable> shared_table(const WalkingKey& key, const std::string& folder,
                                                 bool with_escapes) {
  const auto make = [&] {
    const auto request = walking_request(key, with_escapes);
    return std::make_shared<const WalkingTable>(key,
                                                request ? open_table(folder, *request) : nullptr);
  };
  return known_tables().get({key, folder, with_escapes}, make, &WalkingTable::is_unchanged);
}

}  // namespace

// 6x3 has 110 million states; 6x4, 7x3 and 8x2 would have thousands of millions.
void Walking::require(Size size) {
  const auto [shorter, longer] = std::minmax(size.width, size.height);
  if (longer <= 5 || (longer <= 7 && shorter + longer <= 9)) return;
  out_of_resources("heuristic walking: its tables for " + to_string(size) +
                   " are too large, expected sides of at most 5, or 6x2, 6x3 or 7x2");
}

std::vector<TableRequest> Walking::tables(Size size, int goal_blank) {
  return requests_for(size, goal_blank, false);
}

void Escapes::require(Size size) {
  if (std::max(size.width, size.height) <= 5) return;
  out_of_resources("heuristic escapes: its tables for " + to_string(size) +
                   " are too large, expected sides of at most 5");
}

std::vector<TableRequest> Escapes::tables(Size size, int goal_blank) {
  return requests_for(size, goal_blank, true);
}

Walking::Walking(const Instance& instance, const std::string& table_directory, bool with_escapes)
    : size_(instance.size()) {
  if (with_escapes) conflicts_.emplace(instance);
  const auto lines = lines_of(size_, instance.goal_blank);
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    Axis& axis = axes_[a];
    axis.table = shared_table(lines[a].key, table_directory, with_escapes);
    axis.lines = lines[a].key.lines;
    axis.reversed = lines[a].reversed;
    for (int cell = 0; cell < size_.cells(); ++cell) {
      const int line = a == 0 ? size_.row(cell) : size_.column(cell);
      axis.line[static_cast<std::size_t>(cell)] =
          static_cast<std::uint8_t>(lines[a].reversed ? lines[a].key.lines - 1 - line : line);
    }
    for (int label = 0; label < size_.cells(); ++label) {
      axis.home_line[static_cast<std::size_t>(label)] =
          axis.line[static_cast<std::size_t>(instance.home(label))];
      for (const bool ahead : {false, true}) {
        axis.link[ahead][static_cast<std::size_t>(label)] =
            static_cast<std::uint8_t>(axis.table->link_number(
                ahead != axis.reversed, axis.home_line[static_cast<std::size_t>(label)]));
      }
    }
  }
}

Walking::State Walking::start(const Board& labels) const {
  State state{};
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    const auto lines = static_cast<std::size_t>(a == 0 ? size_.height : size_.width);
    std::vector<WalkingIndex::Row> rows(lines);
    for (int cell = 0; cell < size_.cells(); ++cell) {
      const auto label = static_cast<std::size_t>(labels.tile(cell));
      if (label == 0) continue;
      rows[axes_[a].line[static_cast<std::size_t>(cell)]] += WalkingIndex::Row{1}
                                                             << (8 * axes_[a].home_line[label]);
    }
    if (conflicts_) {
      const BytePosition<Size::max_cells> position(labels);
      for (int line = 0; line < axes_[a].lines; ++line) demand(state, a, line, position, -1, 0);
    }
    state[a] = axes_[a].table->start(rows, state[a]);
  }
  return state;
}

void release_walking_tables() {
  known_tables().release(0, [](const WalkingTable& table) { return table.file_bytes(); });
}

}  // namespace tessera
