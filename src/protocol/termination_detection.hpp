// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "search/record/timeline.hpp"

namespace tessera {

/// What a rank contributes to a round, and the sums over all ranks. No number of subtrees ever
/// decreases.
struct Round {
  std::uint64_t created = 0;    ///< units of work: subtrees, by the ranks that had or cut them
  std::uint64_t completed = 0;  ///< the same, by the ranks that completed them
  std::uint64_t expanded = 0;
  std::uint64_t generated = 0;
  std::uint64_t solutions_seen = 0;  ///< ranks that reached a goal, if that ends the search
  std::uint64_t stops = 0;           ///< ranks that reached a limit
};

/// When a rank takes part in rounds of sums, and what follows from the sums.
///
/// Mattern 1987: if as much work was completed in one round as was created in the next, all work
/// was completed by the end of the first, since neither value ever decreases. The same rounds carry
/// the stop after a solution or a limit, so all ranks detect the end from the same sums.
class TerminationDetection {
 public:
  static constexpr double never = std::numeric_limits<double>::infinity();

  /// `round_seconds`: the interval between rounds while there is work.
  explicit TerminationDetection(double round_seconds) : round_seconds_(round_seconds) {}

  /// Whether the rank takes part in the next round now: a busy one at intervals; one that is idle
  /// or has news for all, immediately. If so, the round becomes pending.
  [[nodiscard]] bool joins_round(double now, const Round& mine, bool busy) {
    const bool news = mine.stops > 0 || mine.solutions_seen > 0;
    if (pending_ || (busy && !news && now < next_round())) return false;
    return pending_ = true;
  }
  /// The time at which a busy rank without news takes part.
  [[nodiscard]] double next_round() const { return pending_ ? never : ended_at_ + round_seconds_; }
  void round_completed(const Round& sums, double now) {
    exhausted_ = any_round_ && sums_.completed == sums.created;
    if (sums.solutions_seen > 0) ending_ = Ending::solution;
    else if (exhausted_) ending_ = Ending::exhausted;
    else if (sums.stops > 0) ending_ = Ending::stopped;
    sums_ = sums;
    any_round_ = true;
    pending_ = false;
    ended_at_ = now;
  }

  /// Why the search is over, once it is.
  [[nodiscard]] std::optional<Ending> ending() const { return ending_; }
  /// Whether all work was done.
  [[nodiscard]] bool is_exhausted() const { return exhausted_; }
  /// The sums of the last round.
  [[nodiscard]] const Round& sums() const { return sums_; }

 private:
  double round_seconds_;
  bool pending_ = false;
  bool any_round_ = false;
  double ended_at_ = 0;  // the last round
  Round sums_;
  bool exhausted_ = false;
  std::optional<Ending> ending_;
};

}  // namespace tessera
