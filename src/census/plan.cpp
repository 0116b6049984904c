// SPDX-License-Identifier: MIT
#include <algorithm>

#include "census/level_engine.hpp"
#include "census/plain_census.hpp"
#include "tessera/census/census.hpp"

namespace tessera {
namespace {

TileLayout layout_of(Size size) {
  return {{std::min(size.width, size.height), std::max(size.width, size.height)}, 0};
}

std::uint64_t rank_bytes(const TileLayout& layout, Metric metric, int ranks) {
  const auto count = static_cast<std::uint64_t>(ranks);
  return LevelEngine::memory_bytes(layout, metric, (layout.tiles() + count - 1) / count);
}

}  // namespace

std::uint64_t census_memory_bytes(Size size, Metric metric, int ranks) {
  return is_plain_census(size) ? 0 : rank_bytes(layout_of(size), metric, ranks);
}

std::optional<int> census_ranks_for(Size size, Metric metric, std::uint64_t bytes) {
  if (is_plain_census(size)) return 1;
  const TileLayout layout = layout_of(size);
  int enough = static_cast<int>(layout.tiles());
  if (rank_bytes(layout, metric, enough) > bytes) return {};
  for (int too_few = 0; enough - too_few > 1;) {
    const int middle = too_few + (enough - too_few) / 2;
    (rank_bytes(layout, metric, middle) <= bytes ? enough : too_few) = middle;
  }
  return enough;
}

std::uint64_t census_exchange_bytes(Size size, Metric metric, int ranks) {
  if (is_plain_census(size) || ranks == 1) return 0;
  const TileLayout layout = layout_of(size);
  const std::vector<TileRange> parts = share_tiles(layout.tiles(), ranks);
  const TileRange& part = parts[parts.size() / 2];
  if (part.count == 0) return 0;
  constexpr std::uint64_t samples = 256;
  const std::uint64_t step = std::max<std::uint64_t>(1, part.count / samples);
  std::uint64_t words = 0;
  std::uint64_t seen = 0;
  for (std::uint64_t tile = part.first; tile < part.first + part.count; tile += step, ++seen) {
    for (const Window& window : layout.windows()) {
      if (!window.leaves_tile) continue;
      for (std::uint32_t block = 0; block < window.blocks; ++block) {
        if (!part.contains(layout.source_block(window, tile, block).tile)) {
          words += window.block_words;
        }
      }
    }
  }
  // Metric single moves from the planes of one colour at a time.
  const std::uint64_t per_tile = 8 * words / seen / (metric == Metric::single ? 2 : 1);
  return per_tile * layout.tiles();
}

}  // namespace tessera
