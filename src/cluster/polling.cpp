// SPDX-License-Identifier: MIT
#include "cluster/polling.hpp"

#include <algorithm>
#include <thread>

namespace tessera {

void PoliteSleep::operator()() {
  std::this_thread::sleep_for(next_);
  next_ = std::min(next_ + next_ / 2, longest);
}

void meet(MPI_Comm comm, const std::function<void()>& meanwhile) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(comm, &request);
  PoliteSleep sleep;
  for (int done = 0;;) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done != 0) return;
    if (meanwhile) meanwhile();
    sleep();
  }
}

PendingBroadcast::PendingBroadcast(MPI_Comm comm, int rank) : comm_(comm), sent_(rank != 0) {
  if (rank != 0) MPI_Ibcast(&value_, 1, MPI_INT, 0, comm_, &request_);
}

PendingBroadcast::~PendingBroadcast() {
  // Every execution sends its one value, so this does not wait long; an exception on its way out
  // ends the job instead.
  if (request_ != MPI_REQUEST_NULL && std::uncaught_exceptions() == 0) {
    MPI_Wait(&request_, MPI_STATUS_IGNORE);
  }
}

void PendingBroadcast::send(int value) {
  value_ = value;
  sent_ = true;
  MPI_Ibcast(&value_, 1, MPI_INT, 0, comm_, &request_);
}

bool PendingBroadcast::arrived() {
  if (!sent_) return false;
  int done = 0;
  MPI_Test(&request_, &done, MPI_STATUS_IGNORE);
  return done != 0;
}

}  // namespace tessera
