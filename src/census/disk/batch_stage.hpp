// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "census/disk/block_exchange.hpp"
#include "census/disk/block_reads.hpp"
#include "census/disk/segment_store.hpp"
#include "census/levels/sweep.hpp"

namespace tessera {

/// Disk mode: the blocks that a batch of slabs needs, on their way from segments into windows of
/// layers, and the blocks that crossings bring from outside it.
class BatchStage {
 public:
  /// Begins to read what is not in memory. `wanted` by slab of the range `mine`: only these are
  /// computed.
  BatchStage(const StateLayout& layout, Spill& spill, const Pass& pass,
             const std::vector<Crossing>& crossings, SlabRange batch,
             const std::vector<std::uint8_t>& wanted, SlabRange mine);

  [[nodiscard]] SlabRange batch() const { return batch_; }
  /// Blocks that it needs of other ranks.
  [[nodiscard]] const std::vector<OutsideSlab>& remote() const { return remote_; }
  /// Waits for what is read; `remote` are the blocks of remote(). The layers' windows must be at
  /// the batch from here on.
  void arrive(std::shared_ptr<const RemoteBlocks> remote);
  /// Threads decode all inputs side by side, some of them into `outside` of outside_words().
  [[nodiscard]] std::size_t inputs() const { return inputs_.size(); }
  [[nodiscard]] std::size_t outside_words() const { return outside_slots_.size() * stride_ + 8; }
  void decode_input(std::size_t i, BlockCodec& codec, std::uint64_t* outside) const;
  /// Decodes what the output held of this slab.
  void decode_replaced(std::uint64_t slab, BlockCodec& codec) const;
  /// By crossing, the blocks that came from outside.
  [[nodiscard]] std::vector<OutsideBlocks> outside_blocks(const std::uint64_t* outside) const;

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
  void add(std::vector<Job>& jobs, Layer& layer, std::uint64_t slab, int plane);
  void locate_outside(const std::vector<Crossing>& crossings,
                      const std::vector<std::uint8_t>& wanted, std::uint64_t range_first);
  void decode(const Job& job, std::uint64_t* words, BlockCodec& codec) const;

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
