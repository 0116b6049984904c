// SPDX-License-Identifier: MIT
#include "heuristic/heuristic_spec.hpp"

#include <algorithm>
#include <charconv>
#include <tuple>

#include "base/error.hpp"
#include "base/shared_cache.hpp"
#include "base/text.hpp"
#include "pdb/table_store.hpp"

namespace tessera {
namespace {

// The databases of specs, by size, home of the blank, spec and folder.
template <class Databases>
auto& known_databases() {
  static SharedCache<std::tuple<Size, int, std::string, std::string>, Databases> known(8);
  return known;
}

template <class Databases>
std::shared_ptr<const Databases> shared(const Instance& instance, const HeuristicSpec& spec,
                                        const std::string& table_directory) {
  const auto make = [&] {
    return std::make_shared<const Databases>(instance, partitions_of(spec), table_directory);
  };
  return known_databases<Databases>().get(
      {instance.size(), instance.goal_blank, to_string(spec), table_directory}, make,
      &Databases::is_unchanged);
}

std::string to_string(const HeuristicSpec::Part& part) {
  if (!part.is_partition()) return part.name;
  std::string text = "pdb:";
  for (const CellSet pattern : part.partition) {
    if (text.back() != ':') text += '-';
    text += hexadecimal(pattern);
  }
  return text;
}

HeuristicSpec::Part parse_part(std::string_view text) {
  if (!text.starts_with("pdb:")) return {std::string(text)};
  HeuristicSpec::Part part;
  for (const std::string& digits : split_list(text.substr(4), '-')) {
    CellSet cells = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), cells, 16);
    if (error != std::errc() || end != digits.data() + digits.size()) {
      internal_failure("heuristic " + quote(text) + " is malformed");
    }
    part.partition.push_back(cells);
  }
  return part;
}

}  // namespace

std::string to_string(const HeuristicSpec& spec) {
  if (spec.parts.size() == 1) return to_string(spec.parts[0]);
  std::string text = "max(";
  for (const HeuristicSpec::Part& part : spec.parts) {
    if (text.back() != '(') text += ',';
    text += to_string(part);
  }
  return text + ")";
}

HeuristicSpec parse_heuristic(std::string_view text) {
  if (!text.starts_with("max(") || !text.ends_with(")")) return {{parse_part(text)}};
  HeuristicSpec spec;
  for (const std::string& part : split_list(text.substr(4, text.size() - 5))) {
    spec.parts.push_back(parse_part(part));
  }
  return spec;
}

std::vector<Partition> partitions_of(const HeuristicSpec& spec) {
  std::vector<Partition> partitions;
  for (const HeuristicSpec::Part& part : spec.parts) {
    if (part.is_partition()) partitions.push_back(part.partition);
  }
  return partitions;
}

bool is_table_heuristic(const HeuristicSpec& spec) {
  const auto known = [](const HeuristicSpec::Part& part) {
    return part.is_partition() || part.name == Walking::info.name ||
           part.name == Escapes::info.name || part.name == Manhattan::info.name;
  };
  return std::ranges::any_of(spec.parts, &HeuristicSpec::Part::is_partition) &&
         std::ranges::all_of(spec.parts, known);
}

TableHeuristic::TableHeuristic(const Instance& instance, const HeuristicSpec& spec,
                               const std::string& table_directory) {
  if (is_collection(partitions_of(spec), instance.size(), instance.goal_blank)) {
    collection_ = shared<Collection>(instance, spec, table_directory);
  } else {
    additive_ = shared<Additive>(instance, spec, table_directory);
  }
  const auto has = [&](std::string_view name) {
    return std::ranges::find(spec.parts, name, &HeuristicSpec::Part::name) != spec.parts.end();
  };
  if (has(Escapes::info.name)) walking_ = std::make_shared<Escapes>(instance, table_directory);
  else if (has(Walking::info.name)) walking_ = std::make_shared<Walking>(instance, table_directory);
}

int TableHeuristic::evaluate(const Board& labels) const {
  const int h = collection_ ? collection_->evaluate(labels) : additive_->evaluate(labels);
  return walking_ ? std::max(h, walking_->evaluate(labels)) : h;
}

void release_databases(std::uint64_t most_bytes) {
  const auto each = [](const auto&) { return 1; };
  known_databases<Additive>().release(0, each);
  known_databases<Collection>().release(0, each);
  release_walking_tables();
  release_tables(most_bytes);
}

}  // namespace tessera
