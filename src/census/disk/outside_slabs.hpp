// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "census/levels/crossings.hpp"
#include "tessera/census/state_layout.hpp"

namespace tessera {

/// A plane of a slab outside a batch.
struct OutsideSlab {
  Layer* layer = nullptr;
  int plane = 0;
  std::uint64_t slab = 0;
};

/// The planes of slabs in `from`, outside a batch, that the crossings of a pass need for it, each
/// once. Empty ones, by the layers' masks, are left out; so any rank lists any rank's, in the same
/// order.
[[nodiscard]] std::vector<OutsideSlab> outside_slabs(const StateLayout& layout,
                                                     const std::vector<Crossing>& crossings,
                                                     SlabRange batch, SlabRange from);

/// The most of them that metric single or multi can need for a batch of so many slabs, were none
/// empty.
[[nodiscard]] std::uint64_t most_outside_slabs(const StateLayout& layout, bool single,
                                               std::uint64_t batch_slabs);

}  // namespace tessera
