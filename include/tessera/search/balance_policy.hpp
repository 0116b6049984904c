// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tessera {

/// The figures of the balancing protocol (docs/decisions/0013-balance.md), in one place so that
/// what runs on ranks and what the simulator replays are the same.
struct BalancePolicy {
  // ---- cutting the tree before an iteration
  /// Into how many subtrees. The master lists, deals and sums up each one. Where running subtrees
  /// can be cut, some thousands are enough for any number of workers: a worker that has one cuts it
  /// for the others. Elsewhere the load is only as even as it is dealt.
  [[nodiscard]] constexpr std::size_t subtrees(std::size_t workers, bool running_cut) const {
    return std::min(64 * workers, running_cut ? most_dealt : std::max(most_uncut, 4 * workers));
  }
  /// A subtree that expanded more nodes in the last iteration, of so many in all, is split.
  [[nodiscard]] constexpr double heaviest(std::size_t workers, bool running_cut,
                                          double expanded) const {
    const double share = expanded / static_cast<double>(subtrees(workers, running_cut));
    const auto most = static_cast<double>(running_cut ? most_dealt : most_uncut);
    return std::max(std::clamp(share, heaviest_least, heaviest_most), expanded / (most / 2));
  }
  std::size_t most_dealt = 8'192;
  std::size_t most_uncut = 65'536;
  double heaviest_least = 250'000;  ///< nodes: a subtree of less is not split for its cost
  double heaviest_most = 1'000'000;
  /// Where memory and time for the cut itself would begin to count; a depth of 24 has far more.
  std::size_t most_leaves = 1'100'000;
  std::uint64_t local_expanded =
      50'000;  ///< an iteration after one of less runs on the master alone

  // ---- a running subtree
  /// Long against what it takes to begin a piece; longer ones make the end of an iteration uneven.
  double piece_seconds = 0.010;
  double hurried_piece_seconds = 0.002;  ///< the same while others have nothing to do
  double look_seconds = 0.002;           ///< how often a search looks whether they have
  double least_shared_seconds = 0.001;   ///< a branch that is expected to take less is kept
  /// While others have nothing to do, a piece that nobody can help with is left and cut smaller
  /// after so many times what it should take. What it did is lost, but they would have waited.
  double most_pieces = 5;

  // ---- between ranks
  double round_seconds = 0.005;       ///< how often a busy rank takes part in a round of sums
  double busy_wait_seconds = 0.002;   ///< a main thread whose threads search looks as often
  double idle_first_seconds = 20e-6;  ///< one without work does after so long, then more seldom
  double idle_wait_seconds = 0.001;   ///< at last as seldom as this
  int most_refusals = 4;        ///< after so many in a row a rank without work asks its lifelines
  double rest_seconds = 0.002;  ///< of a thief that is refused and has no lifelines
  /// Of one whose threads are all busy: after each such row of refusals twice as long, up to this.
  double longest_rest_seconds = 0.032;
  double request_seconds = 0.020;  ///< without an answer for so long another victim is asked too
  int most_requests = 3;
  std::size_t batch = 8;  ///< subtrees a thread in one answer, unless half of what waits is less
};

inline constexpr BalancePolicy balance;

}  // namespace tessera
