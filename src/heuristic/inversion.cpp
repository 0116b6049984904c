// SPDX-License-Identifier: MIT
#include "heuristic/inversion.hpp"

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

// The least m that can remove `inversions` and has the given parity.
int least_moves(int inversions, int passed, int parity) {
  const int moves = (inversions + passed - 1) / passed;
  return moves + (moves + parity) % 2;
}

}  // namespace

Inversion::Inversion(const Instance& instance)
    : size_(instance.size()), goal_blank_(instance.goal_blank) {
  for (int label = 1; label < size_.cells(); ++label) {
    const int home = instance.home(label);
    orders_[0][static_cast<std::size_t>(label)] = static_cast<std::uint8_t>(home);
    orders_[1][static_cast<std::size_t>(label)] = static_cast<std::uint8_t>(size_.transposed(home));
  }
}

Inversion::Part Inversion::part(const Board& board, std::size_t axis) const {
  const int blank = board.blank();
  std::vector<int> orders;
  for (int i = 0; i < size_.cells(); ++i) {
    const int cell = axis == 0 ? i : size_.transposed().transposed(i);
    if (cell != blank) orders.push_back(orders_[axis][static_cast<std::size_t>(board.tile(cell))]);
  }
  const int count = inversions(orders);
  const int lines = axis == 0 ? size_.row(blank) - size_.row(goal_blank_)
                              : size_.column(blank) - size_.column(goal_blank_);
  const int moves = least_moves(count, passed(axis), std::abs(lines));
  return {moves, static_cast<std::int8_t>(moves * passed(axis) - count)};
}

int Inversion::evaluate(const Board& board) const {
  return part(board, 0).moves + part(board, 1).moves;
}

Inversion::State Inversion::start(const Board& board) const {
  return {part(board, 0).spare, part(board, 1).spare};
}

}  // namespace tessera
