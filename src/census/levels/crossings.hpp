// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "census/levels/layer.hpp"
#include "tessera/census/state_layout.hpp"

namespace tessera {

/// A vertical move that leaves the slab: its window, and the plane it starts from.
struct Crossing {
  const Window* window;
  Layer* source;
  int plane;  ///< of the source layer
};

/// What a crossing brings to some slabs from slabs whose words the layer does not hold: by slab
/// (`first`) and block; null where the plane is empty there.
struct OutsideBlocks {
  std::vector<std::uint32_t> first;
  std::vector<const std::uint64_t*> words;
};

/// The crossings of a pass, and where the blocks are that they bring.
class Crossings {
 public:
  explicit Crossings(const StateLayout& layout) : layout_(layout) {}

  void begin(std::vector<Crossing> crossings) { list_ = std::move(crossings); }
  [[nodiscard]] const std::vector<Crossing>& list() const { return list_; }

  /// The slabs from `first` on are computed next. Source layers hold the words of `held`, and
  /// `outside`, by crossing, has the blocks of all others; it is empty where there are none.
  void arrive(SlabRange held, std::uint64_t first, std::vector<OutsideBlocks> outside) {
    held_ = held;
    first_ = first;
    outside_ = std::move(outside);
  }

  /// Calls bring(offset, words, length) for each block that a crossing, given by its index, brings
  /// to `slab` and that is not known to be empty.
  template <class Bring>
  void blocks(std::size_t crossing, std::uint64_t slab, const Bring& bring) const {
    const Crossing& from = list_[crossing];
    const Window& window = *from.window;
    const std::uint64_t* const* outside = nullptr;
    if (!outside_.empty()) {
      const OutsideBlocks& arrived = outside_[crossing];
      outside = arrived.words.data() + arrived.first[slab - first_];
    }
    for (std::uint32_t block = 0; block < window.blocks; ++block) {
      const StateLayout::Block source = layout_.source_block(window, slab, block);
      const std::uint64_t* words = nullptr;
      if (!held_.contains(source.slab)) {
        words = *outside++;
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
