// SPDX-License-Identifier: MIT
#include "census/levels/sweep.hpp"

#include <algorithm>

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

std::size_t owner_of(const std::vector<SlabRange>& parts, std::uint64_t slab) {
  const auto after = std::ranges::upper_bound(parts, slab, {}, &SlabRange::end);
  return static_cast<std::size_t>(after - parts.begin());
}

std::unique_ptr<Sweep> make_sweep(const StateLayout& layout, Exchange& exchange, ThreadTeam& team,
                                  const DiskMode& disk, const std::vector<int>& planes) {
  return disk.spill != nullptr ? make_disk_sweep(layout, exchange, team, disk)
                               : make_memory_sweep(layout, exchange, team, planes);
}

}  // namespace tessera
