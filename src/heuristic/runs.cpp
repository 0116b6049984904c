// SPDX-License-Identifier: MIT
#include "heuristic/runs.hpp"

#include <cstdlib>

namespace tessera {

Runs::Runs(const Instance& instance)
    : size_(instance.size()), longest_{size_.height - 1, size_.width - 1} {
  for (int label = 1; label < size_.cells(); ++label) {
    const int home = instance.home(label);
    const auto l = static_cast<std::size_t>(label);
    homes_[static_cast<std::size_t>(LineAxis::vertical)][l] =
        static_cast<std::uint8_t>(size_.row(home));
    homes_[static_cast<std::size_t>(LineAxis::horizontal)][l] =
        static_cast<std::uint8_t>(size_.column(home));
  }
}

Runs::State Runs::start(const Board& board) const {
  State state{};
  for (int cell = 0; cell < size_.cells(); ++cell) {
    const auto label = static_cast<std::size_t>(board.tile(cell));
    state.labels[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(label);
    if (label == 0) continue;
    const std::array lines{size_.row(cell), size_.column(cell)};  // by axis
    for (std::size_t a = 0; a < lines.size(); ++a) {
      const int on = homes_[a][label] - lines[a];
      state.steps[a][on > 0 ? 1 : 0] += std::abs(on);
    }
  }
  return state;
}

}  // namespace tessera
