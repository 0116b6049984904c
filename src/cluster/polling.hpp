// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <chrono>
#include <functional>

namespace tessera {

/// A rank that waits inside MPI burns a core, so every wait of ours is a test and a sleep, longer
/// the longer nothing came: 20 us at first, 2 ms at last (below 1 % of a core).
class PoliteSleep {
 public:
  void operator()();
  void reset() { next_ = first; }

 private:
  static constexpr std::chrono::microseconds first{20};
  static constexpr std::chrono::microseconds longest{2000};
  std::chrono::microseconds next_ = first;
};

/// The calls that Boost.MPI has no form of: non-blocking collectives, tested politely.

/// Returns once all ranks have come here, without spinning; `meanwhile` is called at each look.
/// After it a blocking collective of Boost.MPI finds everyone there.
void meet(MPI_Comm comm, const std::function<void()>& meanwhile = {});

/// One int from rank 0 to all, sent at a time that the others do not know beforehand.
class PendingBroadcast {
 public:
  /// All ranks but 0 begin to listen. Collective: once an execution.
  PendingBroadcast(MPI_Comm comm, int rank);
  ~PendingBroadcast();
  PendingBroadcast(const PendingBroadcast&) = delete;
  PendingBroadcast& operator=(const PendingBroadcast&) = delete;

  /// Rank 0 only, once.
  void send(int value);
  /// Whether the value is here (and, on rank 0, on its way to all).
  [[nodiscard]] bool arrived();
  [[nodiscard]] int value() const { return value_; }

 private:
  MPI_Comm comm_;
  MPI_Request request_ = MPI_REQUEST_NULL;
  int value_ = 0;
  bool sent_ = false;
};

}  // namespace tessera
