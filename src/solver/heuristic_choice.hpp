// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "heuristic/heuristic_spec.hpp"
#include "puzzle/board.hpp"
#include "solver/options.hpp"

namespace tessera {

/// The heuristic of a board, and where its search ends.
struct ChosenHeuristic {
  std::string name;  ///< for users
  HeuristicSpec spec;
  std::string advice;  ///< a faster table that `auto` did without
  std::string note{};  ///< which tables `auto` cannot use, and why
  /// Where the search ends, and which the tables are for: the goal, or the start.
  Board target{};
  bool from_goal = false;  ///< searched from the goal to the start
};

/// Resolves `heuristic`, for a search from the goal if that is requested. `auto` depends on the
/// size, the metric, the number of boards, the memory and time allowed, the tables that exist and,
/// if `start` is known, on how hard the board is (docs/algorithms.md has the rule). Throws
/// Error(input).
[[nodiscard]] ChosenHeuristic choose_heuristic(const SearchOptions& options, const Board& goal,
                                               std::size_t boards, const Board* start = nullptr);

}  // namespace tessera
