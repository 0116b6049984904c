// SPDX-License-Identifier: MIT
#include "solver/tables.hpp"

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "base/file.hpp"
#include "heuristic/registry.hpp"
#include "puzzle/goal.hpp"
#include "search/pruning/automaton_cost.hpp"
#include "search/pruning/pruning.hpp"
#include "solver/candidates.hpp"

namespace tessera {
namespace {

std::set<TableKey> keys_of(const std::string& heuristic, const Board& goal, Metric metric) {
  std::set<TableKey> keys;
  for (const TableRequest& request :
       requests_of(resolve_heuristic(heuristic, goal, metric), goal)) {
    keys.insert(request.key);
  }
  return keys;
}

}  // namespace

std::vector<TableRequest> requests_of(const HeuristicSpec& spec, const Board& goal) {
  return table_requests(spec, goal.size(), goal.blank());
}

std::vector<TableRequest> requests_of(const Plan& plan) {
  std::vector<TableRequest> tables = requests_of(plan.heuristic);
  const Size size = plan.heuristic.target.size();
  if (const auto automaton = Pruning::stored_as(plan.prune, size)) {
    const std::uint64_t bytes = automaton_cost(size, plan.prune).build_bytes;
    tables.push_back({*automaton, {.build_bytes = bytes}, {}});
  }
  return tables;
}

std::vector<std::filesystem::path> table_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    const std::string name = entry.path().filename().string();
    const bool is_table = !name.starts_with('.') && name.ends_with(".pdb");
    if (is_table && entry.is_regular_file(none)) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

bool is_ready(const std::vector<TableRequest>& requests, const std::string& directory) {
  try {
    return std::ranges::all_of(
        requests, [&](const TableRequest& request) { return is_cached(directory, request); });
  } catch (const Error&) {  // no folder is known
    return false;
  }
}

bool is_stored(PruneRule rule, Size size, const std::string& directory) {
  const auto key = Pruning::stored_as(rule, size);
  return key && is_ready({TableRequest{*key, {}, {}}}, directory);
}

std::vector<TableRequest> missing_of(std::vector<TableRequest> requests,
                                     const std::string& directory) {
  std::erase_if(requests, [&](const TableRequest& table) { return is_ready({table}, directory); });
  return requests;
}

std::string obstacle_to(const std::string& directory, const std::vector<TableRequest>& tables) {
  try {
    expect_usable(table_folder(directory), tables);
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

TableCost total_cost(const std::vector<TableRequest>& requests) {
  TableCost total;
  for (const TableRequest& request : requests) {
    total.entries += request.cost.entries;
    total.file_bytes += request.cost.file_bytes;
  }
  return total;
}

double build_seconds(const SearchOptions& options, const std::vector<TableRequest>& requests) {
  return build_seconds(requests) * (local_threads(options) == 1 ? 2 : 1);
}

bool leaves_time(const SearchOptions& options, std::size_t boards, double seconds) {
  const double of_boards = Seconds(options.board_time_limit).count() * static_cast<double>(boards);
  return (!options.time_limit || 2 * seconds <= Seconds(*options.time_limit).count()) &&
         (of_boards == 0 || 2 * seconds <= of_boards);
}

std::uint64_t table_bytes(const HeuristicSpec& spec, const Board& goal) {
  return total_cost(requests_of(spec, goal)).file_bytes;
}

std::uint64_t missing_table_bytes(const std::string& directory, const ChosenHeuristic& heuristic) {
  return total_cost(missing_of(requests_of(heuristic), directory)).file_bytes;
}

void expect_table_room(const std::string& directory, const ChosenHeuristic& heuristic) {
  const std::uint64_t missing = missing_table_bytes(directory, heuristic);
  if (missing > 0) expect_room(table_folder(directory), missing);
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
