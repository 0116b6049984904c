// SPDX-License-Identifier: MIT
#include "tessera/heuristic/heuristic_spec.hpp"

#include <algorithm>
#include <charconv>
#include <tuple>

#include "tessera/base/error.hpp"
#include "tessera/base/shared_cache.hpp"
#include "tessera/base/text.hpp"
#include "tessera/pdb/table_store.hpp"

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
  return known_databases<Databases>().get(
      {instance.size(), instance.goal_blank, to_string(spec), table_directory}, [&] {
        return std::make_shared<const Databases>(instance, partitions_of(spec), table_directory);
      });
}

bool is(const HeuristicSpec& spec, std::string_view name) {
  return spec.name == name;
}

}  // namespace

std::string to_string(const HeuristicSpec& spec) {
  if (is(spec, "pdb")) {
    std::string text = "pdb:";
    for (const CellSet pattern : spec.partition) {
      if (text.back() != ':') text += '-';
      text += hexadecimal(pattern);
    }
    return text;
  }
  if (is(spec, "max")) {
    std::string text = "max(";
    for (const HeuristicSpec& part : spec.parts) {
      if (text.back() != '(') text += ',';
      text += to_string(part);
    }
    return text + ")";
  }
  return spec.name;
}

HeuristicSpec parse_heuristic(std::string_view text) {
  if (text.starts_with("max(") && text.ends_with(")")) {
    HeuristicSpec spec{"max", {}, {}};
    for (const std::string& part : split_list(text.substr(4, text.size() - 5))) {
      spec.parts.push_back(parse_heuristic(part));
    }
    return spec;
  }
  if (!text.starts_with("pdb:")) return {std::string(text), {}, {}};
  HeuristicSpec spec{"pdb", {}, {}};
  for (const std::string& digits : split_list(text.substr(4), '-')) {
    CellSet cells = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), cells, 16);
    if (error != std::errc() || end != digits.data() + digits.size()) {
      throw Error(ErrorKind::internal, "heuristic " + quote(text) + " is malformed");
    }
    spec.partition.push_back(cells);
  }
  return spec;
}

std::vector<Partition> partitions_of(const HeuristicSpec& spec) {
  if (is(spec, "pdb")) return {spec.partition};
  std::vector<Partition> partitions;
  for (const HeuristicSpec& part : spec.parts) {
    if (is(part, "pdb")) partitions.push_back(part.partition);
  }
  return partitions;
}

bool is_table_heuristic(const HeuristicSpec& spec) {
  if (is(spec, "pdb")) return true;
  const auto known = [](const HeuristicSpec& part) {
    return is(part, "pdb") || is(part, Walking::info.name) || is(part, Manhattan::info.name);
  };
  return is(spec, "max") && !partitions_of(spec).empty() &&
         std::all_of(spec.parts.begin(), spec.parts.end(), known);
}

TableHeuristic::TableHeuristic(const Instance& instance, const HeuristicSpec& spec,
                               const std::string& table_directory) {
  if (is_collection(partitions_of(spec), instance.size(), instance.goal_blank)) {
    collection_ = shared<Collection>(instance, spec, table_directory);
  } else {
    additive_ = shared<Additive>(instance, spec, table_directory);
  }
  for (const HeuristicSpec& part : spec.parts) {
    if (is(part, Walking::info.name)) walking_.emplace(instance);
  }
}

int TableHeuristic::evaluate(const Board& labels) const {
  const int h = collection_ ? collection_->evaluate(labels) : additive_->evaluate(labels);
  return walking_ ? std::max(h, walking_->evaluate(labels)) : h;
}

void release_databases(std::uint64_t most_bytes) {
  const auto each = [](const auto&) { return 1; };
  known_databases<Additive>().release(0, each);
  known_databases<Collection>().release(0, each);
  release_tables(most_bytes);
}

}  // namespace tessera
