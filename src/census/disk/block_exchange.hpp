// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/ranks.hpp"
#include "census/disk/outside_slabs.hpp"
#include "census/disk/segment_store.hpp"
#include "census/levels/sweep.hpp"

namespace tessera {

/// Other ranks' blocks that a batch needs, compressed as in their owners' segments.
struct RemoteBlocks {
  struct Block {
    BlockEntry entry;
    std::size_t rank = 0;   ///< the sender
    std::size_t start = 0;  ///< in its bytes
  };
  std::vector<Block> blocks;  ///< in the order of the slabs requested
  Ranks::Parts arrived;

  [[nodiscard]] std::span<const std::uint8_t> bytes(const Block& block) const {
    const auto* const all = reinterpret_cast<const std::uint8_t*>(arrived[block.rank].data());
    return {all + block.start, block.entry.length()};
  }
};

/// Disk mode over ranks: all ranks take the steps of a pass together, one batch each. While a batch
/// is computed, the blocks of other ranks' slabs for the next one are fetched from their owners.
/// Both sides compute the list of blocks (`outside_slabs`), so there are no requests. The blocks'
/// entries, which have the lengths, go first, then the bytes in rounds: in round k a rank sends to
/// the rank k after it and receives from the one k before it. So a rank buffers outgoing bytes for
/// one batch at most, whatever the number of ranks.
class BlockExchange {
 public:
  /// `parts`: slabs by rank.
  BlockExchange(const RankContext& context, std::vector<SlabRange> parts)
      : context_(context),
        parts_(std::move(parts)),
        ranks_(parts_.size()),
        me_(static_cast<std::size_t>(context_.ranks.rank())),
        sends_(ranks_),
        transfer_(context_.ranks.transfer()) {
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
      steps_ = std::max(steps_, grid_of(rank).batches());
    }
  }

  /// The largest number of steps of any rank.
  [[nodiscard]] std::size_t steps() const { return steps_; }
  /// Starts fetching what this step needs: `wanted` are the blocks for this rank's batch, all of
  /// other ranks' slabs. Layers must not change until it is finished. After a stop, a rank sends
  /// empty blocks.
  void start(std::size_t step, const std::vector<Crossing>& crossings,
             const std::vector<OutsideSlab>& wanted, bool may_continue) {
    arrival_ = {};
    if (ranks_ == 1) return;
    arrival_.arrived.resize(ranks_);
    begin_transfer();
    for (const OutsideSlab& slab : wanted) {
      const auto end = std::ranges::upper_bound(parts_, slab.slab, {}, &SlabRange::end);
      const auto owner = static_cast<std::size_t>(end - parts_.begin());
      std::vector<std::byte>& entries = transfer_->in[owner];
      arrival_.blocks.push_back({{}, owner, entries.size()});
      entries.resize(entries.size() + sizeof(BlockEntry));
    }
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
      sends_[rank].clear();
      const BatchGrid grid = grid_of(rank);
      if (rank == me_ || step >= grid.batches()) continue;
      for (const OutsideSlab& outside :
           outside_slabs(context_.layout, crossings, grid.batch(step), parts_[me_])) {
        SegmentStore::Block block;
        if (may_continue) block = outside.layer->segments()->find(outside.slab, outside.plane);
        sends_[rank].push_back(block);
        const BlockEntry entry = block.entry();
        append(transfer_->out[rank], std::as_bytes(std::span(&entry, 1)));
      }
    }
    round_ = 0;
    move();
  }

  /// Advances pending transfers. Throws Error(corrupt) if a file that it reads is damaged.
  void progress() {
    while (step_on()) {
    }
  }

  [[nodiscard]] RemoteBlocks finish() {
    while (state_ != State::idle) {
      progress();
      if (state_ == State::reading) reads_->wait();
      if (state_ == State::moving) transfer_->wait();
    }
    return std::move(arrival_);
  }

  [[nodiscard]] std::uint64_t bytes_sent() const { return bytes_sent_; }

 private:
  enum class State { idle, reading, moving };

  [[nodiscard]] BatchGrid grid_of(std::size_t rank) const {
    return {parts_[rank], context_.disk.batch_slabs};
  }

  // False if it has to wait.
  bool step_on() {
    if (state_ == State::idle) return false;
    if (state_ == State::reading) {
      if (!reads_->done()) return false;
      send_round();
      return true;
    }
    if (!transfer_->done()) return false;
    if (round_ == 0) take_entries();
    else arrival_.arrived[sender()] = std::move(transfer_->in[sender()]);
    if (++round_ < ranks_) begin_round();
    else state_ = State::idle;
    return true;
  }

  void take_entries() {
    std::vector<std::size_t> bytes(ranks_, 0);
    for (RemoteBlocks::Block& block : arrival_.blocks) {
      std::memcpy(&block.entry, transfer_->in[block.rank].data() + block.start, sizeof(BlockEntry));
      block.start = bytes[block.rank];
      bytes[block.rank] += block.entry.length();
    }
    for (std::size_t rank = 0; rank < ranks_; ++rank) arrival_.arrived[rank].resize(bytes[rank]);
  }

  void begin_round() {
    reads_.emplace(*context_.disk.spill);
    for (const SegmentStore::Block& block : sends_[receiver()]) reads_->add(block);
    reads_->begin();
    state_ = State::reading;
  }

  void send_round() {
    begin_transfer();
    std::vector<std::byte>& bytes = transfer_->out[receiver()];
    for (std::size_t i = 0; i < reads_->size(); ++i) {
      const std::span<const std::uint8_t> block = reads_->bytes(i);
      // The receiver could not name the damaged file.
      if (!block.empty() && !is_whole(reads_->entry(i), block)) reads_->damaged(i);
      append(bytes, std::as_bytes(block));
    }
    reads_.reset();
    transfer_->in[sender()] = std::move(arrival_.arrived[sender()]);
    move();
  }

  // In round k.
  [[nodiscard]] std::size_t receiver() const { return (me_ + round_) % ranks_; }
  [[nodiscard]] std::size_t sender() const { return (me_ + ranks_ - round_) % ranks_; }

  void begin_transfer() {
    transfer_->out.assign(ranks_, {});
    transfer_->in.assign(ranks_, {});
  }
  static void append(std::vector<std::byte>& to, std::span<const std::byte> bytes) {
    to.insert(to.end(), bytes.begin(), bytes.end());
  }
  void move() {
    for (const std::vector<std::byte>& part : transfer_->out) bytes_sent_ += part.size();
    transfer_->start();
    state_ = State::moving;
  }

  const RankContext context_;
  std::vector<SlabRange> parts_;
  std::size_t ranks_;
  std::size_t me_;
  std::size_t steps_ = 0;
  State state_ = State::idle;
  std::size_t round_ = 0;  // 0: entries
  RemoteBlocks arrival_;
  std::vector<std::vector<SegmentStore::Block>> sends_;  // of the step, by rank
  std::optional<BlockReads> reads_;                      // for the round
  std::unique_ptr<Ranks::Transfer> transfer_;
  std::uint64_t bytes_sent_ = 0;
};

}  // namespace tessera
