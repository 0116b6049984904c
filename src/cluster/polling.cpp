// SPDX-License-Identifier: MIT
#include "cluster/polling.hpp"

#include <algorithm>
#include <thread>

namespace tessera {

void PoliteSleep::operator()() {
  std::this_thread::sleep_for(next_);
  next_ = std::min(next_ + next_ / 2, longest_);
}

void meet(MPI_Comm comm, const std::function<void()>& meanwhile,
          std::chrono::microseconds longest) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(comm, &request);
  PoliteSleep sleep(longest);
  for (int done = 0;;) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done != 0) return;
    if (meanwhile) meanwhile();
    sleep();
  }
}

void Rounds::begin(const Round& mine, int least, bool minimum) {
  constexpr int figures = sizeof(Round) / sizeof(std::uint64_t);
  static_assert(sizeof(Round) == figures * sizeof(std::uint64_t));
  mine_ = mine;
  my_least_ = least;
  MPI_Iallreduce(&mine_, &sum_, figures, MPI_UINT64_T, MPI_SUM, comm_, &requests_[0]);
  if (minimum) MPI_Iallreduce(&my_least_, &least_, 1, MPI_INT, MPI_MIN, comm_, &requests_[1]);
  pending_ = true;
}

bool Rounds::complete() {
  if (!pending_) return false;
  int done = 0;
  MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE);
  pending_ = done == 0;
  return !pending_;
}

}  // namespace tessera
