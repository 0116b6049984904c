// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "census/disk/block_exchange.hpp"
#include "census/disk/segment_store.hpp"
#include "census/levels/sweep.hpp"
#include "tessera/base/error.hpp"

namespace tessera {

/// Disk mode: the blocks that a batch of slabs needs, on their way from segments into windows of
/// layers, and the blocks that crossings bring from outside it.
class BatchStage {
 public:
  /// Begins to read what is not in memory. `wanted` by slab of the range `mine`: only these are
  /// computed.
  BatchStage(const StateLayout& layout, Spill& spill, const Pass& pass,
             const std::vector<Crossing>& crossings, SlabRange batch,
             const std::vector<std::uint8_t>& wanted, SlabRange mine)
      : layout_(layout), stride_(layout.stride()), batch_(batch), reads_(spill) {
    // All slabs of the batch: moves inside the batch look at those that are not computed, too.
    for (std::uint64_t slab = batch.first; slab < batch.end(); ++slab) {
      for (const LevelPlanes& level : pass.inputs) {
        level.each_plane([&](int plane) { add(inputs_, *level.layer, slab, plane); });
      }
      replaced_first_.push_back(replaced_.size());
      if (pass.replaces && wanted[slab - mine.first] != 0) {
        pass.output.each_plane([&](int plane) { add(replaced_, *pass.output.layer, slab, plane); });
      }
    }
    replaced_first_.push_back(replaced_.size());
    for (const OutsideSlab& outside :
         outside_slabs(layout, crossings, batch, {0, layout.slabs()})) {
      outside_slots_.push_back(outside);
      const std::size_t slot = outside_slots_.size() - 1;
      if (mine.contains(outside.slab)) {
        add(inputs_, *outside.layer, outside.slab, outside.plane);
      } else {
        Job& job = inputs_.emplace_back();
        job.remote = true;
        job.read = remote_.size();
        remote_.push_back(outside);
      }
      inputs_.back().layer = nullptr;
      inputs_.back().slot = slot;
    }
    locate_outside(crossings, wanted, mine.first);
    reads_.begin();
  }

  [[nodiscard]] SlabRange batch() const { return batch_; }
  /// Blocks that it needs of other ranks.
  [[nodiscard]] const std::vector<OutsideSlab>& remote() const { return remote_; }
  /// Waits for what is read; `remote` are the blocks of remote(). The layers' windows must be at
  /// the batch from here on.
  void arrive(std::shared_ptr<const RemoteBlocks> remote) {
    reads_.wait();
    arrived_ = std::move(remote);
  }

  /// Threads decode all inputs side by side, some of them into `outside` of outside_words().
  [[nodiscard]] std::size_t inputs() const { return inputs_.size(); }
  [[nodiscard]] std::size_t outside_words() const { return outside_slots_.size() * stride_ + 8; }
  void decode_input(std::size_t i, BlockCodec& codec, std::uint64_t* outside) const {
    const Job& job = inputs_[i];
    decode(
        job,
        job.layer != nullptr ? job.layer->words(job.slab, job.plane) : outside + job.slot * stride_,
        codec);
  }

  /// Decodes what the output held of this slab.
  void decode_replaced(std::uint64_t slab, BlockCodec& codec) const {
    const std::size_t local = slab - batch_.first;
    for (std::size_t i = replaced_first_[local]; i < replaced_first_[local + 1]; ++i) {
      decode(replaced_[i], replaced_[i].layer->words(slab, replaced_[i].plane), codec);
    }
  }

  /// By crossing, the blocks that came from outside.
  [[nodiscard]] std::vector<OutsideBlocks> outside_blocks(const std::uint64_t* outside) const {
    std::vector<OutsideBlocks> blocks;
    for (const OutsidePlaces& places : outside_) {
      OutsideBlocks& crossing = blocks.emplace_back(OutsideBlocks{places.first, {}});
      for (const std::size_t place : places.words) {
        crossing.words.push_back(place == empty ? nullptr : outside + place);
      }
    }
    return blocks;
  }

 private:
  struct Job {
    std::size_t read = 0;  // among what is read, or what comes from other ranks
    bool remote = false;
    Layer* layer = nullptr;  // null: into a slot of `outside`
    std::uint64_t slab = 0;
    int plane = 0;
    std::size_t slot = 0;
  };
  // As OutsideBlocks, by place in `outside`.
  struct OutsidePlaces {
    std::vector<std::uint32_t> first;
    std::vector<std::size_t> words;
  };
  static constexpr std::size_t empty = ~std::size_t{0};
  void add(std::vector<Job>& jobs, Layer& layer, std::uint64_t slab, int plane) {
    if (!layer.active(slab, plane)) return;
    Job& job = jobs.emplace_back();
    job.read = reads_.add(layer.segments()->find(slab, plane));
    job.layer = &layer;
    job.slab = slab;
    job.plane = plane;
  }

  void locate_outside(const std::vector<Crossing>& crossings,
                      const std::vector<std::uint8_t>& wanted, std::uint64_t range_first) {
    for (const Crossing& crossing : crossings) {
      std::unordered_map<std::uint64_t, std::size_t> slots;
      for (std::size_t slot = 0; slot < outside_slots_.size(); ++slot) {
        const OutsideSlab& outside = outside_slots_[slot];
        if (outside.layer == crossing.source && outside.plane == crossing.plane)
          slots.emplace(outside.slab, slot);
      }
      OutsidePlaces& places = outside_.emplace_back();
      for (std::uint64_t slab = batch_.first; slab < batch_.end(); ++slab) {
        places.first.push_back(static_cast<std::uint32_t>(places.words.size()));
        if (wanted[slab - range_first] == 0) continue;
        for (std::uint32_t block = 0; block < crossing.window->blocks; ++block) {
          const StateLayout::Block from = layout_.source_block(*crossing.window, slab, block);
          if (batch_.contains(from.slab)) continue;
          const auto slot = slots.find(from.slab);
          places.words.push_back(slot == slots.end() ? empty
                                                     : slot->second * stride_ + from.offset);
        }
      }
    }
  }

  void decode(const Job& job, std::uint64_t* words, BlockCodec& codec) const {
    const std::span<std::uint64_t> to{words, layout_.words()};
    BlockEntry entry;
    std::span<const std::uint8_t> bytes;
    if (job.remote) {
      const RemoteBlocks::Block& block = arrived_->blocks[job.read];
      entry = block.entry;
      bytes = arrived_->bytes(block);
    } else {
      entry = reads_.entry(job.read);
      bytes = reads_.bytes(job.read);
    }
    if (bytes.empty()) {
      std::fill(to.begin(), to.end(), 0);
      return;
    }
    if (codec.decode(entry, bytes, to)) return;
    if (job.remote) {
      throw Error(ErrorKind::internal, "a block was damaged on its way from rank " +
                                           std::to_string(arrived_->blocks[job.read].rank));
    }
    reads_.damaged(job.read);
  }

  const StateLayout& layout_;
  std::size_t stride_;
  SlabRange batch_;
  std::vector<Job> inputs_;
  std::vector<Job> replaced_;                // by slab
  std::vector<std::size_t> replaced_first_;  // by slab of the batch
  std::vector<OutsideSlab> outside_slots_;   // by slot
  std::vector<OutsideSlab> remote_;
  std::vector<OutsidePlaces> outside_;  // by crossing
  BlockReads reads_;
  std::shared_ptr<const RemoteBlocks> arrived_;
};

}  // namespace tessera
