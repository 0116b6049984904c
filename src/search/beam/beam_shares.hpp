// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace tessera {

/// Distributes boards by hash over ranks and, within a rank, over shards that one thread at a time
/// processes. A shard is a range of slots of the table of seen boards, so the table's contents do
/// not depend on how it is split.
class BeamShares {
 public:
  BeamShares(std::uint64_t width, int ranks)
      : slot_bits_(slot_bits(width)), ranks_(static_cast<std::uint64_t>(ranks)) {
    // About 4096 children each: they fit in the second-level cache with their part of the table.
    shards_ = std::clamp(width / ranks_ / 2048, std::uint64_t{64}, std::uint64_t{1024});
    shards_ = std::min(shards_, (std::uint64_t{1} << slot_bits_) / ranks_);
  }

  [[nodiscard]] std::size_t shards() const { return shards_; }
  [[nodiscard]] std::uint64_t slot(std::uint64_t hash) const { return hash >> (64 - slot_bits_); }
  /// The index of the shard among those of all ranks, ordered by rank.
  [[nodiscard]] std::size_t shard(std::uint64_t hash) const {
    return slot(hash) * (shards_ * ranks_) >> slot_bits_;
  }
  [[nodiscard]] std::size_t owner(std::uint64_t hash) const {
    return ranks_ > 1 ? shard(hash) / shards_ : 0;
  }
  [[nodiscard]] std::uint64_t first_slot(int rank) const {
    return ((static_cast<std::uint64_t>(rank) << slot_bits_) + ranks_ - 1) / ranks_;
  }
  /// About 16 slots per board of a layer.
  [[nodiscard]] static unsigned slot_bits(std::uint64_t width) {
    return std::max(16U, static_cast<unsigned>(std::bit_width(16 * width - 1)));
  }

 private:
  unsigned slot_bits_;
  std::uint64_t ranks_;
  std::uint64_t shards_ = 1;
};

/// A rank's part of the table of boards in earlier layers: one fingerprint per slot, with the layer
/// modulo 16. A newer layer displaces an older one, and within a layer the largest fingerprint
/// stays, so that the order of insertion does not matter.
class BeamSeen {
 public:
  BeamSeen(const BeamShares& shares, int rank)
      : shares_(shares),
        first_(shares.first_slot(rank)),
        slots_(shares.first_slot(rank + 1) - first_) {}

  [[nodiscard]] bool holds(std::uint64_t hash) const {
    return (slots_[place(hash)] & print_mask) == print(hash);
  }
  void insert(std::uint64_t hash, int layer) {
    const std::uint32_t stamp = static_cast<std::uint32_t>(layer) << print_bits;
    std::uint32_t& slot = slots_[place(hash)];
    const bool newer = (slot & ~print_mask) != stamp;
    slot = newer ? stamp | print(hash) : std::max(slot, stamp | print(hash));
  }

 private:
  static constexpr int print_bits = 28;
  static constexpr std::uint32_t print_mask = (std::uint32_t{1} << print_bits) - 1;
  // Never 0, which marks an empty slot.
  static std::uint32_t print(std::uint64_t hash) {
    return (static_cast<std::uint32_t>(hash) & print_mask) | 1;
  }
  [[nodiscard]] std::size_t place(std::uint64_t hash) const { return shares_.slot(hash) - first_; }

  const BeamShares& shares_;
  std::uint64_t first_;
  std::vector<std::uint32_t> slots_;
};

}  // namespace tessera
