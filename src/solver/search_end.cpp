// SPDX-License-Identifier: MIT
#include "solver/search_end.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "heuristic/registry.hpp"
#include "model/effort.hpp"
#include "puzzle/goal.hpp"
#include "search/kernels/subtree_search.hpp"
#include "solver/candidates.hpp"
#include "solver/memory.hpp"
#include "solver/tables.hpp"

namespace tessera {
namespace {

// `auto` searches from the goal if samples show that tree to have less than `turning_ratio` times
// the nodes. Samples scatter by a quarter; they are compared at the first bound with
// `turning_nodes` nodes.
constexpr double turning_ratio = 0.7;
constexpr double turning_nodes = 1e8;
constexpr double most_turn_seconds = 5;  // to open the tables for both ends, and to sample

// Whether `auto` may search from the goal: not where counts are compared with those of others, and
// only where trees are large.
bool may_turn(const SearchOptions& options, const Board& start, const Board& goal) {
  return options.search_from == SearchFrom::automatic && options.heuristic == "auto" &&
         options.engine == Engine::ida && !options.counts_all() && !options.finish_iteration &&
         !options.record && goal.size().cells() > 16 &&
         leaves_time(options, 1, most_turn_seconds) && start != goal && solvable(start, goal);
}

// Whether the tree from the goal is clearly smaller. A note says why its tables cannot be opened.
bool is_smaller_from_goal(const SearchOptions& options, const ChosenHeuristic& from_goal,
                          ChosenHeuristic& chosen) {
  const auto search_of = [&](const Board& from, const ChosenHeuristic& heuristic) {
    Problem problem{make_instance(from, heuristic.target), to_string(heuristic.spec)};
    problem.metric = options.metric;
    problem.table_directory = options.table_directory;
    return make_subtree_search(problem);
  };
  auto ahead = search_of(from_goal.target, chosen);
  std::unique_ptr<SubtreeSearch> back;
  try {
    back = search_of(chosen.target, from_goal);
  } catch (const Error& error) {
    if (chosen.note.empty()) {
      chosen.note = chosen.name + " is not used from the goal: " + error.what();
    }
    return false;
  }
  const bool is_smaller =
      size_from_other_end(*ahead, *back, options.metric, turning_nodes) < turning_ratio;
  (is_smaller ? ahead : back).reset();
  release_databases(0);  // for the other end
  return is_smaller;
}

}  // namespace

ChosenHeuristic choose_end(const SearchOptions& options, ChosenHeuristic chosen, const Board& start,
                           const Board& goal) {
  if (chosen.from_goal || !may_turn(options, start, goal)) return chosen;
  std::vector<TableRequest> tables = requests_of(chosen.spec, goal);
  if (!tables.empty()) {
    // Up to 25 cells, a board that `auto` leaves to a single partition is easy.
    const bool is_easy_size = goal.size().cells() <= 25;
    if (is_easy_size && !is_collection(partitions_of(chosen.spec), goal.size(), goal.blank())) {
      return chosen;
    }
    if (std::ranges::count(auto_names(start), chosen.name) == 0) return chosen;
  }
  ChosenHeuristic from_goal = chosen;
  from_goal.spec = resolve_heuristic(chosen.name, start, options.metric);
  from_goal.target = start;
  from_goal.from_goal = true;
  // The tables for both ends are open while samples are taken.
  for (TableRequest& table : requests_of(from_goal.spec, start)) add_once(tables, std::move(table));
  if (!fits_memory(options, total_cost(tables).file_bytes) ||
      !obstacle_to(options.table_directory, tables).empty()) {
    return chosen;
  }
  if (!is_ready(tables, options.table_directory)) {
    if (chosen.advice.empty() && chosen.name.starts_with("pdb:")) {
      chosen.advice = fmt::format(
          "{} may be far faster from the goal; building its tables for every blank takes a few "
          "minutes, once: {} --search-from goal",
          chosen.name, build_command(options, chosen.name, Goal().board(goal.size())));
    }
    return chosen;
  }
  return is_smaller_from_goal(options, from_goal, chosen) ? from_goal : chosen;
}

}  // namespace tessera
