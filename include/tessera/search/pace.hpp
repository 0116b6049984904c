// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

namespace tessera {

/// How many nodes a search expands in a time, from what it did last.
class Pace {
 public:
  void note(double expanded, double seconds) {
    constexpr double least_seconds = 1e-4;  // below that the clock and the start are measured
    if (seconds < least_seconds) return;
    constexpr double weight = 0.2;
    rate_ += weight * (expanded / seconds - rate_);
  }
  /// At least a number below which cutting costs more than it gains.
  [[nodiscard]] double nodes_in(double seconds) const {
    constexpr double least = 1000;
    return std::max(least, rate_ * seconds);
  }

 private:
  double rate_ = 25e6;  // nodes per second; soon forgotten
};

}  // namespace tessera
