// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "census/levels/crossings.hpp"
#include "census/levels/sweep.hpp"
#include "tessera/census/exchange.hpp"

namespace tessera {

/// Halo exchange between ranks that each hold a range of slabs in memory: the blocks that crossings
/// bring from others' slabs. Which they are follows from the layout, so both sides list the same
/// and messages need no headers; blocks of slabs where the plane is empty are left out, which both
/// sides know from the layer's `active`. Slabs go by chunks, so that the words of one chunk travel
/// while another is computed.
class Halo {
 public:
  /// `parts`: slabs by rank; at least two ranks.
  Halo(const StateLayout& layout, std::vector<SlabRange> parts, Exchange& exchange)
      : layout_(layout),
        parts_(std::move(parts)),
        exchange_(exchange),
        mine_(parts_[static_cast<std::size_t>(exchange.rank())]),
        lists_(layout.windows().size()) {
    // A few chunks, so that work and exchange overlap; not so large that what travels is much.
    const std::uint64_t most = parts_.front().count;
    chunk_slabs_ = std::clamp<std::size_t>(most / 4, 1, 64);
    chunks_ = std::max<std::size_t>(1, (most + chunk_slabs_ - 1) / chunk_slabs_);
    for (std::size_t i = 0; i < lists_.size(); ++i) {
      const Window& window = layout.windows()[i];
      if (!window.leaves_slab) continue;
      list_incoming(window, lists_[i]);
      list_outgoing(window, lists_[i]);
    }
    for (Slot& slot : slots_) {
      slot.incoming.resize(parts_.size());
      slot.outgoing.resize(parts_.size());
    }
  }

  [[nodiscard]] std::size_t chunks() const { return chunks_; }
  /// The slabs of this rank's chunk.
  [[nodiscard]] SlabRange slabs_of(std::size_t chunk) const {
    const std::uint64_t begin = std::min<std::uint64_t>(mine_.count, chunk * chunk_slabs_);
    return {mine_.first + begin, std::min<std::uint64_t>(chunk_slabs_, mine_.count - begin)};
  }

  /// Begins to exchange what the crossings bring to a chunk, which all ranks do chunk by chunk; at
  /// most two are under way. Sources stay as they are until the last is finished.
  void start(std::size_t chunk, const std::vector<Crossing>& crossings) {
    Slot& slot = slots_[chunk % 2];
    const std::vector<Exchange::Incoming> in = receive(chunk, slot, crossings);
    const std::vector<Exchange::Outgoing> out = collect(chunk, slot, crossings);
    exchange_.start(static_cast<int>(chunk % 2), out, in);
  }

  /// Waits for that: by crossing, what has arrived. It stays until the next chunk but one is
  /// started.
  [[nodiscard]] std::vector<OutsideBlocks> finish(std::size_t chunk) {
    exchange_.finish(static_cast<int>(chunk % 2));
    return std::move(slots_[chunk % 2].arriving);
  }

  /// To other ranks, so far.
  [[nodiscard]] std::uint64_t bytes_sent() const { return bytes_sent_; }

 private:
  struct IncomingBlock {
    std::uint32_t slab;
    std::uint32_t rank;
  };
  struct OutgoingBlock {
    std::uint32_t slab;
    std::uint32_t offset;
  };
  // Of one window: what comes to this rank, by slab (`first`) and block; what goes to each chunk.
  struct BlockLists {
    std::vector<std::uint32_t> first;
    std::vector<IncomingBlock> in;
    std::vector<std::vector<OutgoingBlock>> out;  // by rank * chunks + chunk
  };
  // One of the two chunks under way.
  struct Slot {
    std::vector<OutsideBlocks> arriving;               // by crossing
    std::vector<std::vector<std::uint64_t>> incoming;  // by rank
    std::vector<std::vector<std::uint64_t>> outgoing;
  };

  [[nodiscard]] const BlockLists& lists_of(const Crossing& crossing) const {
    return lists_[static_cast<std::size_t>(crossing.window - layout_.windows().data())];
  }

  void list_incoming(const Window& window, BlockLists& lists) const {
    for (std::uint64_t slab = mine_.first; slab < mine_.end(); ++slab) {
      lists.first.push_back(static_cast<std::uint32_t>(lists.in.size()));
      for (std::uint32_t block = 0; block < window.blocks; ++block) {
        const std::uint64_t from = layout_.source_block(window, slab, block).slab;
        if (mine_.contains(from)) continue;
        lists.in.push_back(
            {static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(owner_of(parts_, from))});
      }
    }
    lists.first.push_back(static_cast<std::uint32_t>(lists.in.size()));
  }

  void list_outgoing(const Window& window, BlockLists& lists) const {
    lists.out.resize(parts_.size() * chunks_);
    // The window keeps within so many slabs that follow one another: most lie wholly elsewhere.
    const std::uint64_t span = window.below * window.groups;
    for (std::size_t rank = 0; rank < parts_.size(); ++rank) {
      const SlabRange& part = parts_[rank];
      if (static_cast<int>(rank) == exchange_.rank()) continue;
      for (std::uint64_t slab = part.first; slab < part.end(); ++slab) {
        const std::uint64_t begin = slab / span * span;
        if (begin + span <= mine_.first || begin >= mine_.end()) {
          slab = begin + span - 1;
          continue;
        }
        const std::size_t chunk_index = (slab - part.first) / chunk_slabs_;
        for (std::uint32_t block = 0; block < window.blocks; ++block) {
          const StateLayout::Block from = layout_.source_block(window, slab, block);
          if (!mine_.contains(from.slab)) continue;
          lists.out[rank * chunks_ + chunk_index].push_back(
              {static_cast<std::uint32_t>(from.slab), from.offset});
        }
      }
    }
  }

  // Where each block will be, once the lengths of the messages are known.
  [[nodiscard]] std::vector<Exchange::Incoming> receive(std::size_t chunk, Slot& slot,
                                                        const std::vector<Crossing>& crossings) {
    const SlabRange slabs = slabs_of(chunk);
    const std::size_t local = slabs.first - mine_.first;
    slot.arriving.assign(crossings.size(), {});
    // Calls with(rank, length, place in `arriving`) for each block that is not empty.
    const auto each_block = [&](const auto& with) {
      for (std::size_t i = 0; i < crossings.size(); ++i) {
        const Crossing& crossing = crossings[i];
        const BlockLists& lists = lists_of(crossing);
        const std::size_t first = lists.first[local];
        for (std::size_t block = first; block < lists.first[local + slabs.count]; ++block) {
          const IncomingBlock& from = lists.in[block];
          if (!crossing.source->active(from.slab, crossing.plane)) continue;
          with(from.rank, crossing.window->block_words, slot.arriving[i].words[block - first]);
        }
      }
    };
    for (std::size_t i = 0; i < crossings.size(); ++i) {
      const auto begin = lists_of(crossings[i]).first.begin() + static_cast<std::ptrdiff_t>(local);
      OutsideBlocks& blocks = slot.arriving[i];
      for (auto first = begin; first != begin + static_cast<std::ptrdiff_t>(slabs.count); ++first) {
        blocks.first.push_back(*first - *begin);
      }
      blocks.words.resize(begin[static_cast<std::ptrdiff_t>(slabs.count)] - *begin);
    }
    std::vector<std::size_t> expected(parts_.size(), 0);
    each_block([&](std::uint32_t rank, std::uint32_t length, const std::uint64_t*&) {
      expected[rank] += length;
    });
    std::vector<Exchange::Incoming> in;
    std::vector<const std::uint64_t*> next;
    for (std::size_t rank = 0; rank < parts_.size(); ++rank) {
      slot.incoming[rank].resize(expected[rank]);
      next.push_back(slot.incoming[rank].data());
      if (expected[rank] > 0) in.push_back({static_cast<int>(rank), slot.incoming[rank]});
    }
    each_block([&](std::uint32_t rank, std::uint32_t length, const std::uint64_t*& words) {
      words = std::exchange(next[rank], next[rank] + length);
    });
    return in;
  }

  [[nodiscard]] std::vector<Exchange::Outgoing> collect(std::size_t chunk, Slot& slot,
                                                        const std::vector<Crossing>& crossings) {
    std::vector<Exchange::Outgoing> out;
    for (std::size_t rank = 0; rank < parts_.size(); ++rank) {
      std::vector<std::uint64_t>& words = slot.outgoing[rank];
      words.clear();
      for (const Crossing& crossing : crossings) {
        for (const OutgoingBlock& block : lists_of(crossing).out[rank * chunks_ + chunk]) {
          if (!crossing.source->active(block.slab, crossing.plane)) continue;
          const std::uint64_t* const from =
              crossing.source->words(block.slab, crossing.plane) + block.offset;
          words.insert(words.end(), from, from + crossing.window->block_words);
        }
      }
      bytes_sent_ += words.size() * sizeof(std::uint64_t);
      if (!words.empty()) out.push_back({static_cast<int>(rank), words});
    }
    return out;
  }

  const StateLayout& layout_;
  std::vector<SlabRange> parts_;
  Exchange& exchange_;
  SlabRange mine_;
  std::size_t chunk_slabs_ = 1;
  std::size_t chunks_ = 1;
  std::vector<BlockLists> lists_;  // by window
  std::array<Slot, 2> slots_;
  std::uint64_t bytes_sent_ = 0;
};

}  // namespace tessera
