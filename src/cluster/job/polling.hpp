// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>

#include "cluster/job/job_state.hpp"

namespace tessera {

/// A rank that waits inside MPI occupies a core, so all our waits test and sleep with increasing
/// back-off: from 20 us to 2 ms (below 1 % of a core).
class BackOff {
 public:
  static constexpr std::chrono::microseconds default_longest{2000};
  explicit BackOff(std::chrono::microseconds longest = default_longest) : longest_(longest) {}
  void operator()() {
    std::this_thread::sleep_for(next_);
    next_ = std::min(next_ + next_ / 2, longest_);
  }
  void reset() { next_ = first; }

 private:
  static constexpr std::chrono::microseconds first{20};
  std::chrono::microseconds longest_;
  std::chrono::microseconds next_ = first;
};

/// How a rank waits: polls the job's state, which may throw JobFailed, calls `meanwhile`, only
/// yields for at least `awake`, then sleeps at most `longest` at a time.
struct Waiting {
  std::function<void()> meanwhile = {};
  std::chrono::microseconds longest = BackOff::default_longest;
  std::chrono::microseconds awake = {};
};

/// Waits until `condition`, which must make MPI progress, is true.
inline void wait_until(JobState& state, const std::function<bool()>& condition,
                       const Waiting& waiting = {}) {
  // Usually the others have arrived already: even the shortest sleep would exceed the wait.
  constexpr int polls_before_sleep = 10;
  const auto awake_until = JobState::Clock::now() + waiting.awake;
  BackOff sleep(waiting.longest);
  for (int polls = 0; !condition(); ++polls) {
    state.poll();
    if (waiting.meanwhile) waiting.meanwhile();
    if (polls < polls_before_sleep || JobState::Clock::now() < awake_until)
      std::this_thread::yield();
    else sleep();
  }
}

}  // namespace tessera
