// SPDX-License-Identifier: MIT
#include "cluster/polling.hpp"

#include <algorithm>
#include <thread>

namespace tessera {

void PoliteSleep::operator()() {
  std::this_thread::sleep_for(next_);
  next_ = std::min(next_ + next_ / 2, longest_);
}

void wait(JobState& state, std::span<MPI_Request> requests, const Waiting& waiting) {
  // Others are mostly there already: the least sleep takes longer than what is left to do.
  constexpr int looks_awake = 10;
  PoliteSleep sleep(waiting.longest);
  for (int look = 0, done = 0;; ++look) {
    MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
    if (done != 0) return;
    state.poll();
    if (waiting.meanwhile) waiting.meanwhile();
    if (look < looks_awake) std::this_thread::yield();
    else sleep();
  }
}

void wait(JobState& state, MPI_Request request, const Waiting& waiting) {
  wait(state, {&request, 1}, waiting);
}

}  // namespace tessera
