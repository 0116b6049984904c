// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>

#include "heuristic/manhattan.hpp"
#include "puzzle/instance.hpp"
#include "puzzle/metric.hpp"

namespace tessera {

/// Where a board's search will probably end, which is unknown before it does.
struct LengthGuess {
  int likely = 0;  ///< about half of such boards need no more moves
  int high = 0;    ///< some 97 of 100 need no more
};

/// The expected optimal length of a random board with this board's Manhattan distance. Random
/// boards need 1 + 1.6 / sqrt(cells) times the mean Manhattan distance of their size (3x3 21.97,
/// 4x4 52.6, 5x5 about 100.8), and 0.84 of a board's deviation from the mean distance appears in
/// its length (for Korf's 100, with a standard deviation of 3.5 moves). Boards scrambled by few
/// moves end earlier.
[[nodiscard]] inline LengthGuess guess_length(const Instance& instance, Metric metric, int least) {
  const Size size = instance.size();
  // The mean distance of two random cells in a line of n is (n - 1 / n) / 3.
  const auto line = [](int n) { return (n - 1.0 / n) / 3; };
  const double mean_distance = (line(size.width) + line(size.height)) * (size.cells() - 1);
  const int distance = Manhattan(instance).evaluate(instance.start);
  const double mean = mean_distance * (1 + 1.6 / std::sqrt(size.cells()));
  double length = mean + 0.84 * (distance - mean_distance);
  double spread = 0.87 * std::sqrt(size.cells());
  if (metric == Metric::multi) {
    constexpr double runs = 0.66;  // runs per single move, on random boards of 3x3 to 4x4
    length *= runs;
    spread *= runs;
  }
  LengthGuess guess;
  guess.likely = static_cast<int>(std::lround(length));
  guess.high = static_cast<int>(std::lround(length + 2 * spread));
  if (metric == Metric::single) {
    // A length differs from the Manhattan distance by an even number.
    guess.likely += (guess.likely - distance) & 1;
    guess.high += (guess.high - distance) & 1;
  }
  guess.likely = std::max(guess.likely, least);
  guess.high = std::max(guess.high, guess.likely);
  return guess;
}

}  // namespace tessera
