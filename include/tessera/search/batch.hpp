// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "tessera/search/best_first.hpp"
#include "tessera/search/ida_star.hpp"

namespace tessera {

/// A board of many, to be solved by one thread.
struct BoardJob {
  std::uint32_t index = 0;
  Problem problem;
};

/// How each is solved.
struct BatchOptions {
  IdaStarOptions ida;
  std::optional<BestFirstOptions> best_first;  ///< instead; its memory is for one search
  std::uint64_t node_limit = 0;                ///< of each board, as the user says; 0: none
  /// Nodes after which a board is given back as too hard for one thread; 0: never.
  std::uint64_t easy_nodes = 0;
};

struct BoardOutcome {
  std::uint32_t index = 0;
  bool too_hard = false;  ///< given back; the result says nothing
  SearchResult result;    ///< of any engine
};

/// Solves one board in the calling thread. Only the deadline and the interruption of `limits`
/// count.
[[nodiscard]] BoardOutcome solve_board(const BoardJob& job, const BatchOptions& options,
                                       Limits limits);

/// Called in the thread that waits for a batch, in any order of boards.
using BoardDone = std::function<void(BoardOutcome)>;

}  // namespace tessera
