// SPDX-License-Identifier: MIT
#include "census/disk/far_tiles.hpp"

#include <algorithm>

namespace tessera {

std::vector<FarTile> far_tiles(const TileLayout& layout, const std::vector<Pull>& pulls,
                               TileRange batch, TileRange from) {
  std::vector<FarTile> found;
  std::vector<std::uint64_t> tiles;
  for (std::size_t i = 0; i < pulls.size(); ++i) {
    const Pull& pull = pulls[i];
    const auto same = [&](const Pull& other) {
      return other.source == pull.source && other.plane == pull.plane;
    };
    // A plane that two moves start from is listed with the first of them.
    const auto here = pulls.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::any_of(pulls.begin(), here, same)) continue;
    tiles.clear();
    for (auto next = here; next != pulls.end(); ++next) {
      if (!same(*next)) continue;
      const Window& window = *next->window;
      // Where a move comes from is where its inverse goes to.
      const Window& back = layout.window(window.start, !window.up);
      const std::uint64_t span = window.below * window.groups;
      for (std::uint64_t tile = batch.first; tile < batch.first + batch.count; ++tile) {
        const std::uint64_t begin = tile / span * span;
        if (begin + span <= from.first || begin >= from.first + from.count) {
          tile = begin + span - 1;
          continue;
        }
        const std::uint64_t group = tile / window.below % window.groups;
        for (const std::uint16_t source : back.target_groups[group]) {
          const std::uint64_t other = tile + (source - group) * window.below;
          if (batch.contains(other) || !from.contains(other)) continue;
          if (pull.source->active(other, pull.plane)) tiles.push_back(other);
        }
      }
    }
    std::sort(tiles.begin(), tiles.end());
    tiles.erase(std::unique(tiles.begin(), tiles.end()), tiles.end());
    for (const std::uint64_t tile : tiles) found.push_back({pull.source, pull.plane, tile});
  }
  return found;
}

std::uint64_t most_far_tiles(const TileLayout& layout, bool single, std::uint64_t batch_tiles) {
  std::uint64_t far = 0;
  for (const Window& window : layout.windows()) {
    // The blank's colour lets only one of the two ways between two cells begin in a level.
    if (!window.leaves_tile || (single && window.up)) continue;
    // Tiles that share the other digits lie in one batch, or come from others.
    if (batch_tiles % (window.groups * window.below) == 0) continue;
    far += std::min(batch_tiles * window.blocks, layout.tiles());
  }
  return far;
}

}  // namespace tessera
