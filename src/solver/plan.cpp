// SPDX-License-Identifier: MIT
#include "solver/plan.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "puzzle/move_sequence.hpp"
#include "search/kernels/subtree_search.hpp"
#include "search/pruning/automaton_cost.hpp"
#include "search/tree/search_costs.hpp"
#include "solver/memory.hpp"
#include "solver/search_end.hpp"
#include "solver/tables.hpp"

namespace tessera {

bool prunes_freely(const SearchOptions& options) {
  return !options.prune && options.engine == Engine::ida && options.metric == Metric::single &&
         !options.counts_all() && !options.finish_iteration;
}

PruneRule prune_of(const SearchOptions& options, const Board& goal, std::size_t boards,
                   const HeuristicSpec& heuristic) {
  if (options.prune) return *options.prune;
  if (!prunes_freely(options)) return PruneRule::parent;
  const Size size = goal.size();
  const PruneRule fastest = fastest_pruning(size, heuristic);
  const auto automaton = Pruning::stored_as(fastest, size);
  if (!automaton) return fastest;
  const std::uint64_t room = automaton_room(options, table_bytes(heuristic, goal));
  const auto suits = [&](PruneRule rule, const AutomatonCost& cost) {
    if (cost.build_bytes > room) return false;
    if (is_stored(rule, size, options.table_directory)) return true;
    const auto tables = missing_of(requests_of(heuristic, goal), options.table_directory);
    // Tables that are named are built whatever they take.
    return leaves_time(options, boards, build_seconds(options, tables) + cost.build_seconds) ||
           leaves_time(options, boards, 10 * cost.build_seconds);
  };
  return deepest_automaton(size, static_cast<int>(automaton->homes), suits);
}

Plan make_plan(const SearchOptions& options, const Board& goal, std::size_t boards,
               const Board* start) {
  ChosenHeuristic heuristic = choose_heuristic(options, goal, boards, start);
  if (start != nullptr && boards == 1) {
    heuristic = choose_end(options, std::move(heuristic), *start, goal);
  }
  return plan_with(options, boards, std::move(heuristic));
}

Plan plan_with(const SearchOptions& options, std::size_t boards, ChosenHeuristic heuristic) {
  Plan plan;
  plan.heuristic = std::move(heuristic);
  const Board& target = plan.heuristic.target;
  const HeuristicSpec& spec = plan.heuristic.spec;
  plan.table_bytes = table_bytes(spec, target);
  plan.prune = prune_of(options, target, boards, spec);
  if (options.prune) expect_automaton_room(options, target.size(), plan.table_bytes);
  return plan;
}

Plan plan_alone(const SearchOptions& options, Plan plan, const Board& start, const Board& goal) {
  plan.heuristic = choose_end(options, std::move(plan.heuristic), start, goal);
  const Board& target = plan.heuristic.target;
  plan.table_bytes = table_bytes(plan.heuristic.spec, target);
  if (options.prune) expect_automaton_room(options, target.size(), plan.table_bytes);
  return plan;
}

void expect_searchable(const SearchOptions& options, const Plan& plan, const Board& start,
                       const Board& goal) {
  if (start == goal || !solvable(start, goal)) return;
  if (options.metric == Metric::single) {
    expect_kernel(options.kernel, goal.size(), plan.heuristic.spec, plan.prune);
  }
  if (requests_beam(options)) expect_beam(options.metric, goal.size());
}

std::string table_names(const Plan& plan) {
  // Tiles are renumbered by where they belong, so that only the blank's place counts.
  const Board& target = plan.heuristic.target;
  return fmt::format("{} {} {} {}", to_string(plan.heuristic.spec), to_string(plan.prune),
                     to_string(target.size()), target.blank());
}

Problem problem_of(const SearchOptions& options, const Plan& plan, const Board& start,
                   const Board& goal) {
  const bool from_goal = plan.heuristic.from_goal;
  // expect_searchable allows any kernel for a solved board.
  Kernel kernel = start == goal ? Kernel::automatic : options.kernel;
  // Only node by node: other kernels visit the last iteration in another order.
  if (options.node_limit > 0 && kernel == Kernel::automatic) kernel = Kernel::plain;
  return {.instance = from_goal ? make_instance(goal, start) : make_instance(start, goal),
          .heuristic = to_string(plan.heuristic.spec),
          .kernel = kernel,
          .prune = plan.prune,
          .metric = options.metric,
          .table_directory = options.table_directory,
          .emulation = options.emulation};
}

std::optional<int> verify(SearchResult& found, const Plan& plan, const Board& start,
                          const Board& goal, Metric metric) {
  if (!found.solution) return {};
  if (plan.heuristic.from_goal) *found.solution = undone(*found.solution);
  const auto length = replayed_length(start, goal, *found.solution, metric);
  if (!length) {
    internal_failure("the solution found of " + to_string(start) + " does not lead to the goal");
  }
  if (!found.list) return length;
  for (const std::string& listed : found.list->solutions) {
    if (replayed_length(start, goal, listed, metric) != length) {
      internal_failure("a listed solution of " + to_string(start) + " is not optimal");
    }
  }
  return length;
}

std::string plan_text(const std::string& heuristic, std::uint64_t table_bytes,
                      std::uint64_t memory_bytes) {
  const std::string tables =
      table_bytes == 0 ? "no table"
                       : fmt::format("tables of {:.1f} MiB once per host", mebibytes(table_bytes));
  return fmt::format("heuristic {}, {}, memory: at most {:.1f} MiB in all", heuristic, tables,
                     mebibytes(memory_bytes));
}

IdaStarOptions ida_star_options(const SearchOptions& options) {
  return {.finish_iteration = options.finish_iteration,
          .all = options.counts_all(),
          .listed = options.listed(),
          .independent = options.independent,
          .every_depth = options.engine == Engine::iddfs || options.engine == Engine::iddfs_pruned,
          .schedule = options.schedule,
          .frontier = options.frontier,
          .split_depth = options.split_depth,
          .trace = options.trace.has_value()};
}

}  // namespace tessera
