// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>

#include "cluster/job/session.hpp"
#include "cluster/messages/nonblocking.hpp"
#include "protocol/termination_detection.hpp"

namespace tessera {

/// Rounds of sums over all ranks without blocking (non-blocking all-reduce).
class RoundReduction {
 public:
  explicit RoundReduction(const Session& session)
      : state_(session.state()), comm_(session.round_channel()) {}
  ~RoundReduction() {
    if (pending_) state_.retain(figures_);
  }
  RoundReduction(const RoundReduction&) = delete;
  RoundReduction& operator=(const RoundReduction&) = delete;

  [[nodiscard]] bool pending() const { return pending_; }
  /// Contributes this rank's values and, on all ranks or on none, `value` to a minimum. Must not be
  /// called while a round is pending.
  void begin(const Round& mine, std::optional<int> value = {}) {
    constexpr std::size_t count = sizeof(Round) / sizeof(std::uint64_t);
    static_assert(sizeof(Round) == count * sizeof(std::uint64_t));
    figures_->sum = mine;
    const std::span sums(reinterpret_cast<std::uint64_t*>(&figures_->sum), count);
    requests_[0] = nonblocking::all_reduce(comm_, sums, std::plus<std::uint64_t>());
    if (value) {
      figures_->minimum = *value;
      requests_[1] = nonblocking::all_reduce(comm_, std::span(&figures_->minimum, 1),
                                             boost::mpi::minimum<int>());
    }
    pending_ = true;
  }
  /// Whether the pending round is complete; if so, `sum` and `minimum` cover all ranks.
  [[nodiscard]] bool complete() {
    if (!pending_) return false;
    pending_ = !nonblocking::test(requests_);
    return !pending_;
  }
  [[nodiscard]] const Round& sum() const { return figures_->sum; }
  [[nodiscard]] int minimum() const { return figures_->minimum; }

 private:
  // On the heap, since MPI owns a round that is left pending until the end.
  struct Figures {
    Round sum;
    int minimum = 0;
  };

  JobState& state_;
  const boost::mpi::communicator& comm_;
  std::array<MPI_Request, 2> requests_{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  bool pending_ = false;
  std::shared_ptr<Figures> figures_ = std::make_shared<Figures>();
};

}  // namespace tessera
