// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "search/limits.hpp"
#include "search/tree/execution.hpp"

namespace tessera {

/// A move that optimal solutions begin with.
struct FirstMove {
  std::string letters;
  std::uint64_t solutions = 0;  ///< that begin with it
};

/// The optimal solutions of a board, in move order.
struct SolutionList {
  std::uint64_t count = 0;             ///< of all
  std::vector<FirstMove> first_moves;  ///< of all
  std::vector<std::string> solutions;  ///< the first ones: tile letters
  double serial_seconds = 0;           ///< that the calling thread worked alone
};

/// Lists at most `most` of the optimal solutions of a problem that an exhaustive search has solved;
/// `solution` is one of them. `solved` are the subtrees of the last bound with solutions; its root,
/// if no more is known. The executor must have begun the problem. Empty if the limits stopped it;
/// the node limit does not apply.
///
/// Optimal solutions meet again and again: millions of them pass through some thousands of boards.
/// So this finds the boards, layer by layer from the start, asking of each child of one whether a
/// search finds a solution below it, and counts paths between them (docs/decisions/0028).
[[nodiscard]] std::optional<SolutionList> list_solutions(const Problem& problem,
                                                         const std::string& solution,
                                                         const std::vector<FinishedSubtree>& solved,
                                                         std::size_t most,
                                                         SubtreeExecutor& executor, Limits limits);

}  // namespace tessera
