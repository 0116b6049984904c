// SPDX-License-Identifier: MIT
#include <algorithm>

#include "census/levels/level_engine.hpp"
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

namespace {

// The widest level, of all states, by sizes of up to 16 cells; a little more than any had.
double widest_share(Size size, Metric metric) {
  const bool two_rows = std::min(size.width, size.height) == 2;
  if (metric == Metric::multi) return two_rows ? 0.145 : 0.175;
  return (two_rows ? 0.75 : 1.2) / size.cells();
}

}  // namespace

CensusDiskPlan census_disk_plan(Size size, Metric metric, int threads, std::uint64_t memory_bytes,
                                bool keeps, int ranks) {
  CensusDiskPlan plan;
  if (is_plain_census(size)) return plan;
  const TileLayout layout = layout_of(size);
  // Batches of tiles that share their first digits: what a move splits then lies in one of them.
  std::vector<std::uint64_t> batches{1};
  for (std::uint64_t radix = TileLayout::usual_tile + 1; batches.back() < layout.tiles(); ++radix) {
    batches.push_back(std::min(layout.tiles(), batches.back() * radix));
  }
  constexpr std::uint64_t least_held = std::uint64_t{1} << 20;
  constexpr std::uint64_t most_behind = std::uint64_t{64} << 20;
  // Larger windows leave the caches, smaller ones fetch more from other batches.
  constexpr std::uint64_t enough_tiles = 110;
  plan.least_memory =
      LevelEngine::disk_memory_bytes(layout, metric, 1, threads, ranks) + 2 * least_held;
  for (const std::uint64_t batch : batches) {
    const std::uint64_t fixed =
        LevelEngine::disk_memory_bytes(layout, metric, batch, threads, ranks);
    plan.least_memory = std::min(plan.least_memory, fixed + 2 * least_held);
    if (fixed + 2 * least_held > memory_bytes) continue;
    // A larger batch may take no more than half of the memory.
    if (plan.batch_tiles != 0 && fixed > memory_bytes / 2) continue;
    if (plan.batch_tiles >= enough_tiles) break;
    plan.batch_tiles = batch;
    const std::uint64_t left = memory_bytes - fixed;
    plan.behind_bytes = std::clamp(left / 8, least_held, most_behind);
    // What comes and goes is rounded up to pages.
    plan.held_bytes = (left - plan.behind_bytes) / 16 * 15;
  }
  const double widest = widest_share(size, metric) * static_cast<double>(census_states(size));
  constexpr double bits_a_state = 4.5;  // of dense levels, measured
  const auto frontier = static_cast<std::uint64_t>(widest * bits_a_state / 8);
  const std::uint64_t planes_bytes = LevelEngine::memory_bytes(layout, metric, layout.tiles());
  // Metric multi collects along columns in planes beside its levels. A checkpoint pins the level
  // that the next one replaces.
  std::uint64_t all = metric == Metric::single ? 2 * frontier : 3 * frontier;
  if (keeps) all += 2 * frontier;
  all = std::min(all, keeps ? 2 * planes_bytes : planes_bytes);
  all /= static_cast<std::uint64_t>(ranks);
  plan.disk_bytes = keeps ? all : all - std::min(all, plan.held_bytes);
  return plan;
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
