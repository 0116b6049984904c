// SPDX-License-Identifier: MIT
#include "census/disk/outside_slabs.hpp"

#include <algorithm>

namespace tessera {

std::vector<OutsideSlab> outside_slabs(const StateLayout& layout,
                                       const std::vector<Crossing>& crossings, SlabRange batch,
                                       SlabRange from) {
  std::vector<OutsideSlab> found;
  std::vector<std::uint64_t> slabs;
  for (std::size_t i = 0; i < crossings.size(); ++i) {
    const Crossing& crossing = crossings[i];
    const auto same = [&](const Crossing& other) {
      return other.source == crossing.source && other.plane == crossing.plane;
    };
    // A plane that two moves start from is listed with the first of them.
    const auto here = crossings.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::any_of(crossings.begin(), here, same)) continue;
    slabs.clear();
    for (auto next = here; next != crossings.end(); ++next) {
      if (!same(*next)) continue;
      const Window& window = *next->window;
      // Where a move comes from is where its inverse goes to.
      const Window& back = layout.window(window.start, !window.up);
      const std::uint64_t span = window.below * window.groups;
      for (std::uint64_t slab = batch.first; slab < batch.end(); ++slab) {
        const std::uint64_t begin = slab / span * span;
        if (begin + span <= from.first || begin >= from.end()) {
          slab = begin + span - 1;
          continue;
        }
        const std::uint64_t group = slab / window.below % window.groups;
        for (const std::uint16_t source : back.target_groups[group]) {
          const std::uint64_t other = slab + (source - group) * window.below;
          if (batch.contains(other) || !from.contains(other)) continue;
          if (crossing.source->active(other, crossing.plane)) slabs.push_back(other);
        }
      }
    }
    std::sort(slabs.begin(), slabs.end());
    slabs.erase(std::unique(slabs.begin(), slabs.end()), slabs.end());
    for (const std::uint64_t slab : slabs) found.push_back({crossing.source, crossing.plane, slab});
  }
  return found;
}

std::uint64_t most_outside_slabs(const StateLayout& layout, bool single,
                                 std::uint64_t batch_slabs) {
  std::uint64_t outside = 0;
  for (const Window& window : layout.windows()) {
    // The blank's colour lets only one of the two ways between two cells begin in a level.
    if (!window.leaves_slab || (single && window.up)) continue;
    // Slabs that share the other digits lie in one batch, or come from others.
    if (batch_slabs % (window.groups * window.below) == 0) continue;
    outside += std::min(batch_slabs * window.blocks, layout.slabs());
  }
  return outside;
}

}  // namespace tessera
