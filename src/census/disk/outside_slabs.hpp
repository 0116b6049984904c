// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "census/levels/crossings.hpp"
#include "census/state_layout.hpp"

namespace tessera {

/// A plane of a slab outside a batch.
struct OutsideSlab {
  Layer* layer = nullptr;
  int plane = 0;
  std::uint64_t slab = 0;
};

/// The planes of slabs in `from`, outside a batch, that the crossings of a pass need for it,
/// without duplicates. Those that are empty according to the layers' masks are omitted; so every
/// rank lists the same for any rank, in the same order.
[[nodiscard]] inline std::vector<OutsideSlab> outside_slabs(const StateLayout& layout,
                                                            const std::vector<Crossing>& crossings,
                                                            SlabRange batch, SlabRange from) {
  std::vector<std::pair<std::size_t, std::uint64_t>> found;  // with the first crossing of the plane
  for (const Crossing& crossing : crossings) {
    const auto same = std::ranges::find_if(crossings, [&](const Crossing& other) {
      return other.source == crossing.source && other.plane == crossing.plane;
    });
    const auto first = static_cast<std::size_t>(same - crossings.begin());
    each_crossing_block(layout, crossing, batch, from,
                        [&](std::uint64_t, const StateLayout::Block& source) {
                          if (!batch.contains(source.slab)) found.emplace_back(first, source.slab);
                        });
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::vector<OutsideSlab> slabs;
  for (const auto& [index, slab] : found) {
    slabs.push_back({crossings[index].source, crossings[index].plane, slab});
  }
  return slabs;
}

/// The most outside slabs that metric single or multi can need for a batch of `batch_slabs` slabs
/// if none were empty.
[[nodiscard]] inline std::uint64_t most_outside_slabs(const StateLayout& layout, bool single,
                                                      std::uint64_t batch_slabs) {
  std::uint64_t outside = 0;
  for (const Window& window : layout.windows()) {
    // By the blank's color, only one direction between two cells can start in a given level.
    if (!window.leaves_slab || (single && window.up)) continue;
    // If all slabs that share the other digits are in one batch, none is outside.
    if (batch_slabs % (window.groups * window.below) == 0) continue;
    outside += std::min(batch_slabs * window.blocks, layout.slabs());
  }
  return outside;
}

}  // namespace tessera
