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

Inversion::Part Inversion::vertical(const Board& board) const {
  std::vector<int> orders;
  for (int cell = 0; cell < size_.cells(); ++cell) {
    if (cell == board.blank()) continue;
    orders.push_back(row_order_[static_cast<std::size_t>(board.tile(cell))]);
  }
  const int count = inversions(orders);
  const int rows = std::abs(size_.row(board.blank()) - size_.row(goal_blank_));
  const int moves = least_moves(count, size_.width - 1, rows);
  return {moves, moves * (size_.width - 1) - count};
}

Inversion::Part Inversion::horizontal(const Board& board) const {
  std::vector<int> orders;
  for (int column = 0; column < size_.width; ++column) {
    for (int cell = column; cell < size_.cells(); cell += size_.width) {
      if (cell == board.blank()) continue;
      orders.push_back(column_order_[static_cast<std::size_t>(board.tile(cell))]);
    }
  }
  const int count = inversions(orders);
  const int columns = std::abs(size_.column(board.blank()) - size_.column(goal_blank_));
  const int moves = least_moves(count, size_.height - 1, columns);
  return {moves, moves * (size_.height - 1) - count};
}

int Inversion::evaluate(const Board& board) const {
  return vertical(board).moves + horizontal(board).moves;
}

Inversion::State Inversion::start(const Board& board) const {
  return {static_cast<std::int8_t>(vertical(board).spare),
          static_cast<std::int8_t>(horizontal(board).spare)};
}

}  // namespace tessera
