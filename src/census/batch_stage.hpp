// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "census/halo.hpp"
#include "census/level_planes.hpp"
#include "census/segment_store.hpp"

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
  /// Begins to read what is not in memory. `wanted` by tile of the range, which begins at
  /// `range_first`: only these are computed.
  BatchStage(const TileLayout& layout, Spill& spill, const Pass& pass,
             const std::vector<Pull>& pulls, TileRange batch,
             const std::vector<std::uint8_t>& wanted, std::uint64_t range_first);

  [[nodiscard]] TileRange batch() const { return batch_; }
  /// Waits for what is read. Windows must be at the batch from here on.
  void arrive();
  /// Makes `input(i)` for all i possible, which threads do side by side; `far` takes far_words().
  [[nodiscard]] std::size_t inputs() const { return inputs_.size(); }
  [[nodiscard]] std::size_t far_words() const { return far_slots_ * stride_ + 8; }
  void decode_input(std::size_t i, BlockCodec& codec, std::uint64_t* far) const;
  /// What the output held of this tile.
  void decode_replaced(std::uint64_t tile, BlockCodec& codec) const;
  /// Where moves find what other tiles bring.
  [[nodiscard]] std::vector<FarBlocks> far_blocks(const std::uint64_t* far) const;

 private:
  struct Job {
    SegmentStore::Block block;
    Layer* layer = nullptr;  // null: into a far slot
    std::uint64_t tile = 0;
    int plane = 0;
    std::size_t slot = 0;
    std::shared_ptr<const Bytes> memory;  // null: in a part
    std::size_t part = 0;
    std::uint64_t offset = 0;  // into the memory or part
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
  [[nodiscard]] bool add(std::vector<Job>& jobs, Layer& layer, std::uint64_t tile, int plane) const;
  void list_far(const std::vector<Pull>& pulls, const std::vector<std::uint8_t>& wanted,
                std::uint64_t range_first);
  void read_missing();
  void decode(const Job& job, std::uint64_t* words, BlockCodec& codec) const;

  const TileLayout& layout_;
  Spill& spill_;
  std::size_t stride_;
  TileRange batch_;
  std::vector<Job> inputs_;
  std::vector<Job> replaced_;                // by tile
  std::vector<std::size_t> replaced_first_;  // by tile of the batch
  std::vector<FarList> far_;                 // by pull
  std::size_t far_slots_ = 0;
  std::shared_ptr<Spill::Reading> reading_;
};

}  // namespace tessera
