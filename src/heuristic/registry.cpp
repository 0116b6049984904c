// SPDX-License-Identifier: MIT
#include "heuristic/registry.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "heuristic/maximum.hpp"
#include "heuristic/named_collections.hpp"
#include "heuristic/own_heuristic.hpp"

namespace tessera {
namespace {

template <class... H>
std::vector<HeuristicInfo> infos(std::type_identity<std::tuple<H...>>) {
  return {H::info...};
}

template <class... H>
constexpr bool all_heuristics(std::type_identity<std::tuple<H...>>) {
  return (Heuristic<H> && ...);
}
static_assert(all_heuristics(std::type_identity<Heuristics>{}));

[[noreturn]] void unknown(std::string_view text, Metric metric) {
  std::vector<std::string> names{"auto"};
  for (const HeuristicInfo& info : heuristic_infos(metric)) names.emplace_back(info.name);
  if (metric == Metric::single) names.insert(names.end(), {"pdb:7-8", "max(A,B)"});
  std::string expected = "one of";
  for (const std::string& name : names) expected += " " + name;
  const bool composed = text.starts_with("pdb:") || text.starts_with("max(");
  const auto others = heuristic_infos(other(metric));
  if (std::ranges::find(others, text, &HeuristicInfo::name) != others.end() ||
      (metric == Metric::multi && (composed || own_heuristic(text) != nullptr))) {
    bad_input("heuristic " + std::string(text) + " is for --metric " +
              std::string(to_string(other(metric))) + ", expected " + expected);
  }
  if (text.starts_with("max(")) {
    bad_input("heuristic " + quote(text) + " does not end with ), expected max(A,B,...)");
  }
  const bool is_partition = metric == Metric::single && text.find('-') != text.npos &&
                            text.find_first_not_of("0123456789-") == text.npos;
  if (is_partition) {
    bad_input("heuristic " + quote(text) + " is unknown, did you mean pdb:" + std::string(text) +
              "?");
  }
  bad_input("heuristic " + unknown_name(text, names, expected));
}

std::vector<std::string> collection_names(Size size) {
  std::vector<std::string> names;
  for (const NamedCollection& collection : named_collections()) {
    if (is_for(collection, size)) names.emplace_back(collection.name);
  }
  return names;
}

// Each is resolved inside the others.
void expect_few_maxima(std::string_view text) {
  std::size_t maxima = 0;
  for (auto at = text.find("max("); at != text.npos; at = text.find("max(", at + 1)) ++maxima;
  if (maxima <= Maximum::most_parts) return;
  bad_input("heuristic of " + std::to_string(maxima) + " max(...), expected at most " +
            std::to_string(Maximum::most_parts));
}

// Of metric multi, where max_cells is the only limit.
void expect_few_cells(const HeuristicInfo& info, Size size) {
  if (size.cells() <= info.max_cells) return;
  bad_input("heuristic " + std::string(info.name) + " is for at most " +
            std::to_string(info.max_cells) + " cells, the board has " +
            std::to_string(size.cells()) + ", expected " + std::string(best_multi_heuristic(size)));
}

}  // namespace

std::vector<HeuristicInfo> heuristic_infos(Metric metric) {
  return metric == Metric::multi ? infos(std::type_identity<MultiHeuristics>{})
                                 : infos(std::type_identity<Heuristics>{});
}

HeuristicSpec resolve_heuristic(std::string_view text, const Board& goal, Metric metric) {
  const bool single = metric == Metric::single;
  if (single && text.starts_with("max(") && text.ends_with(")")) {
    expect_few_maxima(text);
    HeuristicSpec spec;
    for (const std::string& part : split_list(text.substr(4, text.size() - 5))) {
      if (part == "auto") {
        bad_input("heuristic auto stands alone, expected named heuristics in " + quote(text));
      }
      const HeuristicSpec resolved = resolve_heuristic(part, goal);
      spec.parts.insert(spec.parts.end(), resolved.parts.begin(), resolved.parts.end());
    }
    if (!is_table_heuristic(spec)) Maximum::require(spec);
    return spec;
  }
  if (single && text.starts_with("pdb:")) {
    if (const NamedCollection* named = find_collection(text.substr(4), goal.size())) {
      HeuristicSpec spec;
      for (const Partition& partition : partitions_of(*named, goal.size(), goal.blank())) {
        spec.parts.push_back({"", partition});
      }
      return spec;
    }
    return {{{"", parse_partition(std::string(text.substr(4)), goal.size(), goal.tiles(),
                                  collection_names(goal.size()))}}};
  }
  expect_known_heuristic(text, metric);
  for (const HeuristicInfo& info : heuristic_infos(metric)) {
    if (info.name == text && !single) expect_few_cells(info, goal.size());
  }
  with_any_heuristic(text, [&]<class H>(std::type_identity<H>) {
    if constexpr (requires { H::require(goal.size()); }) H::require(goal.size());
  });
  return {{{std::string(text)}}};
}

bool is_known_heuristic(std::string_view text, Metric metric) {
  const auto infos = heuristic_infos(metric);
  const bool is_listed = std::ranges::find(infos, text, &HeuristicInfo::name) != infos.end();
  const bool is_composed =
      text.starts_with("pdb:") || (text.starts_with("max(") && text.ends_with(")"));
  return is_listed || (metric == Metric::single && (is_composed || own_heuristic(text)));
}

void expect_known_heuristic(std::string_view text, Metric metric) {
  if (!is_known_heuristic(text, metric)) unknown(text, metric);
}

std::vector<TableRequest> table_requests(const HeuristicSpec& spec, Size size, int goal_blank) {
  const std::vector<Partition> partitions = partitions_of(spec);
  std::vector<TableRequest> requests;
  if (!is_table_heuristic(spec)) {  // each part looks up its own
    for (const Partition& partition : partitions) {
      for (auto& table : additive_requests({partition}, size, goal_blank)) {
        add_once(requests, std::move(table));
      }
    }
  } else if (is_collection(partitions, size, goal_blank)) {
    requests = collection_requests(partitions, size, goal_blank);
  } else {
    requests = additive_requests(partitions, size, goal_blank);
  }
  for (const auto& [name, partition] : spec.parts) {
    with_any_heuristic(name, [&]<class H>(std::type_identity<H>) {
      if constexpr (requires { H::tables(size, goal_blank); }) {
        for (auto& table : H::tables(size, goal_blank)) add_once(requests, std::move(table));
      }
    });
  }
  return requests;
}

}  // namespace tessera
