// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "heuristic/additive.hpp"
#include "heuristic/collection.hpp"
#include "heuristic/walking.hpp"

namespace tessera {

/// A resolved heuristic: the maximum of its parts, usually just one. Its text form, which is sent
/// to workers, is complete:
///
///     manhattan     pdb:fe-ff00     max(walking,pdb:67-1b98-...)
///
/// Patterns are bit sets of their tiles' home cells, in hexadecimal.
struct HeuristicSpec {
  /// A heuristic of the registry, or a partition into patterns.
  struct Part {
    std::string name;          ///< in the registry; empty for a partition
    Partition partition = {};  ///< empty for a name

    [[nodiscard]] bool is_partition() const { return !partition.empty(); }
    bool operator==(const Part&) const = default;
  };
  std::vector<Part> parts;  ///< at least one

  bool operator==(const HeuristicSpec&) const = default;
};

[[nodiscard]] std::string to_string(const HeuristicSpec& spec);

/// Parses the text form of a spec. Throws Error(internal) if it is invalid.
[[nodiscard]] HeuristicSpec parse_heuristic(std::string_view text);

/// The partitions in a spec.
[[nodiscard]] std::vector<Partition> partitions_of(const HeuristicSpec& spec);

/// The tables that a spec needs on boards of that size and goal, without duplicates (registry.cpp).
[[nodiscard]] std::vector<TableRequest> table_requests(const HeuristicSpec& spec, Size size,
                                                       int goal_blank);

/// Whether the block kernel supports it: partitions, alone or with walking and Manhattan distance.
[[nodiscard]] bool is_table_heuristic(const HeuristicSpec& spec);

/// Such a heuristic, ready for lookups: the maximum of partitions and, optionally, walking
/// distance. One partition and its mirror image use plain tables; more form a collection, with
/// zero-aware tables. A cheap handle; equal specs share their databases within a process.
class TableHeuristic {
 public:
  TableHeuristic(const Instance& instance, const HeuristicSpec& spec,
                 const std::string& table_directory);

  [[nodiscard]] int evaluate(const Board& labels) const;
  /// Null if the tables are plain.
  [[nodiscard]] const Collection* collection() const { return collection_.get(); }
  /// The plain tables; only if there is no collection.
  [[nodiscard]] const Additive& additive() const { return *additive_; }
  [[nodiscard]] const Manhattan& manhattan() const {
    return collection_ ? collection_->manhattan() : additive_->manhattan();
  }
  [[nodiscard]] bool walks() const { return walking_ != nullptr; }
  [[nodiscard]] const Walking& walking() const { return *walking_; }

 private:
  std::shared_ptr<const Additive> additive_;      // exactly one of
  std::shared_ptr<const Collection> collection_;  // these two is set
  std::shared_ptr<const Walking> walking_;        // null without it
};

/// A heuristic for an instance: composed ones take a spec, the others the folder with their tables.
template <class H>
H make_heuristic(const Instance& instance, const HeuristicSpec& spec,
                 const std::string& table_directory) {
  if constexpr (std::constructible_from<H, const Instance&, const HeuristicSpec&,
                                        const std::string&>) {
    return H(instance, spec, table_directory);
  } else if constexpr (std::constructible_from<H, const Instance&, const std::string&>) {
    return H(instance, table_directory);
  } else {
    return H(instance);
  }
}

/// Closes pattern databases that no TableHeuristic uses, then tables as release_tables() does.
void release_databases(std::uint64_t most_bytes);

}  // namespace tessera
