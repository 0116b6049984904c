// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "census/disk/outside_slabs.hpp"
#include "census/disk/segment_store.hpp"
#include "census/exchange.hpp"
#include "census/levels/sweep.hpp"

namespace tessera {

/// Other ranks' blocks that a batch needs, compressed as in their owners' segments.
struct RemoteBlocks {
  struct Block {
    BlockEntry entry;
    int rank = 0;           ///< the sender
    std::size_t start = 0;  ///< in its bytes
  };
  std::vector<Block> blocks;   ///< in the order of the slabs requested
  std::vector<Bytes> arrived;  ///< by rank

  [[nodiscard]] std::span<const std::uint8_t> bytes(const Block& block) const {
    const std::span all(arrived[static_cast<std::size_t>(block.rank)]);
    return all.subspan(block.start, block.entry.length());
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
        me_(static_cast<std::size_t>(context_.exchange.rank())),
        sends_(ranks_),
        entries_out_(ranks_),
        entries_in_(ranks_) {
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
      steps_ = std::max(steps_, grid_of(rank).batches());
    }
  }

  /// The largest number of steps of any rank.
  [[nodiscard]] std::size_t steps() const { return steps_; }
  /// Starts fetching what this step needs: `wanted` are the blocks for this rank's batch, all of
  /// other ranks' slabs. Layers must not change until it is finished.
  void start(std::size_t step, const std::vector<Crossing>& crossings,
             const std::vector<OutsideSlab>& wanted) {
    arrival_ = {};
    if (ranks_ == 1) return;
    arrival_.arrived.resize(ranks_);
    for (std::vector<BlockEntry>& entries : entries_in_) entries.clear();
    for (const OutsideSlab& slab : wanted) {
      const auto end = std::ranges::upper_bound(parts_, slab.slab, {}, &SlabRange::end);
      const auto owner = static_cast<std::size_t>(end - parts_.begin());
      arrival_.blocks.push_back({{}, static_cast<int>(owner), 0});
      entries_in_[owner].emplace_back();
    }
    std::vector<Exchange::Outgoing> out;
    std::vector<Exchange::Incoming> in;
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
      sends_[rank].clear();
      entries_out_[rank].clear();
      add_message(in, rank, std::as_writable_bytes(std::span(entries_in_[rank])));
      const BatchGrid grid = grid_of(rank);
      if (rank == me_ || step >= grid.batches()) continue;
      for (const OutsideSlab& outside :
           outside_slabs(context_.layout, crossings, grid.batch(step), parts_[me_])) {
        const SegmentStore::Block block =
            outside.layer->segments()->find(outside.slab, outside.plane);
        sends_[rank].push_back(block);
        entries_out_[rank].push_back(block.entry());
      }
      add_message(out, rank, std::as_bytes(std::span(entries_out_[rank])));
    }
    round_ = 0;
    move(out, in);
  }

  /// Advances pending transfers. Throws Error(corrupt) if a file that it reads is damaged.
  void progress() {
    context_.exchange.progress();
    while (step_on()) {
    }
  }

  [[nodiscard]] RemoteBlocks finish() {
    while (state_ != State::idle) {
      progress();
      if (state_ == State::reading) reads_->wait();
      if (state_ == State::moving) context_.exchange.finish(slot);
    }
    return std::move(arrival_);
  }

  [[nodiscard]] std::uint64_t bytes_sent() const { return bytes_sent_; }

 private:
  enum class State { idle, reading, moving };
  static constexpr int slot = 0;  // each pair of ranks sends and receives in the same order

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
    if (!context_.exchange.done(slot)) return false;
    if (round_ == 0) take_entries();
    if (++round_ < ranks_) begin_round();
    else state_ = State::idle;
    return true;
  }

  void take_entries() {
    std::vector<std::size_t> next(ranks_, 0);
    std::vector<std::size_t> bytes(ranks_, 0);
    for (RemoteBlocks::Block& block : arrival_.blocks) {
      const auto rank = static_cast<std::size_t>(block.rank);
      block.entry = entries_in_[rank][next[rank]++];
      block.start = bytes[rank];
      bytes[rank] += block.entry.length();
    }
    for (std::size_t rank = 0; rank < ranks_; ++rank) arrival_.arrived[rank].resize(bytes[rank]);
  }

  void begin_round() {
    reads_.emplace(*context_.disk.spill);
    for (const SegmentStore::Block& block : sends_[(me_ + round_) % ranks_]) reads_->add(block);
    reads_->begin();
    state_ = State::reading;
  }

  void send_round() {
    const std::size_t to = (me_ + round_) % ranks_;
    const std::size_t from = (me_ + ranks_ - round_) % ranks_;
    bytes_out_.clear();
    for (std::size_t i = 0; i < reads_->size(); ++i) {
      const std::span<const std::uint8_t> block = reads_->bytes(i);
      // The receiver could not name the damaged file.
      if (!block.empty() && !is_whole(reads_->entry(i), block)) reads_->damaged(i);
      bytes_out_.insert(bytes_out_.end(), block.begin(), block.end());
    }
    reads_.reset();
    std::vector<Exchange::Outgoing> out;
    std::vector<Exchange::Incoming> in;
    add_message(out, to, std::as_bytes(std::span(bytes_out_)));
    add_message(in, from, std::as_writable_bytes(std::span(arrival_.arrived[from])));
    move(out, in);
  }

  static void add_message(auto& messages, std::size_t rank, const auto& bytes) {
    if (!bytes.empty()) messages.push_back({static_cast<int>(rank), bytes});
  }

  void move(std::span<const Exchange::Outgoing> out, std::span<const Exchange::Incoming> in) {
    for (const Exchange::Outgoing& message : out) bytes_sent_ += message.bytes.size();
    context_.exchange.start(slot, out, in);
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
  std::vector<std::vector<BlockEntry>> entries_out_;     // by rank
  std::vector<std::vector<BlockEntry>> entries_in_;      // by rank
  std::optional<BlockReads> reads_;                      // for the round
  Bytes bytes_out_;
  std::uint64_t bytes_sent_ = 0;
};

}  // namespace tessera
