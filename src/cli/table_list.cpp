// SPDX-License-Identifier: MIT
#include "cli/table_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "cli/command_output.hpp"
#include "cli/exit_code.hpp"
#include "tessera/base/error.hpp"
#include "tessera/base/json_object.hpp"
#include "tessera/base/text.hpp"
#include "tessera/heuristic/named_collections.hpp"
#include "tessera/heuristic/registry.hpp"
#include "tessera/pdb/table_file.hpp"
#include "tessera/pdb/table_store.hpp"
#include "tessera/report/version.hpp"

namespace tessera {
namespace {

using Json = nlohmann::ordered_json;

// The pattern in its grid, a row per word: x is a home of one of its tiles.
std::string drawn(const TableKey& key) {
  std::string text;
  if (key.kind == TableKind::automaton) {
    return fmt::format("duplicate moves, --prune fsm:{}", key.homes);
  }
  if (key.kind == TableKind::lines) {
    return key.homes == static_cast<std::uint64_t>(LineColoring::quarters) ? "colored by quarters"
                                                                           : "colored in a spiral";
  }
  for (int cell = 0; cell < key.size.cells(); ++cell) {
    if (cell > 0 && key.size.column(cell) == 0) text += ' ';
    text += (key.homes >> cell & 1) != 0 ? 'x' : '-';
  }
  return text;
}

Json cells_of(const TableKey& key) {
  if (key.kind == TableKind::automaton || key.kind == TableKind::lines) return nullptr;
  Json cells = Json::array();
  for (int cell = 0; cell < key.size.cells(); ++cell) {
    if ((key.homes >> cell & 1) != 0) cells.push_back(cell);
  }
  return cells;
}

std::vector<std::filesystem::path> table_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with('.') && name.ends_with(".pdb")) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::string table_folder(const Config& config) {
  return config.table_directory.empty() ? default_table_directory() : config.table_directory;
}

int list_tables(const Config& config) {
  CommandOutput output(config);
  output.open_files(config);
  const std::string folder = table_folder(config);
  Json tables = Json::array();
  std::string rows;
  int code = exit_answered;
  for (const std::filesystem::path& file : table_files(folder)) {
    const std::string name = file.filename().string();
    try {
      const TableFile table(file);
      const TableKey& key = table.key();
      rows += fmt::format("{:<40} {:>10.1f}  {}\n", name, mebibytes(table.payload().size()),
                          drawn(key));
      tables.push_back({{"file", name},
                        {"kind", to_string(key.kind)},
                        {"size", to_string(key.size)},
                        {"metric", to_string(key.metric)},
                        {"cells", cells_of(key)},
                        {"bytes", table.payload().size()},
                        {"error", nullptr}});
    } catch (const Error& error) {
      rows += fmt::format("{:<40} {:>10}  {}\n", name, "bad", error.what());
      tables.push_back({{"file", name},
                        {"kind", nullptr},
                        {"size", nullptr},
                        {"metric", nullptr},
                        {"cells", nullptr},
                        {"bytes", nullptr},
                        {"error", error.what()}});
      code = exit_corrupt;
    }
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
  // A path may hold any bytes.
  output.answer(text + rows);
  output.write_json(to_line(json));
  return code;
}

int list_collections(const Config& config) {
  CommandOutput output(config);
  output.open_files(config);
  std::string text = fmt::format("{:<12} {:>5} {:>10} {:>6} {:>7}  {}\n", "collection", "size",
                                 "partitions", "tables", "MiB", "sampled nodes left");
  Json collections = Json::array();
  for (const NamedCollection& collection : named_collections()) {
    const auto partitions = partitions_of(collection, 0);
    const auto requests = collection_requests(partitions, collection.size, 0);
    std::uint64_t bytes = 0;
    for (const TableRequest& request : requests) bytes += request.cost.file_bytes;
    const std::string name = "pdb:" + std::string(collection.name);
    text += fmt::format("{:<12} {:>5} {:>10} {:>6} {:>7.0f}  {:.1f} %\n", name,
                        to_string(collection.size), partitions.size(), requests.size(),
                        mebibytes(bytes), 100 * collection.node_share);
    collections.push_back({{"name", name},
                           {"size", to_string(collection.size)},
                           {"partitions", partitions.size()},
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

}  // namespace tessera
