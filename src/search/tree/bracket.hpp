// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "puzzle/metric.hpp"

namespace tessera {

/// The best solution known, and the beam search that found it.
struct Incumbent {
  std::string moves;            ///< tile letters
  int length = 0;               ///< in moves
  std::uint64_t width = 0;      ///< of the beam search that found it
  std::uint64_t evaluated = 0;  ///< boards, by all beam searches of this board
  double seconds = 0;           ///< that they took
};

/// A beam search that ran to completion.
struct FinishedBeam {
  std::uint64_t width = 0;
  std::uint64_t evaluated = 0;
  double seconds = 0;
  std::string moves;  ///< of a solution shorter than earlier ones; empty: none
};

/// The best solution of beam searches that were run in this order.
[[nodiscard]] inline std::optional<Incumbent> best_of(std::span<const FinishedBeam> beams,
                                                      Metric metric) {
  Incumbent best;
  for (const FinishedBeam& beam : beams) {
    best.evaluated += beam.evaluated;
    best.seconds += beam.seconds;
    if (beam.moves.empty()) continue;
    best.moves = beam.moves;
    best.width = beam.width;
  }
  if (best.moves.empty()) return {};
  best.length = solution_length(best.moves, metric);
  return best;
}

/// What is known of the optimal length: the lower bound from exhausted bounds, the upper one from a
/// verified solution.
struct Bracket {
  int lower = 0;
  std::optional<int> upper;

  bool operator==(const Bracket&) const = default;
};

}  // namespace tessera
