// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "census/levels/crossings.hpp"
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
  Halo(const StateLayout& layout, std::vector<SlabRange> parts, Exchange& exchange);

  [[nodiscard]] std::size_t chunks() const { return chunks_; }
  /// The slabs of this rank's chunk.
  [[nodiscard]] SlabRange chunk(std::size_t index) const { return chunk_of(mine_, index); }

  /// Begins to exchange what the crossings bring to a chunk, which all ranks do chunk by chunk; at
  /// most two are under way. Sources stay as they are until the last is finished.
  void start(std::size_t chunk, const std::vector<Crossing>& crossings);
  /// Waits for that: by crossing, what has arrived. It stays until the next chunk but one is
  /// started.
  [[nodiscard]] std::vector<OutsideBlocks> finish(std::size_t chunk);

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
  [[nodiscard]] SlabRange chunk_of(const SlabRange& part, std::size_t index) const;
  [[nodiscard]] std::uint32_t owner(std::uint64_t slab) const;
  void list_incoming(const Window& window, BlockLists& lists) const;
  void list_outgoing(const Window& window, BlockLists& lists) const;
  [[nodiscard]] std::vector<Exchange::Incoming> receive(std::size_t chunk, Slot& slot,
                                                        const std::vector<Crossing>& crossings);
  [[nodiscard]] std::vector<Exchange::Outgoing> collect(std::size_t chunk, Slot& slot,
                                                        const std::vector<Crossing>& crossings);

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
