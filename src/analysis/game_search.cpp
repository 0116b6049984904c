// SPDX-License-Identifier: MIT
#include "analysis/game_search.hpp"

#include <algorithm>
#include <chrono>

namespace tessera {

Limits equal_part(const Limits& limits, std::size_t parts) {
  if (!limits.deadline) return limits;
  const auto left = *limits.deadline - std::chrono::steady_clock::now();
  return limits.for_board(
      std::max(left / static_cast<std::int64_t>(parts), std::chrono::nanoseconds(1)));
}

Limits part_for_easy_boards(const Limits& limits, std::size_t boards) {
  constexpr std::chrono::milliseconds enough(50);
  constexpr std::size_t most = 32;
  if (!limits.deadline) return limits;
  const auto left = *limits.deadline - std::chrono::steady_clock::now();
  const auto parts = static_cast<std::size_t>(std::max<std::int64_t>(left / enough, 0));
  return equal_part(limits, std::clamp(parts, (boards + most - 1) / most, boards));
}

GameAnalysis GameSearch::analyse(const Plan& plan, const Board& start, const Board& goal,
                                 std::string_view moves, const GameProgress& reached) {
  return analyse_game(
      start, goal, moves, options_.metric,
      [&](const Board& board, const std::string& known) {
        return distance(plan, board, goal, known);
      },
      [&](std::size_t move, const Bracket& bracket) {
        if (boards_left_ > 1) --boards_left_;
        if (reached) reached(move, bracket);
      });
}

Distance GameSearch::distance(const Plan& plan, const Board& board, const Board& goal,
                              const std::string& known) {
  if (limits_.is_interrupted() || is_overdue()) return {{.lower = 1, .upper = {}}, ""};
  const Problem problem = problem_of(options_, plan, board, goal);
  IdaStarOptions ida = ida_star_options(options_);
  const bool takes_known = options_.metric == Metric::single && cuts_trees(options_.engine);
  if (!known.empty() && takes_known) ida.saved.beams.push_back({.width = 1, .moves = known});
  const Limits limits =
      part_for_easy_boards(limits_, boards_left_).for_board(options_.board_time_limit);
  const SearchResult found = solver_.search(problem, plan.table_bytes, limits, observer_, ida);
  Distance distance{{found.bound, {}}, found.solution.value_or("")};
  if (!found.solution) return distance;
  distance.bracket.upper = solution_length(*found.solution, options_.metric);
  if (found.optimal) distance.bracket.lower = *distance.bracket.upper;
  return distance;
}

// After the time limit, each search still gives the heuristic's bound, in half a millisecond. Of a
// game of many thousand moves, the rest only gets what follows from their neighbors.
bool GameSearch::is_overdue() const {
  constexpr std::chrono::seconds most(1);
  return limits_.deadline && std::chrono::steady_clock::now() > *limits_.deadline + most;
}

}  // namespace tessera
