// SPDX-License-Identifier: MIT
#include "tessera/heuristic/pairwise.hpp"

#include <algorithm>

#include "tessera/base/error.hpp"

namespace tessera {

void Pairwise::require(Size size) {
  if (std::max(size.width, size.height) <= longest_side) return;
  bad_input("heuristic pairwise takes sides of up to " + std::to_string(longest_side) +
            " cells, not " + to_string(size));
}

Pairwise::Pairwise(const Instance& instance)
    : cells_(instance.size().cells()),
      manhattan_(instance),
      costs_(PairCosts::of(instance.size(), instance.goal_blank)) {}

int Pairwise::evaluate(const Board& board) const {
  return manhattan_.evaluate(board) + start(board).matched;
}

Pairwise::State Pairwise::start(const Board& board) const {
  WeightedGraph graph;
  const int blank = board.blank();
  for (int from = 0; from < cells_; ++from) {
    if (from == blank) continue;
    const auto tile = static_cast<unsigned>(board.tile(from));
    for (std::uint64_t left = costs_->rivals(tile, from) & ~bit(blank); left != 0;
         left &= left - 1) {
      const int cell = std::countr_zero(left);
      const auto other = static_cast<unsigned>(board.tile(cell));
      add(graph, tile, other, costs_->excess(tile, other, from, cell, blank));
    }
  }
  return {2 * maximum_weight_matching(graph)};
}

}  // namespace tessera
