// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "census/disk/batch_stage.hpp"
#include "census/disk/block_exchange.hpp"
#include "census/levels/sweep.hpp"

namespace tessera {

/// Layers on disk: batch by batch, the blocks of a batch are unpacked into the windows of the
/// layers, computed, and packed. While one batch is computed, the next one's blocks are read, and
/// those of other ranks' slabs come from their owners.
class DiskSweep final : public Sweep {
 public:
  DiskSweep(const StateLayout& layout, Exchange& exchange, ThreadTeam& team, const DiskMode& disk);

  [[nodiscard]] Layer::Storage next_storage(int planes) override;
  bool run(Crossings& crossings, const std::vector<std::uint8_t>& wanted, const Compute& compute,
           const Progress& progress, const Pass& pass) override;
  [[nodiscard]] std::uint64_t bytes_sent() const override { return exchange_blocks_.bytes_sent(); }

 private:
  // A slab's blocks until the batch is whole.
  struct Encoded {
    std::vector<BlockEntry> entries;  // by plane of the group
    std::vector<std::uint8_t> bytes;
  };
  // What stays the same from batch to batch.
  struct Work {
    Crossings& crossings;
    const std::vector<std::uint8_t>& wanted;
    const Compute& compute;
    const Pass& pass;
  };
  /// False where `goes_on` ended it: then the batch is not whole.
  bool compute_batch(const Work& work, BatchStage& stage,
                     std::shared_ptr<const RemoteBlocks> remote,
                     const std::function<bool()>& goes_on);
  void encode(std::uint64_t slab, const LevelPlanes& output, BlockCodec& codec, Encoded& to) const;
  void store(std::size_t batch, const LevelPlanes& output);

  DiskMode disk_;
  BlockExchange exchange_blocks_;
  std::vector<BlockCodec> codecs_;      // by thread
  std::vector<std::uint64_t> outside_;  // blocks of slabs outside the batch
  std::vector<Encoded> encoded_;        // by slab of the batch
};

}  // namespace tessera
