// SPDX-License-Identifier: MIT
#include "solver/heuristic_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "heuristic/pairwise.hpp"
#include "heuristic/registry.hpp"
#include "model/effort.hpp"
#include "puzzle/goal.hpp"
#include "solver/candidates.hpp"
#include "solver/memory.hpp"
#include "solver/tables.hpp"

namespace tessera {
namespace {

// A board is easy up to this value of estimate_proof, of which a tenth is usually expanded: mapping
// and copying a collection's tables takes a second or two, which pays off only with more nodes.
constexpr double easy_proof_nodes = 3e8;
constexpr std::size_t batch_boards = 50;
// A board is deep from this Manhattan distance: Korf's fifty have at most 89, the deepest known 112
// and more. There, walking distance is larger than any collection (docs/decisions/0029).
constexpr int deep_manhattan = 100;

// Whether tables with that many entries are worth building without being asked: large ones on 4x4
// only for many boards, which take a tenth of a second each anyway; other sizes gain far more.
bool is_quick(std::uint64_t entries, Size size, std::size_t boards) {
  if (size != Size{4, 4}) return entries <= 120'000'000;  // three seconds on one thread
  return entries <= (boards >= batch_boards ? 20'000'000 : 2'000'000);
}

// A heuristic that `auto` may choose, and its tables.
struct Option {
  Option(const SearchOptions& options, std::string heuristic, const Board& goal)
      : name(std::move(heuristic)),
        spec(resolve_heuristic(name, goal, options.metric)),
        tables(requests_of(spec, goal)),
        missing(missing_of(tables, options.table_directory)),
        bytes(total_cost(tables).file_bytes) {}

  std::string name;
  HeuristicSpec spec;
  std::vector<TableRequest> tables;
  std::vector<TableRequest> missing;  // those of them that are yet to be built
  std::uint64_t bytes;                // of all tables
};

// `chosen` with that heuristic, its advice and note kept.
ChosenHeuristic with_option(ChosenHeuristic chosen, const Option& option) {
  chosen.name = option.name;
  chosen.spec = option.spec;
  return chosen;
}

std::string cost_text(const Option& option) {
  return fmt::format("once takes up to {:.0f} s on two cores and {} MiB of disk",
                     std::max(1.0, build_seconds(option.missing)), (option.bytes >> 20) + 1);
}

// Whether the tables of `partition_of_easy_boards` exist and solve the board sooner than a
// collection.
bool is_easy(const SearchOptions& options, const Board& start, const Board& goal) {
  if (options.engine != Engine::ida || options.counts_all()) return false;
  if (!solvable(start, goal)) return true;
  const HeuristicSpec spec = resolve_heuristic(partition_of_easy_boards, goal);
  if (!is_ready(requests_of(spec, goal), options.table_directory)) return false;
  Problem problem{make_instance(start, goal), to_string(spec)};
  problem.table_directory = options.table_directory;
  return estimate_proof(problem) <= easy_proof_nodes;
}

bool is_deep(const Board& start, const Board& goal) {
  const Instance instance = make_instance(start, goal);
  return Manhattan(instance).evaluate(instance.start) >= deep_manhattan;
}

// A deep board's collection: with a form of walking distance if its table exists, else with a hint
// at the first that could be used once it is built.
ChosenHeuristic deepened(const SearchOptions& options, const Board& goal, ChosenHeuristic chosen) {
  std::string advice;
  for (const char* const deep : deep_heuristics) {
    const Option option(options, deep_maximum(chosen.name, deep), goal);
    if (!fits_memory(options, option.bytes) ||
        !obstacle_to(options.table_directory, option.tables).empty()) {
      continue;
    }
    if (option.missing.empty()) return with_option(chosen, option);
    if (!advice.empty()) continue;
    advice = fmt::format(
        "{} is faster for deep boards such as this; building its table once takes less than a "
        "minute and {} MiB of disk: {}",
        option.name, (total_cost(option.missing).file_bytes >> 20) + 1,
        build_command(options, deep, goal));
  }
  if (!advice.empty()) chosen.advice = std::move(advice);
  return chosen;
}

// With the bucket kernel Manhattan distance is fastest up to 16 cells; larger boards have no such
// kernel, and linear conflict prunes more. Few boards beyond 25 cells are solved optimally: pairs
// give higher bounds there in the same time (docs/large-boards.md).
const char* without_tables(Size size) {
  if (size.cells() <= 16) return "manhattan";
  const bool has_pairs = std::max(size.width, size.height) <= Pairwise::longest_side;
  return size.cells() > 25 && has_pairs ? "pairwise" : "linear-conflict";
}

// Whether a partition in it is a picture in a file.
bool names_file(std::string spec) {
  const std::string pdb = "pdb:";
  std::ranges::replace_if(
      spec, [](char c) { return c == '(' || c == ')'; }, ',');
  return std::ranges::any_of(split_list(spec), [&](const std::string& part) {
    std::error_code none;
    return part.starts_with(pdb) && std::filesystem::is_regular_file(part.substr(pdb.size()), none);
  });
}

ChosenHeuristic choose(const SearchOptions& options, const Board& goal, std::size_t boards,
                       const Board* start) {
  ChosenHeuristic chosen;
  for (const Candidate& candidate : candidates_for(goal)) {
    const Option option(options, candidate.name, goal);
    if (!fits_memory(options, option.bytes)) continue;
    const bool may_build = is_quick(total_cost(option.missing).entries, goal.size(), boards) &&
                           leaves_time(options, boards, build_seconds(options, option.missing));
    if (!option.missing.empty() && !may_build) {
      if (!chosen.advice.empty() || candidate.is_collection) continue;
      chosen.advice = fmt::format(
          "{} is faster for hard boards; building it {}{}: {}", option.name, cost_text(option),
          goal.size().cells() > 16 ? ", and the first search stores an automaton for --prune" : "",
          build_command(options, option.name, goal));
      continue;
    }
    const std::string obstacle = obstacle_to(options.table_directory, option.tables);
    if (!obstacle.empty()) {
      if (chosen.note.empty()) chosen.note = option.name + " is not used: " + obstacle;
      continue;
    }
    // Many boards share the cost of setting up a collection.
    if (candidate.is_collection && start != nullptr && boards < batch_boards &&
        is_easy(options, *start, goal)) {
      continue;
    }
    const bool deep = candidate.is_collection && start != nullptr &&
                      options.engine == Engine::ida && is_deep(*start, goal);
    chosen = with_option(std::move(chosen), option);
    return deep ? deepened(options, goal, std::move(chosen)) : chosen;
  }
  chosen.name = without_tables(goal.size());
  chosen.spec = parse_heuristic(chosen.name);
  return chosen;
}

// Metric multi. Tables are built without being asked if that takes less than half a minute on two
// cores; without them, `runs` solves easy boards.
ChosenHeuristic choose_multi(const SearchOptions& options, const Board& goal, std::size_t boards) {
  constexpr double most_seconds = 27;
  const std::string best{best_multi_heuristic(goal.size())};
  const std::string runs{Runs::info.name};
  ChosenHeuristic chosen{runs, parse_heuristic(runs), ""};
  if (best == runs) return chosen;
  std::vector<std::string> names{best};
  if (goal.size().cells() <= Halves::info.max_cells) names.emplace_back(Halves::info.name);
  for (const std::string& name : names) {
    const Option option(options, name, goal);
    const bool may_build = build_seconds(option.missing) <= most_seconds &&
                           leaves_time(options, boards, build_seconds(options, option.missing));
    std::string obstacle;
    if (!fits_memory(options, option.bytes)) {
      obstacle = fmt::format(
          "its tables of {} take more than half of the memory allowed, or leave too little to the "
          "threads",
          bytes_text(option.bytes));
    } else if (option.missing.empty() || may_build) {
      obstacle = obstacle_to(options.table_directory, option.tables);
      if (obstacle.empty()) return with_option(std::move(chosen), option);
    } else if (name == best) {
      chosen.advice =
          fmt::format("{} is faster for all but easy boards; building its tables {}: {}", name,
                      cost_text(option), build_command(options, name, goal));
    }
    if (!obstacle.empty() && chosen.note.empty()) chosen.note = name + " is not used: " + obstacle;
  }
  return chosen;
}

// For searches that end at `goal`.
ChosenHeuristic choose_towards(const SearchOptions& options, const Board& goal, std::size_t boards,
                               const Board* start) {
  if (options.heuristic == "auto") {
    return options.metric == Metric::single ? choose(options, goal, boards, start)
                                            : choose_multi(options, goal, boards);
  }
  const std::string& name = options.heuristic;
  const HeuristicSpec spec = resolve_heuristic(name, goal, options.metric);
  // A file may change or be elsewhere: its sets are the heuristic.
  return {names_file(name) ? to_string(spec) : name, spec, ""};
}

}  // namespace

ChosenHeuristic choose_heuristic(const SearchOptions& options, const Board& goal,
                                 std::size_t boards, const Board* start) {
  const bool from_goal = start != nullptr && options.search_from == SearchFrom::goal;
  const Board& target = from_goal ? *start : goal;
  ChosenHeuristic chosen = choose_towards(options, target, boards, from_goal ? &goal : start);
  chosen.target = target;
  chosen.from_goal = from_goal;
  return chosen;
}

}  // namespace tessera
