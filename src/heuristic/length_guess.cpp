// SPDX-License-Identifier: MIT
#include "heuristic/length_guess.hpp"

#include <algorithm>
#include <cmath>

#include "heuristic/manhattan.hpp"

namespace tessera {

LengthGuess guess_length(const Instance& instance, Metric metric, int least) {
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
