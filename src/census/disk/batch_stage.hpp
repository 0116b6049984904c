// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "census/disk/block_reads.hpp"
#include "census/disk/far_exchange.hpp"
#include "census/disk/segment_store.hpp"
#include "census/levels/level_planes.hpp"
#include "census/ranks/halo.hpp"

namespace tessera {

/// What going once through all tiles reads and writes.
struct Pass {
  std::vector<LevelPlanes> inputs;  ///< that a tile needs of itself
  LevelPlanes output;               ///< a group of planes that is written together
  bool replaces = false;            ///< what the output held before is needed, too
};

/// Disk mode: the blocks that a batch of tiles needs, on their way from segments into windows of
/// layers, and what other tiles' blocks moves bring to it.
class BatchStage {
 public:
  /// Begins to read what is not in memory. `wanted` by tile of the range `mine`: only these are
  /// computed.
  BatchStage(const TileLayout& layout, Spill& spill, const Pass& pass,
             const std::vector<Pull>& pulls, TileRange batch,
             const std::vector<std::uint8_t>& wanted, TileRange mine);

  [[nodiscard]] TileRange batch() const { return batch_; }
  /// What it needs of other ranks.
  [[nodiscard]] const std::vector<FarTile>& remote() const { return remote_; }
  /// Waits for what is read, and takes what came of `remote`. Windows must be at the batch from
  /// here on.
  void arrive(std::shared_ptr<const FarArrival> remote);
  /// Makes `input(i)` for all i possible, which threads do side by side; `far` takes far_words().
  [[nodiscard]] std::size_t inputs() const { return inputs_.size(); }
  [[nodiscard]] std::size_t far_words() const { return far_slots_.size() * stride_ + 8; }
  void decode_input(std::size_t i, BlockCodec& codec, std::uint64_t* far) const;
  /// What the output held of this tile.
  void decode_replaced(std::uint64_t tile, BlockCodec& codec) const;
  /// Where moves find what other tiles bring.
  [[nodiscard]] std::vector<FarBlocks> far_blocks(const std::uint64_t* far) const;

 private:
  struct Job {
    std::size_t read = 0;  // among what is read, or what comes from other ranks
    bool remote = false;
    Layer* layer = nullptr;  // null: into a far slot
    std::uint64_t tile = 0;
    int plane = 0;
    std::size_t slot = 0;
  };
  struct FarPlace {
    bool empty;
    std::size_t slot;
    std::uint32_t offset;
  };
  struct FarList {
    std::vector<std::uint32_t> first;
    std::vector<FarPlace> places;
  };
  void add(std::vector<Job>& jobs, Layer& layer, std::uint64_t tile, int plane);
  void place_far(const std::vector<Pull>& pulls, const std::vector<std::uint8_t>& wanted,
                 std::uint64_t range_first);
  void decode(const Job& job, std::uint64_t* words, BlockCodec& codec) const;

  const TileLayout& layout_;
  std::size_t stride_;
  TileRange batch_;
  std::vector<Job> inputs_;
  std::vector<Job> replaced_;                // by tile
  std::vector<std::size_t> replaced_first_;  // by tile of the batch
  std::vector<FarTile> far_slots_;           // by slot
  std::vector<FarTile> remote_;
  std::vector<FarList> far_;  // by pull
  BlockReads reads_;
  std::shared_ptr<const FarArrival> arrival_;
};

}  // namespace tessera
