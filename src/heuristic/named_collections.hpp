// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "pdb/pattern.hpp"

namespace tessera {

/// A set of partitions with the name `pdb:NAME`. Each is looked up with its mirror image, if the
/// board has one.
struct NamedCollection {
  std::string_view name;
  Size size;  ///< or that transposed
  /// Of its partitions, as drawn_partition takes them: for goals with the blank in a corner, or, if
  /// they have no dot, in any cell.
  std::span<const std::string_view> pictures;
  double node_share;  ///< fraction left of the sampled nodes of plain 6-6-6-6 (6-6-6-6-5 on 6x5)
  std::span<const std::string_view> elsewhere = {};  ///< for goals with the blank elsewhere
};

[[nodiscard]] std::span<const NamedCollection> named_collections();

/// Whether it is for boards of that size.
[[nodiscard]] bool is_for(const NamedCollection& collection, Size size);

/// Its partitions on boards of that size for goals whose blank ends in that cell. Throws
/// Error(input) if it has none.
[[nodiscard]] std::vector<Partition> partitions_of(const NamedCollection& collection, Size size,
                                                   int goal_blank);

/// The collection of that name, if there is one. Throws Error(input) if it is for other sizes.
[[nodiscard]] const NamedCollection* find_collection(std::string_view name, Size size);

}  // namespace tessera
