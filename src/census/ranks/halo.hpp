// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/ranks.hpp"
#include "census/levels/crossings.hpp"
#include "census/levels/sweep.hpp"

namespace tessera {

/// Halo exchange between ranks that each hold a range of slabs in memory: the blocks that crossings
/// bring from other ranks' slabs. The layout determines the blocks, so both sides compute the same
/// list and messages need no headers; blocks of empty planes are omitted, which both sides know
/// from the layer's `active`. Slabs are exchanged in chunks, so that one chunk's words are sent
/// while another is computed.
class Halo {
 public:
  /// `parts`: slabs by rank; at least two ranks.
  Halo(const StateLayout& layout, std::vector<SlabRange> parts, Ranks& ranks)
      : layout_(layout), parts_(std::move(parts)), me_(static_cast<std::size_t>(ranks.rank())) {
    // A few chunks, so that work and exchange overlap, and small enough to limit the buffers.
    const std::uint64_t most = parts_.front().count;
    chunk_slabs_ = std::clamp<std::size_t>(most / 4, 1, 64);
    chunks_ = std::max<std::size_t>(1, (most + chunk_slabs_ - 1) / chunk_slabs_);
    for (Slot& slot : slots_) {
      slot.transfer = ranks.transfer();
      slot.transfer->in.resize(parts_.size());
      slot.transfer->out.resize(parts_.size());
    }
  }

  [[nodiscard]] std::size_t chunks() const { return chunks_; }
  /// The slabs of this rank's chunk.
  [[nodiscard]] SlabRange slabs_of(std::size_t chunk) const { return slabs_of(me_, chunk); }

  /// Starts to exchange what the crossings bring to a chunk; all ranks do so chunk by chunk, with
  /// at most two pending. Sources must not change until the last is finished. After a stop, a rank
  /// sends messages without content.
  void start(std::size_t chunk, const std::vector<Crossing>& crossings, bool may_continue) {
    Slot& slot = slots_[chunk % 2];
    slot.arriving.assign(crossings.size(), {});
    Ranks::Transfer& transfer = *slot.transfer;
    for (std::size_t rank = 0; rank < parts_.size(); ++rank) {
      if (rank == me_) continue;
      receive(rank, slabs_of(chunk), slot, crossings);
      collect(slabs_of(rank, chunk), transfer.out[rank], crossings);
      bytes_sent_ += transfer.out[rank].size();
    }
    transfer.start(!may_continue);
  }

  /// Advances pending transfers.
  void progress() {
    for (const Slot& slot : slots_) (void)slot.transfer->done();
  }

  /// Waits for it; returns the received blocks by crossing. They are valid until the next chunk but
  /// one is started.
  [[nodiscard]] std::vector<OutsideBlocks> finish(std::size_t chunk) {
    slots_[chunk % 2].transfer->wait();
    return std::move(slots_[chunk % 2].arriving);
  }

  /// Bytes sent to other ranks so far.
  [[nodiscard]] std::uint64_t bytes_sent() const { return bytes_sent_; }

 private:
  // One of the two pending chunks.
  struct Slot {
    std::vector<OutsideBlocks> arriving;  // by crossing
    std::unique_ptr<Ranks::Transfer> transfer;
  };

  [[nodiscard]] SlabRange slabs_of(std::size_t rank, std::size_t chunk) const {
    const SlabRange& part = parts_[rank];
    const std::uint64_t begin = std::min<std::uint64_t>(part.count, chunk * chunk_slabs_);
    return {part.first + begin, std::min<std::uint64_t>(chunk_slabs_, part.count - begin)};
  }

  // Makes room for the blocks from a rank to `slabs`, and records where each will be.
  void receive(std::size_t rank, const SlabRange& slabs, Slot& slot,
               const std::vector<Crossing>& crossings) const {
    std::vector<std::pair<const std::uint64_t**, std::size_t>> blocks;  // with their lengths
    std::size_t words = 0;
    for (std::size_t i = 0; i < crossings.size(); ++i) {
      const Crossing& crossing = crossings[i];
      const std::size_t length = crossing.window->block_words;
      each_crossing_block(layout_, crossing, slabs, parts_[rank],
                          [&](std::uint64_t place, const StateLayout::Block&) {
                            blocks.emplace_back(
                                &outside_place(slot.arriving[i], crossing, slabs.count, place),
                                length);
                            words += length;
                          });
    }
    std::vector<std::byte>& bytes = slot.transfer->in[rank];
    bytes.resize(words * sizeof(std::uint64_t));
    const auto* next = reinterpret_cast<const std::uint64_t*>(bytes.data());
    for (const auto& [block, length] : blocks) *block = std::exchange(next, next + length);
  }

  // Collects this rank's blocks for another rank's slabs.
  void collect(const SlabRange& slabs, std::vector<std::byte>& bytes,
               const std::vector<Crossing>& crossings) const {
    bytes.clear();
    for (const Crossing& crossing : crossings) {
      each_crossing_block(layout_, crossing, slabs, parts_[me_],
                          [&](std::uint64_t, const StateLayout::Block& source) {
                            const auto* const from =
                                crossing.source->words(source.slab, crossing.plane) + source.offset;
                            const auto block =
                                std::as_bytes(std::span(from, crossing.window->block_words));
                            bytes.insert(bytes.end(), block.begin(), block.end());
                          });
    }
  }

  const StateLayout& layout_;
  std::vector<SlabRange> parts_;
  std::size_t me_;
  std::size_t chunk_slabs_ = 1;
  std::size_t chunks_ = 1;
  std::array<Slot, 2> slots_;
  std::uint64_t bytes_sent_ = 0;
};

}  // namespace tessera
