// SPDX-License-Identifier: MIT
#include "census/levels/sweep.hpp"

#include "census/disk/disk_sweep.hpp"
#include "census/ranks/memory_sweep.hpp"

namespace tessera {

std::vector<SlabRange> share_slabs(std::uint64_t slabs, int ranks) {
  std::vector<SlabRange> parts;
  const auto count = static_cast<std::uint64_t>(ranks);
  for (std::uint64_t rank = 0, first = 0; rank < count; ++rank) {
    const std::uint64_t own = slabs / count + (rank < slabs % count ? 1 : 0);
    parts.push_back({first, own});
    first += own;
  }
  return parts;
}

std::unique_ptr<Sweep> make_sweep(const StateLayout& layout, Exchange& exchange, ThreadTeam& team,
                                  const DiskMode& disk, const std::vector<int>& planes) {
  if (disk.spill != nullptr) return std::make_unique<DiskSweep>(layout, exchange, team, disk);
  std::span<std::uint8_t> common;
  if (exchange.ranks() > 1) {
    common = exchange.common(MemorySweep::common_bytes(layout, exchange.ranks(), planes));
  }
  return std::make_unique<MemorySweep>(layout, exchange, team, common);
}

}  // namespace tessera
