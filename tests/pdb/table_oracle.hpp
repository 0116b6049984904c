// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <vector>

#include "pdb/pattern.hpp"
#include "pdb/placements.hpp"

namespace tessera {

/// The table as a textbook has it: breadth-first over the tiles' cells and the blank's own cell, a
/// move of a pattern's tile costs 1, any other move 0.
class TableOracle {
 public:
  TableOracle(Size size, CellSet homes, int goal_blank) : size_(size) {
    for (int cell = 0; cell < size.cells(); ++cell) {
      if ((homes >> cell & 1) != 0) homes_.push_back(cell);
    }
    State goal = homes_;
    goal.push_back(goal_blank);
    std::size_t keys = 1;
    for (std::size_t i = 0; i < goal.size(); ++i) keys *= static_cast<std::size_t>(size.cells());
    cost_.assign(keys, far);
    search(goal);
  }

  /// Half of what the cost with the blank in that cell exceeds Manhattan distance by; nothing where
  /// no moves lead there.
  [[nodiscard]] std::optional<int> excess(const std::vector<int>& cells, int blank) const {
    State state = cells;
    state.push_back(blank);
    if (cost_[key(state)] == far) return std::nullopt;
    int manhattan = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) manhattan += size_.distance(cells[i], homes_[i]);
    return (cost_[key(state)] - manhattan) / 2;
  }

  /// Half of what the least cost over the blank's cells exceeds Manhattan distance by; by index.
  [[nodiscard]] std::vector<int> excesses() const {
    std::vector<int> all;
    for_each_placement(size_.cells(), static_cast<int>(homes_.size()), [&](const State& cells) {
      int least = far;
      for (int blank = 0; blank < size_.cells(); ++blank) {
        least = std::min(least, excess(cells, blank).value_or(far));
      }
      all.push_back(least == far ? 0 : least);
    });
    return all;
  }

 private:
  using State = std::vector<int>;  // the tiles' cells, then the blank's
  static constexpr int far = 1 << 20;

  [[nodiscard]] std::size_t key(const State& state) const {
    std::size_t number = 0;
    for (const int cell : state) {
      number = number * static_cast<std::size_t>(size_.cells()) + static_cast<std::size_t>(cell);
    }
    return number;
  }

  void search(const State& goal) {
    std::deque<State> queue{goal};
    cost_[key(goal)] = 0;
    while (!queue.empty()) {
      const State state = queue.front();
      queue.pop_front();
      const int cost = cost_[key(state)];
      const int blank = state.back();
      for (int next = 0; next < size_.cells(); ++next) {
        if (size_.distance(blank, next) != 1) continue;
        State after = state;
        const auto tile = std::find(after.begin(), after.end() - 1, next);
        const int step = tile != after.end() - 1 ? 1 : 0;
        if (step == 1) *tile = blank;
        after.back() = next;
        int& known = cost_[key(after)];
        if (known <= cost + step) continue;
        known = cost + step;
        if (step == 1) queue.push_back(after);
        else queue.push_front(after);
      }
    }
  }

  Size size_;
  std::vector<int> homes_;
  std::vector<int> cost_;
};

}  // namespace tessera
