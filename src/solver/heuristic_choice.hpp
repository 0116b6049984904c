// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

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

/// From which end to search a board that is not easy: the same from the goal if `search_from` and
/// `heuristic` are `auto` and that tree is clearly smaller, by samples of both; else `chosen`,
/// perhaps with advice. May open tables, which takes seconds; builds none.
[[nodiscard]] ChosenHeuristic choose_end(const SearchOptions& options, ChosenHeuristic chosen,
                                         const Board& start, const Board& goal);

/// The name under which `auto` chooses a heuristic; its text if `auto` does not.
[[nodiscard]] std::string heuristic_name(const HeuristicSpec& spec, const Board& goal);

/// The partitions that suit boards of that goal, the fastest first: those that `auto` may choose,
/// or one of equal patterns where it has none.
[[nodiscard]] std::vector<std::string> offered_partitions(const Board& goal);

/// The command that builds a heuristic's tables; empty unless it is `walking`, `escapes`, a name
/// that starts with "pdb:", or the best one with tables in metric multi.
[[nodiscard]] std::string build_command(const SearchOptions& options, const std::string& heuristic,
                                        const Board& goal);

}  // namespace tessera
