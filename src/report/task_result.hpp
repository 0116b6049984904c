// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "puzzle/goal.hpp"
#include "report/board_result.hpp"
#include "report/cpu_use.hpp"
#include "report/run_identity.hpp"
#include "search/backend.hpp"
#include "solver/plan.hpp"

namespace tessera {

struct GameAnalysis;

/// A row of schema tessera.analysis/1: what was found of a game that begins with that board.
[[nodiscard]] nlohmann::ordered_json row_of(const BoardTask& game, const std::string& moves,
                                            Metric metric, const GameAnalysis& found,
                                            const std::string& heuristic, double seconds);

/// Of a board whose search was stopped.
[[nodiscard]] inline Status status_of(Stop why) {
  return why == Stop::interrupted ? Status::interrupted : Status::limit;
}

[[nodiscard]] inline BoardFacts facts_of(const SearchOptions& options, const BoardTask& task,
                                         const Plan& plan) {
  return {task.id,
          task.board,
          task.goal_name,
          options.metric,
          plan.heuristic.name,
          plan.heuristic.from_goal,
          solvable(task.board, task.goal)};
}

/// A board's result before any search.
[[nodiscard]] inline BoardResult result_before_search(const SearchOptions& options,
                                                      const BoardTask& task, const Plan& plan) {
  BoardResult result;
  static_cast<BoardFacts&>(result) = facts_of(options, task, plan);
  if (cuts_trees(options.engine)) result.prune = to_string(plan.prune);
  if (!result.solvable) result.status = Status::unsolvable;
  return result;
}

/// The result of a search, verified. Throws Error(internal) if a solution is wrong.
[[nodiscard]] inline BoardResult result_of_search(const SearchOptions& options,
                                                  const BoardTask& task, const Plan& plan,
                                                  SearchResult found,
                                                  std::optional<Origin> origin) {
  BoardResult result = result_before_search(options, task, plan);
  static_cast<SearchResult&>(result) = std::move(found);
  result.stores_boards = stores_boards(options.engine);
  result.origin = std::move(origin);
  result.status = result.stop ? status_of(*result.stop) : Status::solved;
  if (options.counts_all() && result.solution && !result.stop)
    result.solutions = result.solution_count;
  result.lists_solutions = options.listed().value_or(0) > 0;
  result.counts_first_moves = options.good_moves;
  result.lower_bound = result.bound;
  result.length = with_error_prefix("board " + task.id + ": ", [&] {
    return verify(result, plan, task.board, task.goal, options.metric);
  });
  return result;
}

/// Of the thread that solved a board alone.
[[nodiscard]] inline CpuUse cpu_use_of(const BoardOutcome& outcome) {
  return {.search_seconds = outcome.wall_seconds, .cpu_seconds = outcome.cpu_seconds};
}

/// Where the row of a board comes from that one thread solved.
[[nodiscard]] inline Origin origin_of(const RunIdentity& run, const BoardOutcome& outcome) {
  const Stopwatch::Clock::time_point end(outcome.end);
  const std::chrono::duration<double> wall(outcome.wall_seconds);
  Origin origin =
      origin_of(run, 1, end - std::chrono::duration_cast<Stopwatch::Clock::duration>(wall), end);
  origin.cpu_share = cpu_use_of(outcome).share();
  return origin;
}

}  // namespace tessera
