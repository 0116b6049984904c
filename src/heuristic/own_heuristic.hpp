// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "puzzle/instance.hpp"

namespace tessera {

/// A lower bound that a program brings itself, computed from scratch for each board: it reads where
/// the content of each cell is at home. Called by several threads.
using OwnBound = std::function<int(Size, std::span<const int> homes, int blank)>;

/// Makes it available by name in this process, as a heuristic of metric single. Throws Error(input)
/// for a name that is taken or holds other signs than letters, digits, `-` and `_`.
void add_own_heuristic(const std::string& name, OwnBound bound);

/// Null if there is none of that name.
[[nodiscard]] std::shared_ptr<const OwnBound> own_heuristic(std::string_view name);

/// Such a bound as a part of a Maximum (maximum.hpp).
class OwnHeuristic {
 public:
  struct State {
    int h;
  };

  OwnHeuristic(const Instance& instance, std::shared_ptr<const OwnBound> bound);

  [[nodiscard]] int evaluate(const Board& labels) const {
    return value(labels.blank(), [&](int cell) { return labels.tile(cell); });
  }
  [[nodiscard]] State start(const Board& labels) const { return {evaluate(labels)}; }

  /// The board after the step: `label` has moved to the blank's cell.
  template <class Position, class StepT>
  [[nodiscard]] int rise(const Position& position, unsigned label, StepT step, State& state) const {
    const int h = value(step.next, [&](int cell) {
      if (cell == step.blank) return static_cast<int>(label);
      return cell == step.next ? 0 : static_cast<int>(position.tile(cell));
    });
    return 1 + h - std::exchange(state.h, h);
  }

 private:
  template <class Label>
  [[nodiscard]] int value(int blank, const Label& label_at) const {
    std::array<int, Size::max_cells> homes;
    const auto cells = static_cast<std::size_t>(size_.cells());
    for (std::size_t cell = 0; cell < cells; ++cell) {
      homes[cell] = homes_[static_cast<std::size_t>(label_at(static_cast<int>(cell)))];
    }
    const int h = (*bound_)(size_, std::span(homes).first(cells), blank);
    if (h > most) refuse(h);
    return std::max(h, 0);
  }

  // Throws Error(input).
  [[noreturn]] static void refuse(int h);

  static constexpr int most = 10'000;  // no board needs so many moves
  Size size_;
  std::array<int, Size::max_cells> homes_{};  // by label
  std::shared_ptr<const OwnBound> bound_;
};

}  // namespace tessera
