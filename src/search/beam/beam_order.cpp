// SPDX-License-Identifier: MIT
#include "search/beam/beam_order.hpp"

#include <algorithm>

#include "heuristic/heuristic_spec.hpp"
#include "heuristic/linear_conflict.hpp"
#include "heuristic/pairwise.hpp"

namespace tessera {
namespace {

bool sees_conflicts(const HeuristicSpec& spec) {
  return std::ranges::any_of(spec.parts, [](const HeuristicSpec::Part& part) {
    return part.is_partition() || part.name == LinearConflict::info.name ||
           part.name == Pairwise::info.name;
  });
}

}  // namespace

BeamOrder::BeamOrder(const Problem& problem, double exponent)
    : units_(std::max(problem.instance.size().width, problem.instance.size().height) <= 8 ? 16
                                                                                          : 4) {
  if (exponent > 1.5) units_ /= 2;
  if (problem.metric == Metric::multi || !sees_conflicts(parse_heuristic(problem.heuristic))) {
    return;
  }
  const Size size = problem.instance.size();
  const double scale = std::pow(4, 1.5 - exponent);  // a distance of 4 always adds as much
  for (int label = 1; label < size.cells(); ++label) {
    for (int cell = 0; cell < size.cells(); ++cell) {
      const double distance = size.distance(cell, problem.instance.home(label));
      const double spread = units_ * (scale * std::pow(distance, exponent) - 2 * distance);
      spreads_[static_cast<std::size_t>(label)][static_cast<std::size_t>(cell)] =
          static_cast<std::int16_t>(std::lround(spread));
    }
  }
}

int BeamOrder::spread(const Board& board) const {
  int sum = 0;
  for (int cell = 0; cell < board.size().cells(); ++cell) {
    sum += spreads_[static_cast<std::size_t>(board.tile(cell))][static_cast<std::size_t>(cell)];
  }
  return sum;
}

}  // namespace tessera
