// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <ctime>
#include <utility>

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
    const auto before = std::exchange(start_, Clock::now());
    return std::chrono::duration<double>(start_ - before).count();
  }

 private:
  Clock::time_point start_ = Clock::now();
};

/// CPU time of the calling thread. Seconds.
[[nodiscard]] inline double thread_cpu_seconds() {
  std::timespec time{};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

}  // namespace tessera
