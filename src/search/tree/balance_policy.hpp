// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tessera {

/// The parameters of the balancing protocol (docs/decisions/0013-balance.md) in one place, so that
/// real ranks and the simulator use the same values.
struct BalancePolicy {
  // ---- cutting the tree before an iteration
  /// The number of subtrees. The master lists, deals and sums up each one. If running subtrees can
  /// be cut, some thousands are enough for any number of workers: a worker cuts its own for the
  /// others. Otherwise the load is only as even as the deal.
  [[nodiscard]] constexpr std::size_t subtrees(std::size_t workers, bool running_cut) const {
    return std::min(64 * workers, running_cut ? most_dealt : std::max(most_uncut, 4 * workers));
  }
  /// Nodes above which a subtree is split; the last iteration expanded `expanded` nodes in all.
  [[nodiscard]] constexpr double heaviest(std::size_t workers, bool running_cut,
                                          double expanded) const {
    const double share = expanded / static_cast<double>(subtrees(workers, running_cut));
    const auto most = static_cast<double>(running_cut ? most_dealt : most_uncut);
    return std::max(std::clamp(share, heaviest_least, heaviest_most), expanded / (most / 2));
  }
  std::size_t most_dealt = 8'192;
  std::size_t most_uncut = 65'536;
  double heaviest_least = 250'000;  ///< nodes: a smaller subtree is not split for its cost
  double heaviest_most = 1'000'000;
  /// More would cost noticeable memory and time for the cut itself; a depth of 24 has far more.
  std::size_t most_leaves = 1'100'000;
  /// After one with fewer nodes, an iteration runs on the master only, but is given up there and
  /// divided if it turns out to be longer: a strong heuristic's first bound may be long.
  std::uint64_t local_expanded = 50'000;
  std::uint64_t local_most = 2'000'000;

  // ---- a running subtree
  /// Long compared to starting a piece; longer ones make the end of an iteration uneven.
  double piece_seconds = 0.010;
  double hurried_piece_seconds = 0.002;  ///< the same while others are idle
  double look_seconds = 0.002;           ///< how often a search checks for idle threads
  double least_shared_seconds = 0.001;   ///< a branch expected to take less is kept
  /// While others are idle, a piece is abandoned and cut smaller after this many times its expected
  /// duration: it cannot be shared, so losing its work costs less than the others' wait.
  double most_pieces = 5;

  // ---- between ranks
  double round_seconds = 0.005;       ///< how often a busy rank takes part in a round of sums
  double busy_wait_seconds = 0.002;   ///< how often a main thread checks while its threads search
  double idle_first_seconds = 20e-6;  ///< interval of a rank without work at first; it grows
  double idle_wait_seconds = 0.001;   ///< up to this
  int most_refusals = 4;        ///< after this many in a row a rank without work asks its lifelines
  double rest_seconds = 0.002;  ///< of a thief that is refused and asks no lifelines
  /// Of one whose threads are all busy: each such series of refusals doubles the pause, up to this.
  double longest_rest_seconds = 0.032;
  double request_seconds = 0.020;  ///< without an answer for this long, asks another victim too
  int most_requests = 3;
  std::size_t batch = 8;  ///< most subtrees per thread in one answer
};

inline constexpr BalancePolicy balance;

}  // namespace tessera
