// SPDX-License-Identifier: MIT
#include "search/beam/beam_order.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>

namespace tessera {
namespace {

constexpr std::int16_t single_weights[] = {
#include "search/beam/single_weights.inc"
};
constexpr std::int16_t multi_weights[] = {
#include "search/beam/multi_weights.inc"
};

// The binary logarithm of the units in a bin.
int bin_bits(Size size, double exponent) {
  const int side = std::max(size.width, size.height);
  const int bits = side < 8 ? 2 : side == 8 ? 3 : 4;
  return exponent > 1.5 ? bits + 1 : bits;
}

}  // namespace

BeamOrder::Weights BeamOrder::learned(Metric metric) {
  return metric == Metric::multi ? Weights(multi_weights) : Weights(single_weights);
}

BeamOrder::BeamOrder(const Problem& problem, double exponent)
    : BeamOrder(problem, exponent, learned(problem.metric)) {}

BeamOrder::BeamOrder(const Problem& problem, double exponent, Weights weights)
    : weights_(weights),
      features_(problem.instance),
      bin_bits_(bin_bits(problem.instance.size(), exponent)),
      blocks_(BeamFeatures::blocks) {
  assert(weights.size() == BeamOrder::weights());
  const Size size = problem.instance.size();
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
    for (Displacement a = 0; a < BeamFeatures::blank; ++a) {
      for (Displacement b = 0; b < BeamFeatures::displacements; ++b) {
        const int with_blank = b == BeamFeatures::blank ? 0 : pair(BeamFeatures::blank, b, d);
        pairs_[static_cast<std::size_t>(d)][a][b] =
            static_cast<std::int16_t>(pair(a, b, d) - with_blank);
      }
    }
  }
  std::ranges::transform(BeamFeatures::of_blocks(), blocks_.begin(),
                         [this](std::uint16_t feature) { return weight(feature); });
}

int BeamOrder::spread(const Board& board) const {
  int sum = 0;
  for (int cell = 0; cell < board.size().cells(); ++cell)
    sum += at(spreads_, static_cast<std::size_t>(board.tile(cell)), cell);
  features_.visit_places(board, [&](int feature) { sum += weight(feature); });
  return sum;
}

}  // namespace tessera
