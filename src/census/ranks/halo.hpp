// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "census/exchange.hpp"
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
  Halo(const StateLayout& layout, std::vector<SlabRange> parts, Exchange& exchange)
      : layout_(layout),
        parts_(std::move(parts)),
        exchange_(exchange),
        me_(static_cast<std::size_t>(exchange.rank())) {
    // A few chunks, so that work and exchange overlap, and small enough to limit the buffers.
    const std::uint64_t most = parts_.front().count;
    chunk_slabs_ = std::clamp<std::size_t>(most / 4, 1, 64);
    chunks_ = std::max<std::size_t>(1, (most + chunk_slabs_ - 1) / chunk_slabs_);
    for (Slot& slot : slots_) {
      slot.incoming.resize(parts_.size());
      slot.outgoing.resize(parts_.size());
    }
  }

  [[nodiscard]] std::size_t chunks() const { return chunks_; }
  /// The slabs of this rank's chunk.
  [[nodiscard]] SlabRange slabs_of(std::size_t chunk) const { return slabs_of(me_, chunk); }

  /// Starts to exchange what the crossings bring to a chunk; all ranks do so chunk by chunk, with
  /// at most two pending. Sources must not change until the last is finished.
  void start(std::size_t chunk, const std::vector<Crossing>& crossings) {
    Slot& slot = slots_[chunk % 2];
    slot.arriving.assign(crossings.size(), {});
    std::vector<Exchange::Incoming> in;
    std::vector<Exchange::Outgoing> out;
    for (std::size_t rank = 0; rank < parts_.size(); ++rank) {
      if (rank == me_) continue;
      receive(rank, slabs_of(chunk), slot, crossings);
      collect(slabs_of(rank, chunk), slot.outgoing[rank], crossings);
      const auto other = static_cast<int>(rank);
      const auto arrives = std::as_writable_bytes(std::span(slot.incoming[rank]));
      const auto leaves = std::as_bytes(std::span(slot.outgoing[rank]));
      if (!arrives.empty()) in.push_back({other, arrives});
      if (!leaves.empty()) out.push_back({other, leaves});
      bytes_sent_ += leaves.size();
    }
    exchange_.start(static_cast<int>(chunk % 2), out, in);
  }

  /// Waits for it; returns the received blocks by crossing. They are valid until the next chunk but
  /// one is started.
  [[nodiscard]] std::vector<OutsideBlocks> finish(std::size_t chunk) {
    exchange_.finish(static_cast<int>(chunk % 2));
    return std::move(slots_[chunk % 2].arriving);
  }

  /// Bytes sent to other ranks so far.
  [[nodiscard]] std::uint64_t bytes_sent() const { return bytes_sent_; }

 private:
  // One of the two pending chunks.
  struct Slot {
    std::vector<OutsideBlocks> arriving;               // by crossing
    std::vector<std::vector<std::uint64_t>> incoming;  // by rank
    std::vector<std::vector<std::uint64_t>> outgoing;
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
    slot.incoming[rank].resize(words);
    const std::uint64_t* next = slot.incoming[rank].data();
    for (const auto& [block, length] : blocks) *block = std::exchange(next, next + length);
  }

  // Collects this rank's blocks for another rank's slabs.
  void collect(const SlabRange& slabs, std::vector<std::uint64_t>& words,
               const std::vector<Crossing>& crossings) const {
    words.clear();
    for (const Crossing& crossing : crossings) {
      each_crossing_block(layout_, crossing, slabs, parts_[me_],
                          [&](std::uint64_t, const StateLayout::Block& source) {
                            const auto* const from =
                                crossing.source->words(source.slab, crossing.plane) + source.offset;
                            words.insert(words.end(), from, from + crossing.window->block_words);
                          });
    }
  }

  const StateLayout& layout_;
  std::vector<SlabRange> parts_;
  Exchange& exchange_;
  std::size_t me_;
  std::size_t chunk_slabs_ = 1;
  std::size_t chunks_ = 1;
  std::array<Slot, 2> slots_;
  std::uint64_t bytes_sent_ = 0;
};

}  // namespace tessera
