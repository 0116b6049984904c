// SPDX-License-Identifier: MIT
#include "heuristic/walking.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "base/error.hpp"
#include "base/shared_cache.hpp"

namespace tessera {
namespace {

using Key = WalkingTable::Key;

// The key of one tile at `place`, a pair of line and home.
constexpr Key one_at(std::size_t place) {
  return Key{1} << (3 * place);
}

// The blank's line is stored above the 36 counts of six lines.
constexpr int blank_shift = 112;
constexpr Key blank_at(std::size_t line) {
  return Key{line} << blank_shift;
}

struct HashOfKey {
  std::size_t operator()(Key key) const {
    const auto high = static_cast<std::uint64_t>(key >> 64);
    const std::uint64_t mixed =
        (static_cast<std::uint64_t>(key) ^ high * 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
    return static_cast<std::size_t>(mixed ^ mixed >> 32);
  }
};

// Shared by all callers with the same arguments.
std::shared_ptr<const WalkingTable> shared_table(int lines, int length, int blank_home) {
  static SharedCache<std::tuple<int, int, int>, WalkingTable> tables(8);
  return tables.get({lines, length, blank_home}, [&] {
    return std::make_shared<const WalkingTable>(lines, length, blank_home);
  });
}

}  // namespace

WalkingTable::WalkingTable(int lines, int length, int blank_home) : lines_(lines) {
  const auto n = static_cast<std::size_t>(lines);
  std::unordered_map<Key, State, HashOfKey> known;
  const auto meet = [&](Key key, int steps) {
    const auto [entry, is_new] = known.emplace(key, static_cast<State>(keys_.size()));
    if (is_new) {
      keys_.push_back(key);
      steps_.push_back(static_cast<std::uint8_t>(steps));
    }
    return entry->second;
  };

  const auto home = static_cast<std::size_t>(blank_home);
  Key goal = blank_at(home) - one_at(home * (n + 1));
  for (std::size_t line = 0; line < n; ++line) {
    goal += static_cast<unsigned>(length) * one_at(line * (n + 1));
  }
  meet(goal, 0);
  for (std::size_t state = 0; state < keys_.size(); ++state) {
    const Key key = keys_[state];
    const auto blank = static_cast<std::size_t>(key >> blank_shift);
    for (const bool behind : {false, true}) {
      const bool inside = behind ? blank + 1 < n : blank > 0;
      const std::size_t other = behind ? blank + 1 : blank - 1;
      for (std::size_t tile_home = 0; tile_home < n; ++tile_home) {
        State next = none;
        if (inside && (key >> (3 * (other * n + tile_home)) & 7) > 0) {
          next = meet(key - blank_at(blank) - one_at(other * n + tile_home) + blank_at(other) +
                          one_at(blank * n + tile_home),
                      steps_[state] + 1);
        }
        next_.push_back(next);
      }
    }
  }
  by_key_.resize(keys_.size());
  std::iota(by_key_.begin(), by_key_.end(), State{0});
  std::ranges::sort(by_key_, {}, [this](State state) { return keys_[state]; });
}

WalkingTable::State WalkingTable::find(const std::vector<std::uint8_t>& counts,
                                       int blank_line) const {
  Key key = blank_at(static_cast<std::size_t>(blank_line));
  for (std::size_t place = 0; place < counts.size(); ++place) key += counts[place] * one_at(place);
  const auto place =
      std::ranges::lower_bound(by_key_, key, {}, [this](State state) { return keys_[state]; });
  if (place == by_key_.end() || keys_[*place] != key) {
    internal_failure("walking: a board that the goal does not lead to");
  }
  return *place;
}

// 6x2 has 1.2 million states; 7x2 and 5x4 would have more than ten times as many.
void Walking::require(Size size) {
  if (size.cells() > 16 || std::max(size.width, size.height) > 6) {
    no_room("heuristic walking: its tables for " + to_string(size) +
            " are too large, expected at most 16 cells and no side longer than 6");
  }
}

Walking::Walking(const Instance& instance)
    : size_(instance.size()),
      tables_{shared_table(size_.height, size_.width, size_.row(instance.goal_blank)),
              shared_table(size_.width, size_.height, size_.column(instance.goal_blank))} {
  for (int label = 0; label < size_.cells(); ++label) {
    const int home = instance.home(label);
    home_lines_[0][static_cast<std::size_t>(label)] = static_cast<std::uint8_t>(size_.row(home));
    home_lines_[1][static_cast<std::size_t>(label)] = static_cast<std::uint8_t>(size_.column(home));
  }
}

Walking::State Walking::start(const Board& labels) const {
  State state{};
  for (std::size_t axis = 0; axis < state.size(); ++axis) {
    const auto lines = static_cast<std::size_t>(axis == 0 ? size_.height : size_.width);
    const auto line_of = [&](int cell) { return axis == 0 ? size_.row(cell) : size_.column(cell); };
    std::vector<std::uint8_t> counts(lines * lines);
    for (int cell = 0; cell < size_.cells(); ++cell) {
      const auto label = static_cast<std::size_t>(labels.tile(cell));
      if (label == 0) continue;
      ++counts[static_cast<std::size_t>(line_of(cell)) * lines + home_lines_[axis][label]];
    }
    state[axis] = tables_[axis]->find(counts, line_of(labels.blank()));
  }
  return state;
}

}  // namespace tessera
