// SPDX-License-Identifier: MIT
#include "tessera/heuristic/walking.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>
#include <unordered_map>

#include "tessera/base/error.hpp"
#include "tessera/base/shared_cache.hpp"

namespace tessera {

WalkingTable::WalkingTable(int lines, int length, int blank_home) : lines_(lines) {
  const auto n = static_cast<std::size_t>(lines);
  const auto text = [](const std::vector<std::uint8_t>& key) {
    return std::string(key.begin(), key.end());
  };
  std::unordered_map<std::string, State> known;
  const auto meet = [&](const std::vector<std::uint8_t>& key, int steps) {
    const auto [entry, is_new] = known.emplace(text(key), static_cast<State>(keys_.size()));
    if (is_new) {
      keys_.push_back(key);
      steps_.push_back(static_cast<std::uint8_t>(steps));
    }
    return entry->second;
  };

  std::vector<std::uint8_t> goal(n * n + 1);
  for (std::size_t line = 0; line < n; ++line) {
    goal[line * n + line] = static_cast<std::uint8_t>(length);
  }
  goal[static_cast<std::size_t>(blank_home) * (n + 1)] = static_cast<std::uint8_t>(length - 1);
  goal.back() = static_cast<std::uint8_t>(blank_home);
  meet(goal, 0);
  for (std::size_t state = 0; state < keys_.size(); ++state) {
    const std::vector<std::uint8_t> key = keys_[state];
    const std::size_t blank = key.back();
    for (const bool behind : {false, true}) {
      const bool inside = behind ? blank + 1 < n : blank > 0;
      for (std::size_t home = 0; home < n; ++home) {
        State next = none;
        const std::size_t other = behind ? blank + 1 : blank - 1;
        if (inside && key[other * n + home] > 0) {
          std::vector<std::uint8_t> moved = key;
          --moved[other * n + home];
          ++moved[blank * n + home];
          moved.back() = static_cast<std::uint8_t>(other);
          next = meet(moved, steps_[state] + 1);
        }
        next_.push_back(next);
      }
    }
  }
  by_key_.resize(keys_.size());
  std::iota(by_key_.begin(), by_key_.end(), State{0});
  std::sort(by_key_.begin(), by_key_.end(), [this](State a, State b) {
    return std::ranges::lexicographical_compare(keys_[a], keys_[b]);
  });
}

std::shared_ptr<const WalkingTable> WalkingTable::of(int lines, int length, int blank_home) {
  static SharedCache<std::tuple<int, int, int>, WalkingTable> tables(8);
  return tables.get({lines, length, blank_home}, [&] {
    return std::shared_ptr<const WalkingTable>(new WalkingTable(lines, length, blank_home));
  });
}

WalkingTable::State WalkingTable::find(const std::vector<std::uint8_t>& counts,
                                       int blank_line) const {
  std::vector<std::uint8_t> key = counts;
  key.push_back(static_cast<std::uint8_t>(blank_line));
  const auto place =
      std::lower_bound(by_key_.begin(), by_key_.end(), key,
                       [this](State state, const auto& k) { return keys_[state] < k; });
  if (place == by_key_.end() || keys_[*place] != key) {
    throw Error(ErrorKind::internal, "walking: a board that the goal does not lead to");
  }
  return *place;
}

// 1.2 million states for 6x2; 7x2 and 5x4 would have ten times as many and more.
void Walking::require(Size size) {
  if (size.cells() > 16 || std::max(size.width, size.height) > 6) {
    throw Error(ErrorKind::resource, "heuristic walking: its tables for " + to_string(size) +
                                         " are too large, expected at most 16 cells and no side "
                                         "longer than 6");
  }
}

Walking::Walking(const Instance& instance)
    : size_(instance.size()),
      rows_(WalkingTable::of(size_.height, size_.width, size_.row(instance.goal_blank))),
      columns_(WalkingTable::of(size_.width, size_.height, size_.column(instance.goal_blank))) {
  for (int label = 0; label < size_.cells(); ++label) {
    const int home = instance.home(label);
    home_row_[static_cast<std::size_t>(label)] = static_cast<std::uint8_t>(size_.row(home));
    home_column_[static_cast<std::size_t>(label)] = static_cast<std::uint8_t>(size_.column(home));
  }
}

Walking::State Walking::start(const Board& labels) const {
  const auto height = static_cast<std::size_t>(size_.height);
  const auto width = static_cast<std::size_t>(size_.width);
  std::vector<std::uint8_t> rows(height * height);
  std::vector<std::uint8_t> columns(width * width);
  for (int cell = 0; cell < size_.cells(); ++cell) {
    const auto label = static_cast<std::size_t>(labels.tile(cell));
    if (label == 0) continue;
    ++rows[static_cast<std::size_t>(size_.row(cell)) * height + home_row_[label]];
    ++columns[static_cast<std::size_t>(size_.column(cell)) * width + home_column_[label]];
  }
  return {rows_->find(rows, size_.row(labels.blank())),
          columns_->find(columns, size_.column(labels.blank()))};
}

}  // namespace tessera
