// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tessera {

/// One step of the blank, the same for every node of a chunk.
struct BucketStep {
  int shift = 0;               ///< of the cell whose tile slides: 4 * cell
  int rotation = 0;            ///< left rotation that takes that cell to the blank's, 0 .. 63
  std::uint64_t receding = 0;  ///< bit l: the tile with label l moves away from home
};

/// Words that an expander may write past the last child, or read past the last node.
inline constexpr std::size_t bucket_padding = 8;

/// Applies one step to `count` boards. Appends children whose tile moves closer to its home to
/// `same`, the others to `lower`, which is null if they exceed the bound. Returns the number of
/// children in `same`; the rest are in `lower`.
using BucketExpander = std::size_t (*)(const std::uint64_t* words, std::size_t count,
                                       const BucketStep& step, std::uint64_t* same,
                                       std::uint64_t* lower);

struct NamedExpander {
  std::string_view name;
  BucketExpander expand;
};

/// The expanders that this CPU can run, the fastest first; the last is the portable one, which is
/// the reference for the others.
[[nodiscard]] std::vector<NamedExpander> bucket_expanders();

}  // namespace tessera
