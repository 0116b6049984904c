// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/json_object.hpp"
#include "base/text.hpp"
#include "cli/commands/command_output.hpp"
#include "cli/process/context.hpp"
#include "cli/process/crew.hpp"
#include "heuristic/named_collections.hpp"
#include "heuristic/registry.hpp"
#include "pdb/line_colors.hpp"
#include "pdb/table.hpp"
#include "pdb/table_store.hpp"
#include "puzzle/goal.hpp"
#include "report/progress.hpp"
#include "report/version.hpp"
#include "solver/board_solver.hpp"
#include "solver/tables.hpp"

namespace tessera {
namespace {

using Json = nlohmann::ordered_json;

// What a table holds. A pattern is drawn in its grid, one row per word: x is the home of one of its
// tiles.
std::string table_text(const TableKey& key) {
  std::string text;
  if (key.kind == TableKind::automaton) {
    return fmt::format("duplicate moves, --prune fsm:{}", key.homes);
  }
  if (key.kind == TableKind::lines) {
    // By LineColoring.
    constexpr std::array names{"?", "quarters", "a spiral", "blocks on the left",
                               "blocks on the right"};
    constexpr std::array orders{"rows", "columns", "diagonals", "falling diagonals"};
    // A file may claim any number.
    const auto coloring = static_cast<LineColoring>(std::min<std::uint64_t>(key.homes, 255));
    if (const auto shape = two_color_shape(coloring, key.size)) {
      return fmt::format("two colors by {}, {}{} of {} tiles",
                         orders[static_cast<std::size_t>(shape->order)],
                         shape->last ? "the last " : "", shape->tiles, key.size.cells() - 1);
    }
    return std::string("colored in ") + names[key.homes < names.size() ? key.homes : 0];
  }
  if (key.kind == TableKind::walking || key.kind == TableKind::escapes) {
    const char* const what = key.kind == TableKind::walking ? "walking distance" : "escapes";
    return fmt::format("{}, {} lines of {}", what, key.size.height, key.size.width);
  }
  for (int cell = 0; cell < key.size.cells(); ++cell) {
    if (cell > 0 && key.size.column(cell) == 0) text += ' ';
    text += (key.homes >> cell & 1) != 0 ? 'x' : '-';
  }
  return text;
}

Json cells_of(const TableKey& key) {
  if (key.homes == 0 || key.kind == TableKind::automaton || key.kind == TableKind::lines) {
    return nullptr;
  }
  Json cells = Json::array();
  for (int cell = 0; cell < key.size.cells(); ++cell) {
    if ((key.homes >> cell & 1) != 0) cells.push_back(cell);
  }
  return cells;
}

// Throws Error(corrupt) if it is damaged or has the name of another table.
Table named_table(const std::filesystem::path& path) {
  Table table(path);
  const std::string name = file_name(table.key());
  if (path.filename().string() != name) {
    bad_file(path.string() + ": holds the table " + name + ", expected that name");
  }
  return table;
}

int verify(const Config& config) {
  if (config.words.size() < 2) bad_input("pdb verify: no file, expected FILE...");
  CommandOutput output(config);
  int code = exit_answered;
  for (std::size_t i = 1; i < config.words.size(); ++i) {
    const std::filesystem::path path = config.words[i];
    try {
      (void)named_table(path);
      output.answer(path.string() + ": good\n");
    } catch (const Error& error) {
      output.complain(error.what());
      code = std::max<int>(code, exit_code(error.kind()));
    }
  }
  return code;
}

// The tables in the folder, as text and as JSON (tessera.tables/1). Returns exit_corrupt if one of
// them is damaged.
int list_tables(const Config& config) {
  CommandOutput output(config);
  const std::string folder = table_folder(config.table_directory);
  std::error_code none;
  if (std::filesystem::exists(folder, none) && !std::filesystem::is_directory(folder, none)) {
    bad_input("--pdb-dir: " + folder + " is not a folder");
  }
  Json tables = Json::array();
  std::string rows;
  int code = exit_answered;
  for (const std::filesystem::path& file : table_files(folder)) {
    const std::string name = file.filename().string();
    Json entry{{"file", name}};
    for (const char* key : {"kind", "size", "metric", "cells", "bytes", "error"}) {
      entry[key] = nullptr;
    }
    try {
      const Table table = named_table(file);
      const TableKey& key = table.key();
      rows += fmt::format("{:<40} {:>10.1f}  {}\n", name, mebibytes(table.payload().size()),
                          table_text(key));
      entry["kind"] = to_string(key.kind);
      entry["size"] = to_string(key.size);
      entry["metric"] = to_string(key.metric);
      entry["cells"] = cells_of(key);
      entry["bytes"] = table.payload().size();
    } catch (const Error& error) {
      rows += fmt::format("{:<40} {:>10}\n", name, "bad");
      output.complain(error.what());
      entry["error"] = error.what();
      code = exit_corrupt;
    }
    tables.push_back(std::move(entry));
  }
  std::string text;
  if (rows.empty()) {
    text = "no table in " + folder + "\n";
  } else if (!config.quiet) {
    text = fmt::format("{:<40} {:>10}  {}\n", "table in " + folder, "MiB", "tiles");
  }
  const Json json{{"schema", "tessera.tables/1"},
                  {"folder", folder},
                  {"tables", std::move(tables)},
                  {"version", version()}};
  // A path may contain any bytes.
  output.answer(text + rows);
  output.write_json(to_line(json));
  return code;
}

// The named collections of each size (docs/decisions/0019), as text and as JSON
// (tessera.collections/1).
int list_collections(const Config& config) {
  CommandOutput output(config);
  std::string text = fmt::format("{:<12} {:>5} {:>10} {:>6} {:>7}  {}\n", "collection", "size",
                                 "partitions", "tables", "MiB", "sampled nodes left");
  Json collections = Json::array();
  for (const NamedCollection& collection : named_collections()) {
    const std::string name = "pdb:" + std::string(collection.name);
    const Board goal = Goal().board(collection.size);
    const HeuristicSpec spec = resolve_heuristic(name, goal);
    const auto requests = requests_of(spec, goal);
    const std::uint64_t bytes = total_cost(requests).file_bytes;
    text += fmt::format("{:<12} {:>5} {:>10} {:>6} {:>7.0f}  {:.1f} %\n", name,
                        to_string(collection.size), spec.parts.size(), requests.size(),
                        mebibytes(bytes), 100 * collection.node_share);
    collections.push_back({{"name", name},
                           {"size", to_string(collection.size)},
                           {"partitions", spec.parts.size()},
                           {"tables", requests.size()},
                           {"bytes", bytes},
                           {"node_share", collection.node_share}});
  }
  const Json json{{"schema", "tessera.collections/1"},
                  {"collections", std::move(collections)},
                  {"version", version()}};
  output.answer(text);
  output.write_json(json.dump());
  return exit_answered;
}

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

// Builds the tables of --partition that are not there and names all of them.
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

}  // namespace

int command_pdb(const Config& config, Context& context) {
  const std::string action = config.words.empty() ? "" : config.words[0];
  if ((action == "build" || action == "list") && config.words.size() > 1) {
    bad_input("pdb " + action + ": " + quote(config.words[1]) + " is not expected" +
              (action == "build" ? ", write such as --size 4x4 --partition 7-8" : ""));
  }
  if (config.json && action != "list") bad_input("--json is for pdb list");
  if (config.collections && action != "list") bad_input("--collections is for pdb list");
  if (action == "build") return build_tables(config, context);
  if (action.empty()) bad_input("pdb: no action, expected build, list or verify");
  if (action != "list" && action != "verify") {
    bad_input("pdb: " + unknown_name(action, std::vector<std::string>{"build", "list", "verify"}));
  }
  for (const auto& [option, given] : {std::pair{"--partition", config.partition.has_value()},
                                      {"--size", config.size.has_value()},
                                      {"--goal", config.goal.has_value()}}) {
    if (given) bad_input(std::string(option) + " is for pdb build");
  }
  if (action == "verify") return verify(config);
  return config.collections ? list_collections(config) : list_tables(config);
}

}  // namespace tessera
