// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "tessera/census/exchange.hpp"

namespace tessera {

/// How disk mode cuts the slabs of a rank: at every so many slabs, whichever ranks hold
/// them, so that most of what moves split stays within a batch. The first and the last batch of a
/// rank may be parts.
struct BatchGrid {
  SlabRange range;
  std::uint64_t batch_slabs = 1;

  [[nodiscard]] std::size_t batches() const {
    if (range.count == 0) return 0;
    return batch_of(range.first + range.count - 1) + 1;
  }
  [[nodiscard]] SlabRange batch(std::size_t index) const {
    const std::uint64_t cut = (range.first / batch_slabs + index) * batch_slabs;
    const std::uint64_t first = std::max(cut, range.first);
    return {first, std::min(cut + batch_slabs, range.first + range.count) - first};
  }
  [[nodiscard]] std::size_t batch_of(std::uint64_t slab) const {
    return slab / batch_slabs - range.first / batch_slabs;
  }
};

}  // namespace tessera
