// SPDX-License-Identifier: MIT
#include "tessera/heuristic/inversion.hpp"

#include <cstdlib>
#include <vector>

namespace tessera {
namespace {

int inversions(const std::vector<int>& orders) {
  int count = 0;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    for (std::size_t j = i + 1; j < orders.size(); ++j) count += orders[i] > orders[j] ? 1 : 0;
  }
  return count;
}

// The least m that undoes so many inversions and is odd where `parity` is.
int least_moves(int inversions, int passed, int parity) {
  const int moves = (inversions + passed - 1) / passed;
  return moves + (moves + parity) % 2;
}

}  // namespace

Inversion::Inversion(const Instance& instance)
    : size_(instance.size()), goal_blank_(instance.goal_blank) {
  for (int label = 1; label < size_.cells(); ++label) {
    const int home = instance.home(label);
    row_order_[static_cast<std::size_t>(label)] = static_cast<std::uint8_t>(home);
    column_order_[static_cast<std::size_t>(label)] =
        static_cast<std::uint8_t>(size_.column(home) * size_.height + size_.row(home));
  }
}

Inversion::Part Inversion::part(const Board& board, bool vertical) const {
  const Orders& order = vertical ? row_order_ : column_order_;
  const int blank = board.blank();
  std::vector<int> orders;
  for (int i = 0; i < size_.cells(); ++i) {
    const int cell = vertical ? i : i % size_.height * size_.width + i / size_.height;
    if (cell != blank) orders.push_back(order[static_cast<std::size_t>(board.tile(cell))]);
  }
  const int count = inversions(orders);
  const int passed = (vertical ? size_.width : size_.height) - 1;
  const int lines = vertical ? size_.row(blank) - size_.row(goal_blank_)
                             : size_.column(blank) - size_.column(goal_blank_);
  const int moves = least_moves(count, passed, std::abs(lines));
  return {moves, moves * passed - count};
}

int Inversion::evaluate(const Board& board) const {
  return part(board, true).moves + part(board, false).moves;
}

Inversion::State Inversion::start(const Board& board) const {
  return {static_cast<std::int8_t>(part(board, true).spare),
          static_cast<std::int8_t>(part(board, false).spare)};
}

}  // namespace tessera
