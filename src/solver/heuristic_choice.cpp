// SPDX-License-Identifier: MIT
#include "solver/heuristic_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "base/error.hpp"
#include "base/text.hpp"
#include "heuristic/pairwise.hpp"
#include "heuristic/registry.hpp"
#include "model/effort.hpp"
#include "puzzle/goal.hpp"
#include "search/kernels/subtree_search.hpp"
#include "solver/memory.hpp"
#include "solver/tables.hpp"

namespace tessera {
namespace {

// What `auto` may choose for a size, the fastest first.
struct Candidate {
  std::string name;
  bool is_collection = false;  // used if its tables exist, but not advised
};
// Faster than a collection on easy boards.
constexpr const char* partition_of_easy_boards = "pdb:6-6-6-6";
// A board is easy up to this value of estimate_proof, of which a tenth is usually expanded: mapping
// and copying a collection's tables takes a second or two, which pays off only with more nodes.
constexpr double easy_proof_nodes = 3e8;
constexpr std::size_t batch_boards = 50;
// A board is deep from this Manhattan distance: Korf's fifty have at most 89, the deepest known 112
// and more. There, walking distance is larger than any collection (docs/decisions/0029).
constexpr int deep_manhattan = 100;
// `auto` searches from the goal if samples show that tree to have less than `turning_ratio` times
// the nodes. Samples scatter by a quarter; they are compared at the first bound with
// `turning_nodes` nodes.
constexpr double turning_ratio = 0.7;
constexpr double turning_nodes = 1e8;
constexpr double most_turn_seconds = 5;  // to open the tables for both ends, and to sample
constexpr std::array deep_heuristics{"escapes", "walking"};  // the stronger one first

// Goals that all named collections support.
bool is_corner(const Board& goal) {
  const Size size = goal.size();
  const int column = size.column(goal.blank());
  const int row = size.row(goal.blank());
  return (column == 0 || column == size.width - 1) && (row == 0 || row == size.height - 1);
}

// pdb:6-6-2 on 15 cells.
std::string equal_patterns(Size size, int tiles) {
  const int all = size.cells() - 1;
  std::string name = fmt::format("pdb:{}", std::min(tiles, all));
  for (int left = all - tiles; left > 0; left -= tiles) {
    name += fmt::format("-{}", std::min(tiles, left));
  }
  return name;
}

std::vector<Candidate> candidates_for(const Board& goal) {
  const Size size = goal.size();
  if (size == Size{4, 4}) return {{"pdb:7-8"}, {"pdb:6-6-3"}, {"pdb:5-5-5"}};
  // Larger collections expand fewer nodes but take longer (docs/decisions/0019).
  if (size == Size{5, 5}) {
    if (!is_corner(goal)) return {{"pdb:medium", true}, {partition_of_easy_boards}};
    return {{"pdb:medium", true}, {"pdb:small", true}, {partition_of_easy_boards}};
  }
  if (size == Size{6, 5} || size == Size{5, 6}) {
    return {{"pdb:small"}};
  }
  // Smaller boards are easy. Larger ones with tables that are built this quickly are not solved.
  const bool has_tables = size.cells() <= 24 && std::max(size.width, size.height) <= 8;
  if (size.cells() < 12 || !has_tables) return {};
  return {{equal_patterns(size, 6)}, {equal_patterns(size, 5)}};
}

// Whether tables with that many entries are worth building without being asked: large ones on 4x4
// only for many boards, which take a tenth of a second each anyway; other sizes gain far more.
bool is_quick(std::uint64_t entries, Size size, std::size_t boards) {
  if (size != Size{4, 4}) return entries <= 120'000'000;  // three seconds on one thread
  return entries <= (boards >= batch_boards ? 20'000'000 : 2'000'000);
}

std::set<TableKey> keys_of(const std::string& heuristic, const Board& goal, Metric metric) {
  std::set<TableKey> keys;
  for (const TableRequest& request :
       requests_of(resolve_heuristic(heuristic, goal, metric), goal)) {
    keys.insert(request.key);
  }
  return keys;
}

// Why tables cannot be opened, or built if they are missing; empty if nothing is in the way.
std::string obstacle_to(const std::string& directory, const std::vector<TableRequest>& requests) {
  try {
    expect_usable(table_folder(directory), requests);
    return {};
  } catch (const Error& error) {
    return error.what();
  }
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

std::string maximum(const std::string& collection, const char* deep) {
  return fmt::format("max({},{})", collection, deep);
}

// The heuristics with tables that `auto` may choose for this goal.
std::vector<std::string> auto_names(const Board& goal) {
  std::vector<std::string> names;
  for (const Candidate& candidate : candidates_for(goal)) {
    names.push_back(candidate.name);
    if (!candidate.is_collection) continue;
    for (const char* const deep : deep_heuristics) names.push_back(maximum(candidate.name, deep));
  }
  return names;
}

// A deep board's collection: with a form of walking distance if its table exists, else with a hint
// at the first that could be used once it is built.
ChosenHeuristic deepened(const SearchOptions& options, const Board& goal, ChosenHeuristic chosen) {
  std::string advice;
  for (const char* const deep : deep_heuristics) {
    const std::string name = maximum(chosen.name, deep);
    const HeuristicSpec spec = resolve_heuristic(name, goal);
    const std::vector<TableRequest> requests = requests_of(spec, goal);
    if (!fits_memory(options, total_cost(requests).file_bytes) ||
        !obstacle_to(options.table_directory, requests).empty()) {
      continue;
    }
    if (is_ready(requests, options.table_directory)) {
      return {name, spec, chosen.advice, chosen.note};
    }
    if (!advice.empty()) continue;
    const auto bytes = total_cost(missing_of(requests, options.table_directory)).file_bytes;
    advice = fmt::format(
        "{} is faster for deep boards such as this; building its table once takes less than a "
        "minute and {} MiB of disk: {}",
        name, (bytes >> 20) + 1, build_command(options, deep, goal));
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
    const HeuristicSpec spec = resolve_heuristic(candidate.name, goal);
    const std::vector<TableRequest> requests = requests_of(spec, goal);
    const TableCost cost = total_cost(requests);
    if (!fits_memory(options, cost.file_bytes)) continue;
    const std::vector<TableRequest> missing = missing_of(requests, options.table_directory);
    const double seconds = build_seconds(missing);
    if (missing.empty() || (is_quick(total_cost(missing).entries, goal.size(), boards) &&
                            leaves_time(options, boards, build_seconds(options, missing)))) {
      const std::string obstacle = obstacle_to(options.table_directory, requests);
      if (!obstacle.empty()) {
        if (chosen.note.empty()) chosen.note = candidate.name + " is not used: " + obstacle;
        continue;
      }
      // Many boards share the cost of setting up a collection.
      if (candidate.is_collection && start != nullptr && boards < batch_boards &&
          is_easy(options, *start, goal)) {
        continue;
      }
      ChosenHeuristic found{candidate.name, spec, chosen.advice, chosen.note};
      const bool deep = candidate.is_collection && start != nullptr &&
                        options.engine == Engine::ida && is_deep(*start, goal);
      return deep ? deepened(options, goal, std::move(found)) : found;
    }
    if (chosen.advice.empty() && !candidate.is_collection) {
      chosen.advice = fmt::format(
          "{} is faster for hard boards; building it once takes up to {:.0f} s on two cores and {} "
          "MiB of disk{}: {}",
          candidate.name, std::max(1.0, seconds), (cost.file_bytes >> 20) + 1,
          goal.size().cells() > 16 ? ", and the first search stores an automaton for --prune" : "",
          build_command(options, candidate.name, goal));
    }
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
    const HeuristicSpec spec = resolve_heuristic(name, goal, options.metric);
    const std::vector<TableRequest> requests = requests_of(spec, goal);
    const TableCost cost = total_cost(requests);
    const std::vector<TableRequest> missing = missing_of(requests, options.table_directory);
    const double seconds = build_seconds(missing);
    const bool may_build =
        seconds <= most_seconds && leaves_time(options, boards, build_seconds(options, missing));
    std::string obstacle;
    if (!fits_memory(options, cost.file_bytes)) {
      obstacle = fmt::format(
          "its tables of {} take more than half of the memory allowed, or leave too little to the "
          "threads",
          bytes_text(cost.file_bytes));
    } else if (missing.empty() || may_build) {
      obstacle = obstacle_to(options.table_directory, requests);
      if (obstacle.empty()) return {name, spec, chosen.advice, chosen.note};
    } else if (name == best) {
      chosen.advice = fmt::format(
          "{} is faster for all but easy boards; building its tables once takes up to {:.0f} s on "
          "two cores and {} MiB of disk: {}",
          name, std::max(1.0, seconds), (cost.file_bytes >> 20) + 1,
          build_command(options, name, goal));
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

ChosenHeuristic choose_heuristic(const SearchOptions& options, const Board& goal,
                                 std::size_t boards, const Board* start) {
  const bool from_goal = start != nullptr && options.search_from == SearchFrom::goal;
  const Board& target = from_goal ? *start : goal;
  ChosenHeuristic chosen = choose_towards(options, target, boards, from_goal ? &goal : start);
  chosen.target = target;
  chosen.from_goal = from_goal;
  return chosen;
}

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

std::string heuristic_name(const HeuristicSpec& spec, const Board& goal) {
  for (const std::string& name : auto_names(goal)) {
    if (resolve_heuristic(name, goal) == spec) return name;
  }
  return to_string(spec);
}

std::vector<std::string> offered_partitions(const Board& goal) {
  std::vector<std::string> names;
  for (const Candidate& candidate : candidates_for(goal)) names.push_back(candidate.name);
  const int cells = goal.size().cells();
  // Beyond 25 cells those of `auto` take long to build.
  if ((names.empty() || cells > 25) && cells >= 9 && cells <= 36) {
    names.push_back(equal_patterns(goal.size(), cells < 12 ? cells / 2 : 5));
  }
  return names;
}

std::string build_command(const SearchOptions& options, const std::string& heuristic,
                          const Board& goal) {
  const std::string pdb = "pdb:";
  const bool is_partition = heuristic.starts_with(pdb);
  const bool multi = heuristic == best_multi_heuristic(goal.size()) && heuristic != Runs::info.name;
  if (!is_partition && !multi &&
      std::ranges::find(deep_heuristics, heuristic) == deep_heuristics.end()) {
    return "";
  }
  // Sets of tiles and names of files may contain characters that mean something to a shell.
  const auto quoted = [](const std::string& word) {
    return word.find_first_of("{ ") == std::string::npos ? word : "'" + word + "'";
  };
  std::string command = "tessera pdb build --size " + to_string(goal.size());
  command +=
      multi ? " --metric multi"
            : " --partition " + quoted(is_partition ? heuristic.substr(pdb.size()) : heuristic);
  // Goals with the blank in a corner share the tables of most partitions.
  const Board usual = Goal().board(goal.size());
  const Metric metric = multi ? Metric::multi : Metric::single;
  if (keys_of(heuristic, goal, metric) != keys_of(heuristic, usual, metric)) {
    command += " --goal " + quoted(goal_name(goal));
  }
  if (!options.table_directory.empty()) command += " --pdb-dir " + quoted(options.table_directory);
  return command;
}

}  // namespace tessera
