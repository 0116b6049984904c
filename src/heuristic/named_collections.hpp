// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "pdb/pattern.hpp"

namespace tessera {

/// A set of partitions with the name `pdb:NAME`. Each is looked up with its mirror image.
struct NamedCollection {
  std::string_view name;
  Size size;
  std::size_t partitions;  ///< the length of the prefix of the size's list
  double node_share;       ///< fraction of plain 6-6-6-6's sampled nodes left by these
};

[[nodiscard]] std::span<const NamedCollection> named_collections();

/// Its partitions, for a goal whose blank is in a corner. Throws Error(input) for other goals.
[[nodiscard]] std::vector<Partition> partitions_of(const NamedCollection& collection,
                                                   int goal_blank);

/// The collection of that name, if there is one. Throws Error(input) if it is for another size.
[[nodiscard]] const NamedCollection* find_collection(std::string_view name, Size size);

}  // namespace tessera
