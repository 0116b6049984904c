// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace tessera {

/// The figures of the balancing protocol (docs/decisions/0013-balance.md), in one place so that
/// what runs on ranks and what the simulator replays are the same.
struct BalancePolicy {
  // ---- cutting the tree before an iteration
  std::size_t subtrees_per_worker = 64;
  double heaviest_least = 250'000;  ///< nodes: a subtree of less is not split for its cost
  double heaviest_most = 1'000'000;
  double most_subtrees = 32'768;  ///< for the sake of their cost alone
  std::size_t most_leaves = 1'100'000;
  double local_expanded = 50'000;  ///< an iteration after one of less runs on the master alone

  // ---- a running subtree
  double piece_seconds = 0.010;          ///< of work between two looks at what others want
  double hurried_piece_seconds = 0.003;  ///< the same while somebody waits for a cut
  double least_shared_seconds = 0.0005;  ///< a branch that is expected to take less is kept
  double patience_factor = 24;           ///< a piece that takes as many times as long is cut

  // ---- between ranks
  double round_seconds = 0.005;       ///< how often a busy rank takes part in a round of sums
  double busy_wait_seconds = 0.002;   ///< a main thread whose threads search looks as often
  double idle_first_seconds = 20e-6;  ///< one without work does after so long, then more seldom
  double idle_wait_seconds = 0.0005;  ///< at last as seldom as this
  int most_refusals = 16;             ///< after so many in a row a thief rests
  double rest_seconds = 0.002;
  double request_seconds = 0.020;  ///< without an answer for so long another victim is asked too
  int most_requests = 3;
  std::size_t batch = 8;  ///< subtrees a thread in one answer, unless half of what waits is less
};

}  // namespace tessera
