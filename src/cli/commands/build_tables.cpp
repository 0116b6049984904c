// SPDX-License-Identifier: MIT
#include "cli/commands/build_tables.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "cli/commands/command_output.hpp"
#include "cli/commands/table_text.hpp"
#include "cli/process/crew.hpp"
#include "heuristic/registry.hpp"
#include "pdb/table_store.hpp"
#include "puzzle/goal.hpp"
#include "report/progress.hpp"
#include "solver/board_solver.hpp"
#include "solver/tables.hpp"

namespace tessera {
namespace {

void expect_build_options(const Config& config) {
  const bool is_multi = config.metric == Metric::multi;
  // Metric multi has no patterns: its tables are line tables.
  if (!config.partition && !is_multi) {
    bad_input("pdb build: --partition is missing, expected sizes such as 7-8 or a name");
  }
  if (config.partition && is_multi) {
    bad_input("pdb build: --partition: not with --metric multi, leave it out");
  }
  if (!config.size) bad_input("pdb build: --size is missing, expected WxH such as 4x4");
  if (config.search_from != SearchFrom::goal) return;
  if (config.goal) bad_input("--goal: not with --search-from goal");
  std::error_code no_path;
  if (config.partition && (config.partition->starts_with('{') ||
                           std::filesystem::is_regular_file(*config.partition, no_path))) {
    bad_input("--search-from goal: not with sets of tiles, which lie elsewhere on each board");
  }
}

// Where the tables' searches end. A search from the goal ends at a board, with its blank anywhere.
std::vector<Board> targets_of(const Config& config) {
  const Size size = *config.size;
  if (config.search_from != SearchFrom::goal) {
    return {(config.goal ? parse_goal(*config.goal, size) : Goal()).board(size)};
  }
  std::vector<Board> targets;
  for (int blank = 0; blank < size.cells(); ++blank) targets.push_back(ordered_board(size, blank));
  return targets;
}

std::string heuristic_name(const Config& config) {
  if (config.metric == Metric::multi) return std::string(best_multi_heuristic(*config.size));
  const std::string& partition = *config.partition;
  const bool is_name = partition == Walking::info.name || partition == Escapes::info.name;
  return is_name ? partition : "pdb:" + partition;
}

}  // namespace

int build_tables(const Config& config, Context& context) {
  expect_build_options(config);
  const std::string name = heuristic_name(config);
  std::vector<TableRequest> requests;
  std::vector<Plan> plans;
  for (const Board& target : targets_of(config)) {
    const HeuristicSpec spec = resolve_heuristic(name, target, config.metric);
    plans.push_back(plan_with(config, 1, {name, spec, "", "", target}));
    for (TableRequest& request : requests_of(plans.back())) add_once(requests, std::move(request));
  }
  const std::filesystem::path folder = table_folder(config.table_directory);
  const auto missing = total_cost(missing_of(requests, config.table_directory)).file_bytes;
  if (missing > 0) expect_room(folder, missing);
  context.stop_on_signals();
  Crew crew = make_crew(config, context);
  BoardSolver solver(config, crew.workers, *crew.backend);
  CommandOutput output(config);
  if (requests.empty()) {
    output.remark(
        fmt::format("no tables: heuristic {} needs none on {}\n", name, to_string(*config.size)));
    return exit_answered;
  }
  std::vector<bool> was_there;
  for (const TableRequest& request : requests) {
    was_there.push_back(exists(folder / file_name(request.key)));
  }

  ProgressObserver observer(output.errors(), config.shown_progress());
  const Stopwatch watch;
  const Limits limits{.interrupted = &context.interrupted};
  for (const Plan& plan : plans) {
    if (prepare_tables(solver, plan, limits, observer)) continue;
    output.complain("stopped by a signal; no unfinished table is kept");
    return exit_stopped;
  }
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const TableRequest& table = requests[i];
    const std::filesystem::path path = folder / file_name(table.key);
    // A search works without the automaton's file if it cannot be written.
    if (!exists(path)) out_of_resources(path.string() + ": cannot be written");
    const std::string holds = table.key.kind == TableKind::automaton
                                  ? table_text(table.key)
                                  : std::to_string(table.cost.entries) + " entries";
    output.answer(fmt::format("{} {}: {}, {:.1f} MiB\n", was_there[i] ? "exists" : "built",
                              path.string(), holds, mebibytes(file_size(path))));
  }
  output.remark(
      fmt::format("{} in {:.2f} s\n", counted(requests.size(), "table"), watch.seconds()));
  return exit_answered;
}

}  // namespace tessera
