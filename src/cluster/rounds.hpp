// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <memory>

#include "tessera/cluster/session.hpp"
#include "tessera/protocol/rank_protocol.hpp"

namespace tessera {

/// Rounds of sums over all ranks, none of which waits for another (MPI_Iallreduce).
class Rounds {
 public:
  explicit Rounds(const Session& session);
  ~Rounds();
  Rounds(const Rounds&) = delete;
  Rounds& operator=(const Rounds&) = delete;

  [[nodiscard]] bool pending() const { return pending_; }
  /// Tells this rank's figures, and `least` for the minimum where `minimum`, which all ranks must
  /// agree on. Not while a round is pending.
  void begin(const Round& mine, int least, bool minimum);
  /// Whether the pending round is complete; then `sum` and `least` are all ranks'.
  [[nodiscard]] bool complete();
  [[nodiscard]] const Round& sum() const { return figures_->sum; }
  [[nodiscard]] int least() const { return figures_->least; }

 private:
  // Apart, since a round that is left pending is MPI's until the end.
  struct Figures {
    Round mine;
    Round sum;
    int my_least = 0;
    int least = 0;
  };

  JobState& state_;
  MPI_Comm comm_;
  std::array<MPI_Request, 2> requests_{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  bool pending_ = false;
  std::shared_ptr<Figures> figures_ = std::make_shared<Figures>();
};

}  // namespace tessera
