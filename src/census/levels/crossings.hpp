// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "census/levels/layer.hpp"
#include "census/state_layout.hpp"

namespace tessera {

/// A vertical move that leaves the slab: its window, and the plane that it starts from.
struct Crossing {
  const Window* window;
  Layer* source;
  int plane;  ///< of the source layer
};

/// Calls with(place, source block) for each nonempty block that a crossing brings from slabs of
/// `from` to slabs of `to`, in order of places, which number the blocks of `to`, slab by slab.
/// Every rank computes the same list for any two ranks.
template <class With>
void each_crossing_block(const StateLayout& layout, const Crossing& crossing, SlabRange to,
                         SlabRange from, const With& with) {
  const Window& window = *crossing.window;
  // Only slabs that share the other digits with one of `from`.
  const std::uint64_t span = window.below * window.groups;
  const std::uint64_t begin = std::max(to.first, from.first / span * span);
  const std::uint64_t end = std::min(to.end(), (from.end() + span - 1) / span * span);
  for (std::uint64_t slab = begin; slab < end; ++slab) {
    for (std::uint32_t block = 0; block < window.blocks; ++block) {
      const StateLayout::Block source = layout.source_block(window, slab, block);
      if (!from.contains(source.slab)) continue;
      if (!crossing.source->active(source.slab, crossing.plane)) continue;
      with((slab - to.first) * window.blocks + block, source);
    }
  }
}

/// The blocks that a crossing brings to some slabs from slabs whose words the layer does not hold,
/// by place of each_crossing_block; null if a block is empty. Empty if there are none.
using OutsideBlocks = std::vector<const std::uint64_t*>;

/// The entry for such a block; `slabs`: the number of receiving slabs.
inline const std::uint64_t*& outside_place(OutsideBlocks& blocks, const Crossing& crossing,
                                           std::uint64_t slabs, std::uint64_t place) {
  blocks.resize(slabs * crossing.window->blocks);
  return blocks[place];
}

/// The crossings of a pass, and where their blocks are.
class Crossings {
 public:
  explicit Crossings(const StateLayout& layout) : layout_(layout) {}

  void begin(std::vector<Crossing> crossings) { list_ = std::move(crossings); }
  [[nodiscard]] const std::vector<Crossing>& list() const { return list_; }

  /// The next slabs to compute start at `first`. Source layers hold the words of `held`, and
  /// `outside` has all other blocks, by crossing; it is empty if there are none.
  void arrive(SlabRange held, std::uint64_t first, std::vector<OutsideBlocks> outside) {
    held_ = held;
    first_ = first;
    outside_ = std::move(outside);
  }

  /// Calls bring(offset, words, length) for each block that the crossing with this index brings to
  /// `slab` and that is not known to be empty.
  template <class Bring>
  void blocks(std::size_t crossing, std::uint64_t slab, const Bring& bring) const {
    const Crossing& from = list_[crossing];
    const Window& window = *from.window;
    const std::uint64_t* const* outside = nullptr;
    if (!outside_.empty() && !outside_[crossing].empty()) {
      outside = outside_[crossing].data() + (slab - first_) * window.blocks;
    }
    for (std::uint32_t block = 0; block < window.blocks; ++block) {
      const StateLayout::Block source = layout_.source_block(window, slab, block);
      const std::uint64_t* words = nullptr;
      if (!held_.contains(source.slab)) {
        if (outside != nullptr) words = outside[block];
      } else if (from.source->active(source.slab, from.plane)) {
        words = from.source->words(source.slab, from.plane) + source.offset;
      }
      if (words != nullptr) bring(block * window.block_words, words, window.block_words);
    }
  }

 private:
  const StateLayout& layout_;
  std::vector<Crossing> list_;
  SlabRange held_;
  std::uint64_t first_ = 0;
  std::vector<OutsideBlocks> outside_;
};

}  // namespace tessera
