// SPDX-License-Identifier: MIT
#include "search/beam/beam_order.hpp"

#include <cmath>

#include "heuristic/heuristic_spec.hpp"
#include "heuristic/linear_conflict.hpp"
#include "heuristic/pairwise.hpp"

namespace tessera {
namespace {

constexpr std::int16_t learned_weights[] = {
#include "search/beam/learned_weights.inc"
};

bool sees_conflicts(const HeuristicSpec& spec) {
  return std::ranges::any_of(spec.parts, [](const HeuristicSpec::Part& part) {
    return part.is_partition() || part.name == LinearConflict::info.name ||
           part.name == Pairwise::info.name;
  });
}

// Per move: fewer on wide boards, so that 16 bits hold a distance, and BeamHistogram has a bin for
// each estimate.
int units_of(Size size, double exponent) {
  const int side = std::max(size.width, size.height);
  const int units = side < 8 ? 16 : side == 8 ? 8 : 4;
  return exponent > 1.5 ? units / 2 : units;
}

}  // namespace

BeamOrder::Weights BeamOrder::learned() {
  return learned_weights;
}

BeamOrder::BeamOrder(const Problem& problem, double exponent, Weights weights)
    : features_(problem.instance) {
  ordered_ = problem.metric == Metric::single && sees_conflicts(parse_heuristic(problem.heuristic));
  if (!ordered_) return;
  const Size size = problem.instance.size();
  const int units = units_of(size, exponent);
  const auto weight = [&](int feature) {
    return units * weights[static_cast<std::size_t>(1 + feature)] / 16.0;
  };
  h_units_ = units * weights.front() / 16;
  const double scale = std::pow(4, 1.5 - exponent);  // a distance of 4 always adds as much
  for (int label = 1; label < size.cells(); ++label) {
    const int home = problem.instance.home(label);
    for (int cell = 0; cell < size.cells(); ++cell) {
      const int distance = size.distance(cell, home);
      const int feature =
          BeamFeatures::of_distance(std::abs(size.row(home) - size.row(cell)),
                                    std::abs(size.column(home) - size.column(cell)));
      spreads_[static_cast<std::size_t>(label)][static_cast<std::size_t>(cell)] =
          static_cast<std::int16_t>(std::lround(units * scale * std::pow(distance, exponent) -
                                                h_units_ * distance + weight(feature)));
    }
  }
  for (int d = 0; d < 4; ++d) {
    for (Way way = 0; way < BeamFeatures::ways; ++way) {
      for (Way other = 0; other < BeamFeatures::ways; ++other) {
        pairs_[static_cast<std::size_t>(d)][way][other] =
            static_cast<std::int16_t>(std::lround(weight(BeamFeatures::of_pair(way, other, d))));
      }
    }
  }
}

int BeamOrder::spread(const Board& board) const {
  if (!ordered_) return 0;
  int sum = 0;
  for (int cell = 0; cell < board.size().cells(); ++cell) {
    sum += at(spreads_, static_cast<std::size_t>(board.tile(cell)), cell);
    for (int d = 0; d < 4; ++d) {
      // Each pair once.
      if (const int other = features_.neighbor(cell, d); other < 0 || other > cell)
        sum += at(pairs_[static_cast<std::size_t>(d)], features_.way(board, cell),
                  features_.way(board, other));
    }
  }
  return sum;
}

}  // namespace tessera
