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
  /// More even the load out at the start, but the master lists, deals and gathers each; from some
  /// point on it is quicker to leave the rest to stealing.
  [[nodiscard]] constexpr std::size_t subtrees(std::size_t workers) const {
    return std::min(64 * workers, std::max(enough_subtrees, 4 * workers));
  }
  std::size_t enough_subtrees = 65'536;
  double heaviest_least = 250'000;  ///< nodes: a subtree of less is not split for its cost
  double heaviest_most = 1'000'000;
  double most_subtrees = 32'768;  ///< for the sake of their cost alone
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
  double request_seconds = 0.020;  ///< without an answer for so long another victim is asked too
  int most_requests = 3;
  std::size_t batch = 8;  ///< subtrees a thread in one answer, unless half of what waits is less
};

inline constexpr BalancePolicy balance;

}  // namespace tessera
