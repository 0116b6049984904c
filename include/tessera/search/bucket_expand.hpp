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
  std::uint64_t receding = 0;  ///< bit l: the tile of label l goes away from home
};

/// Words that an expander may write beyond the last child, or read beyond the last node.
inline constexpr std::size_t bucket_padding = 8;

/// Applies one step to `count` boards. Children whose tile comes nearer home are appended at
/// `same`, the others at `lower`, which is null where they exceed the bound. Returns how many went
/// to `same`; the rest went to `lower`.
using BucketExpander = std::size_t (*)(const std::uint64_t* words, std::size_t count,
                                       const BucketStep& step, std::uint64_t* same,
                                       std::uint64_t* lower);

struct NamedExpander {
  std::string_view name;
  BucketExpander expand;
};

/// The expanders that this CPU can run, the fastest first; the last is the portable one, which is
/// the oracle for the others.
[[nodiscard]] std::vector<NamedExpander> bucket_expanders();

}  // namespace tessera
