// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>

namespace tessera {

/// Wall time from a monotonic clock. Seconds.
class Stopwatch {
 public:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] Clock::time_point start() const { return start_; }
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }
  /// Seconds since construction or the last lap.
  double lap() {
    const auto now = Clock::now();
    const double elapsed = std::chrono::duration<double>(now - start_).count();
    start_ = now;
    return elapsed;
  }

 private:
  Clock::time_point start_ = Clock::now();
};

}  // namespace tessera
