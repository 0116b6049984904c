// SPDX-License-Identifier: MIT
#include "search/beam/beam_order.hpp"

#include <cassert>
#include <cmath>

#include "heuristic/heuristic_spec.hpp"
#include "heuristic/linear_conflict.hpp"
#include "heuristic/pairwise.hpp"

namespace tessera {
namespace {

constexpr std::int16_t single_weights[] = {
#include "search/beam/single_weights.inc"
};
constexpr std::int16_t multi_weights[] = {
#include "search/beam/multi_weights.inc"
};

bool sees_conflicts(const HeuristicSpec& spec) {
  return std::ranges::any_of(spec.parts, [](const HeuristicSpec::Part& part) {
    return part.is_partition() || part.name == LinearConflict::info.name ||
           part.name == Pairwise::info.name;
  });
}

int bin_units(Size size, double exponent) {
  const int side = std::max(size.width, size.height);
  const int units = side < 8 ? 4 : side == 8 ? 8 : 16;
  return exponent > 1.5 ? 2 * units : units;
}

}  // namespace

BeamOrder::Weights BeamOrder::learned(Metric metric) {
  return metric == Metric::multi ? Weights(multi_weights) : Weights(single_weights);
}

BeamOrder::BeamOrder(const Problem& problem, double exponent)
    : BeamOrder(problem, exponent, learned(problem.metric)) {}

BeamOrder::BeamOrder(const Problem& problem, double exponent, Weights weights)
    : features_(problem.instance), units_per_bin_(bin_units(problem.instance.size(), exponent)) {
  assert(weights.size() == static_cast<std::size_t>(1 + BeamFeatures::count));
  ordered_ = problem.metric == Metric::multi || sees_conflicts(parse_heuristic(problem.heuristic));
  if (!ordered_) return;
  const Size size = problem.instance.size();
  const auto weight = [&](int feature) { return weights[static_cast<std::size_t>(1 + feature)]; };
  h_units_ = weights.front();
  const double scale = std::pow(4, 1.5 - exponent);  // a distance of 4 always adds as much
  for (int label = 1; label < size.cells(); ++label) {
    const int home = problem.instance.home(label);
    for (int cell = 0; cell < size.cells(); ++cell) {
      const int distance = size.distance(cell, home);
      const int feature =
          BeamFeatures::of_distance(std::abs(size.row(home) - size.row(cell)),
                                    std::abs(size.column(home) - size.column(cell)));
      const double power = units_per_move * scale * std::pow(distance, exponent);
      spreads_[static_cast<std::size_t>(label)][static_cast<std::size_t>(cell)] =
          static_cast<std::int16_t>(std::lround(power) - h_units_ * distance + weight(feature));
    }
  }
  for (int d = 0; d < 4; ++d) {
    for (Displacement a = 0; a < BeamFeatures::displacements; ++a) {
      for (Displacement b = 0; b < BeamFeatures::displacements; ++b)
        pairs_[static_cast<std::size_t>(d)][a][b] = weight(BeamFeatures::of_pair(a, b, d));
    }
  }
}

int BeamOrder::spread(const Board& board) const {
  if (!ordered_) return 0;
  int sum = 0;
  for (int cell = 0; cell < board.size().cells(); ++cell) {
    sum += at(spreads_, static_cast<std::size_t>(board.tile(cell)), cell);
    features_.visit_pairs(board, cell, [&](Displacement own, Displacement other, int direction) {
      sum += at(pairs_[static_cast<std::size_t>(direction)], own, other);
    });
  }
  return sum;
}

}  // namespace tessera
