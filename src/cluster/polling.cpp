// SPDX-License-Identifier: MIT
#include "cluster/polling.hpp"

#include <algorithm>
#include <thread>

namespace tessera {

void BackOff::operator()() {
  std::this_thread::sleep_for(next_);
  next_ = std::min(next_ + next_ / 2, longest_);
}

void wait_until(JobState& state, const std::function<bool()>& condition, const Waiting& waiting) {
  // Others are mostly there already: the least sleep takes longer than what is left to do.
  constexpr int looks_awake = 10;
  BackOff sleep(waiting.longest);
  for (int look = 0; !condition(); ++look) {
    state.poll();
    if (waiting.meanwhile) waiting.meanwhile();
    if (look < looks_awake) std::this_thread::yield();
    else sleep();
  }
}

}  // namespace tessera
