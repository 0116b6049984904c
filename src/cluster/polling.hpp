// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>

namespace tessera {

/// A rank that waits inside MPI burns a core, so every wait of ours is a test and a sleep, longer
/// the longer nothing came: 20 us at first, 2 ms at last (below 1 % of a core).
class PoliteSleep {
 public:
  static constexpr std::chrono::microseconds usual_longest{2000};
  explicit PoliteSleep(std::chrono::microseconds longest = usual_longest) : longest_(longest) {}
  void operator()();
  void reset() { next_ = first; }

 private:
  static constexpr std::chrono::microseconds first{20};
  std::chrono::microseconds longest_;
  std::chrono::microseconds next_ = first;
};

/// The calls that Boost.MPI has no form of: non-blocking collectives, tested politely.

/// Returns once all ranks have come here, without spinning; `meanwhile` is called at each look,
/// `longest` is the longest sleep between two. After it a blocking collective of Boost.MPI finds
/// everyone there.
void meet(MPI_Comm comm, const std::function<void()>& meanwhile = {},
          std::chrono::microseconds longest = PoliteSleep::usual_longest);

/// Figures of a running execution, summed over ranks: each tells its own at some moment of the
/// round, none of them before it knows the sums of the round before.
struct Round {
  std::uint64_t created = 0;    ///< subtrees, by the ranks that cut them
  std::uint64_t completed = 0;  ///< subtrees, by the ranks that searched them
  std::uint64_t expanded = 0;
  std::uint64_t generated = 0;
  std::uint64_t solutions_seen = 0;  ///< ranks that met a goal
  std::uint64_t stops = 0;           ///< 1 where the master says so
};

/// Rounds of sums over all ranks, none of which waits for another (MPI_Iallreduce).
class Rounds {
 public:
  explicit Rounds(MPI_Comm comm) : comm_(comm) {}
  Rounds(const Rounds&) = delete;
  Rounds& operator=(const Rounds&) = delete;

  [[nodiscard]] bool pending() const { return pending_; }
  /// Tells this rank's figures, and `least` for the minimum where `minimum`, which all ranks must
  /// agree on. Not while a round is pending.
  void begin(const Round& mine, int least, bool minimum);
  /// Whether the pending round is complete; then `sum` and `least` are all ranks'.
  [[nodiscard]] bool complete();
  [[nodiscard]] const Round& sum() const { return sum_; }
  [[nodiscard]] int least() const { return least_; }

 private:
  MPI_Comm comm_;
  std::array<MPI_Request, 2> requests_{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  bool pending_ = false;
  Round mine_;
  Round sum_;
  int my_least_ = 0;
  int least_ = 0;
};

}  // namespace tessera
