// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "puzzle/board.hpp"
#include "search/problem.hpp"
#include "search/search_result.hpp"
#include "search/tree/ida_star.hpp"
#include "solver/heuristic_choice.hpp"
#include "solver/options.hpp"
#include "solver/workers.hpp"

namespace tessera {

/// A board to solve with its goal.
struct BoardTask {
  std::string id;
  Board board;
  Board goal;
  std::string goal_name;  ///< its name, or tiles
};

/// Whether any pruning rule will do: `auto` is `parent` if all solutions or all nodes of the last
/// iteration are requested, and in metric multi.
[[nodiscard]] bool prunes_freely(const SearchOptions& options);

/// The pruning rule for `boards` boards of that goal with that heuristic; `auto` is the fastest
/// that memory and time limits allow to build.
[[nodiscard]] PruneRule prune_of(const SearchOptions& options, const Board& goal,
                                 std::size_t boards, const HeuristicSpec& heuristic);

/// The options for IDA* and its relatives; without incumbents and a journal.
[[nodiscard]] IdaStarOptions ida_star_options(const SearchOptions& options);

/// What is decided about a board before its search.
struct Plan {
  ChosenHeuristic heuristic;
  PruneRule prune = PruneRule::parent;
  std::uint64_t table_bytes = 0;
};

/// Decides: for `boards` boards of that goal, of which this one is `start` (may be null); if it is
/// the only one, also from which end it is searched. Throws Error(input).
[[nodiscard]] Plan make_plan(const SearchOptions& options, const Board& goal, std::size_t boards,
                             const Board* start = nullptr);

/// The plan with a heuristic that is chosen already, for `boards` boards. Throws Error(input).
[[nodiscard]] Plan plan_with(const SearchOptions& options, std::size_t boards,
                             ChosenHeuristic heuristic);

/// A plan made for several boards, for this one of them, which all workers search: perhaps from the
/// other end. It keeps its pruning rule even if other automata exist by now.
[[nodiscard]] Plan plan_alone(const SearchOptions& options, Plan plan, const Board& start,
                              const Board& goal);

/// Throws Error(input) if the board needs a search and its size or heuristic has none with these
/// options.
void expect_searchable(const SearchOptions& options, const Plan& plan, const Board& start,
                       const Board& goal);

/// Differs for plans that need different tables or automata.
[[nodiscard]] std::string table_names(const Plan& plan);

/// The search of a board with its plan, which a limit stops where it would stop plain IDA*.
[[nodiscard]] Problem problem_of(const SearchOptions& options, const Plan& plan, const Board& start,
                                 const Board& goal);

/// To be called once on what a search with that plan found: turns a solution that was searched from
/// the goal around, then replays it and each listed one, independently of the search. Returns its
/// length; nullopt if there is none. Throws Error(internal) if one does not lead to the goal or a
/// listed one is not optimal.
[[nodiscard]] std::optional<int> verify(SearchResult& found, const Plan& plan, const Board& start,
                                        const Board& goal, Metric metric);

/// "heuristic pdb:7-8, tables of 549.8 MiB once per host, memory: at most 645.8 MiB in all"
[[nodiscard]] std::string plan_text(const std::string& heuristic, std::uint64_t table_bytes,
                                    std::uint64_t memory_bytes);

}  // namespace tessera
