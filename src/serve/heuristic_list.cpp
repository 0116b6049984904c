// SPDX-License-Identifier: MIT
#include "serve/heuristic_list.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "tessera/base/error.hpp"
#include "tessera/base/text.hpp"
#include "tessera/heuristic/registry.hpp"

namespace tessera {
namespace {

using Json = nlohmann::ordered_json;

// Partitions that a person may want to choose on a size.
std::vector<std::string> partitions(Size size) {
  if (size == Size{4, 4}) return {"5-5-5", "6-6-3", "7-8"};
  if (size == Size{5, 5}) return {"5-5-5-5-4", "6-6-6-6"};
  if (size.cells() < 9 || size.cells() > 36) return {};
  const int tiles = size.cells() - 1;
  const int parts = tiles <= 12 ? 2 : (tiles + 4) / 5;
  std::string partition;
  for (int i = 0; i < parts; ++i) {
    if (i > 0) partition += '-';
    partition += std::to_string((tiles + i) / parts);
  }
  return {partition};
}

// All that are offered for a size, with the registry's entries.
std::vector<std::string> offered_names(Size size, Metric metric) {
  std::vector<std::string> names{"auto"};
  for (const HeuristicInfo& info : heuristic_infos(metric)) names.emplace_back(info.name);
  if (metric == Metric::single) {
    for (const std::string& partition : partitions(size)) names.push_back("pdb:" + partition);
  }
  return names;
}

// Adds an entry to the list, unless it is not for boards of that size.
void describe(Json& list, const std::string& name, std::string_view summary, bool consistent,
              const Board& goal, Metric metric, const ServeOptions& options) {
  Json json{{"name", name}, {"summary", summary}, {"consistent", consistent}};
  try {
    const NamedHeuristic heuristic = options.choose(name, goal, metric);
    std::uint64_t bytes = 0;
    std::uint64_t missing_entries = 0;
    bool ready = true;
    for (const TableRequest& table : tables_of(heuristic, goal, options)) {
      bytes += table.cost.file_bytes;
      if (is_cached(options.table_directory, table)) continue;
      ready = false;
      missing_entries += table.cost.entries;
    }
    if (name == "auto") json["stands_for"] = heuristic.name;
    json["bytes"] = bytes;
    json["ready"] = ready;
    json["seconds_to_make"] = static_cast<double>(missing_entries) * build_seconds_per_entry;
  } catch (const Error&) {
    return;
  }
  list.push_back(std::move(json));
}

}  // namespace

void expect_offered(const std::string& name, Size size, Metric metric) {
  const std::vector<std::string> names = offered_names(size, metric);
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  std::string expected = "expected one of";
  for (const std::string& known : names) expected += " " + known;
  const bool composed = name.starts_with("pdb:") || name.starts_with("max(");
  const std::string nearest = composed ? "" : nearest_name(name, names);
  bad_input("heuristic " + quote(name) + " is not offered for " + to_string(size) + " boards, " +
            (nearest.empty() ? expected : "did you mean " + nearest + "?"));
}

std::vector<TableRequest> tables_of(const NamedHeuristic& heuristic, const Board& goal,
                                    const ServeOptions& options) {
  std::vector<TableRequest> tables =
      table_requests(parse_heuristic(heuristic.spec), goal.size(), goal.blank());
  for (const TableRequest& table : tables) {
    if (table.cost.build_bytes > options.limits.build_bytes &&
        !is_cached(options.table_directory, table)) {
      bad_input("heuristic " + heuristic.name + " needs " +
                std::to_string(table.cost.build_bytes >> 20) + " MiB to build a table, at most " +
                std::to_string(options.limits.build_bytes >> 20) +
                " MiB are allowed here; tessera pdb build has no such limit");
    }
  }
  return tables;
}

std::string heuristic_list(const Board& goal, Metric metric, const ServeOptions& options) {
  Json list = Json::array();
  const auto add = [&](const std::string& name, std::string_view summary, bool consistent) {
    describe(list, name, summary, consistent, goal, metric, options);
  };
  add("auto", "the strongest that is ready, or made in a moment", false);
  for (const HeuristicInfo& info : heuristic_infos(metric)) {
    add(std::string(info.name), info.summary, info.consistent);
  }
  if (metric == Metric::single) {
    for (const std::string& partition : partitions(goal.size())) {
      add("pdb:" + partition, "additive pattern databases, with their mirror image", false);
    }
  }
  return list.dump();
}

}  // namespace tessera
