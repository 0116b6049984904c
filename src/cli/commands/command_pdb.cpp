// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/json_object.hpp"
#include "base/text.hpp"
#include "cli/commands/build_tables.hpp"
#include "cli/commands/command_output.hpp"
#include "cli/commands/table_text.hpp"
#include "cli/process/context.hpp"
#include "heuristic/named_collections.hpp"
#include "heuristic/registry.hpp"
#include "pdb/table.hpp"
#include "pdb/table_store.hpp"
#include "puzzle/goal.hpp"
#include "report/version.hpp"
#include "solver/tables.hpp"

namespace tessera {
namespace {

using Json = nlohmann::ordered_json;

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
