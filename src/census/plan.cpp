// SPDX-License-Identifier: MIT
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "census/census.hpp"
#include "census/census_frame.hpp"
#include "census/checkpoint/level_files.hpp"
#include "census/disk/block_codec.hpp"
#include "census/disk/outside_slabs.hpp"
#include "census/levels/column_stages.hpp"
#include "census/levels/sweep.hpp"

namespace tessera {
namespace {

StateLayout layout_of(Size size) {
  return {{std::min(size.width, size.height), std::max(size.width, size.height)}, 0};
}

std::uint64_t frontier_planes(const StateLayout& layout, Metric metric) {
  const auto cells = static_cast<std::uint64_t>(layout.cells());
  if (metric == Metric::single) return cells;
  return 2 * cells + static_cast<std::uint64_t>(ColumnStages(layout).planes);
}

std::uint64_t slabs_per_rank(const StateLayout& layout, int ranks) {
  const auto count = static_cast<std::uint64_t>(ranks);
  return (layout.slabs() + count - 1) / count;
}

// Memory of each of `ranks` ranks, in memory mode.
std::uint64_t rank_bytes(const StateLayout& layout, Metric metric, int ranks) {
  const std::uint64_t planes = frontier_planes(layout, metric);
  const std::uint64_t slabs = slabs_per_rank(layout, ranks);
  // Per slab of all ranks: active planes, parity, wanted slabs and their order.
  return Layer::bytes(layout, static_cast<int>(planes), slabs) + planes * slabs * 4 +
         layout.slabs() * 20 + 8 * encoded_words(planes * slabs * layout.stride());
}

// Memory of each of `ranks` ranks in disk mode, without the segments.
std::uint64_t disk_mode_bytes(const StateLayout& layout, Metric metric, std::uint64_t batch_slabs,
                              int threads, int ranks) {
  const std::uint64_t planes = frontier_planes(layout, metric);
  const std::uint64_t slab_bytes = layout.stride() * 8;
  const std::uint64_t own_slabs = slabs_per_rank(layout, ranks);
  const std::uint64_t window = planes * std::min(batch_slabs, own_slabs);
  const std::uint64_t outside = most_outside_slabs(layout, metric == Metric::single, batch_slabs);
  // Blocks of two batches are in transit and those of one are collected, compressed; a batch's
  // outside blocks are read and sent for another rank as well. Its entries go first.
  const std::uint64_t raw = (window + outside) * slab_bytes;
  const std::uint64_t sent =
      ranks == 1 ? 0 : outside * (slab_bytes + static_cast<std::uint64_t>(ranks) * 64);
  const std::uint64_t index =
      planes * own_slabs * (sizeof(BlockEntry) + 2 * sizeof(std::uint32_t)) + layout.slabs() * 12;
  const std::uint64_t thread =
      (static_cast<std::uint64_t>(layout.cells()) + 8) * slab_bytes + (std::uint64_t{2} << 20);
  return raw + raw * 3 / 4 + sent + index + static_cast<std::uint64_t>(threads) * thread;
}

// The widest level's share of all states, for sizes up to 16 cells; rounded up slightly.
double widest_share(Size size, Metric metric) {
  const bool two_rows = std::min(size.width, size.height) == 2;
  if (metric == Metric::multi) return two_rows ? 0.145 : 0.175;
  return (two_rows ? 0.75 : 1.2) / size.cells();
}

// Of a folder or, until it exists, of the one that it will be in.
std::pair<dev_t, std::filesystem::space_info> file_system_of(std::filesystem::path folder) {
  std::error_code none;
  struct stat status {};
  for (folder = std::filesystem::absolute(folder, none);
       stat(folder.c_str(), &status) != 0 && folder.has_relative_path();) {
    folder = folder.parent_path();
  }
  return {status.st_dev, std::filesystem::space(folder, none)};
}

}  // namespace

CheckpointPlace checkpoint_place(const CensusTask& task) {
  if (task.checkpoint.empty()) return CheckpointPlace::nowhere;
  if (task.disk.empty()) return CheckpointPlace::beside;
  const auto [device, space] = file_system_of(task.checkpoint);
  const auto [disk_device, disk_space] = file_system_of(task.disk);
  // Devices of one pool share its size (Btrfs) or what is free in it (ZFS).
  const bool shared = device == disk_device || space.capacity == disk_space.capacity ||
                      space.free == disk_space.free;
  return shared ? CheckpointPlace::beside : CheckpointPlace::elsewhere;
}

std::uint64_t census_memory_bytes(Size size, Metric metric, int ranks) {
  return is_plain_census(size) ? 0 : rank_bytes(layout_of(size), metric, ranks);
}

CensusDiskPlan census_disk_plan(Size size, Metric metric, int threads, std::uint64_t memory_bytes,
                                CheckpointPlace checkpoints, int ranks) {
  CensusDiskPlan plan;
  if (is_plain_census(size)) {
    plan.batch_slabs = 1;  // any memory is enough
    return plan;
  }
  const StateLayout layout = layout_of(size);
  // Batches of slabs that share their first digits, so that moves mostly stay in one batch.
  std::vector<std::uint64_t> batches{1};
  for (std::uint64_t radix = StateLayout::default_slab + 1; batches.back() < layout.slabs();
       ++radix) {
    batches.push_back(std::min(layout.slabs(), batches.back() * radix));
  }
  constexpr std::uint64_t least_held = std::uint64_t{1} << 20;
  constexpr std::uint64_t most_behind = std::uint64_t{64} << 20;
  // Larger windows exceed the caches, smaller ones fetch more from other batches.
  constexpr std::uint64_t enough_slabs = 110;
  plan.least_memory = disk_mode_bytes(layout, metric, 1, threads, ranks) + 2 * least_held;
  for (const std::uint64_t batch : batches) {
    const std::uint64_t fixed = disk_mode_bytes(layout, metric, batch, threads, ranks);
    plan.least_memory = std::min(plan.least_memory, fixed + 2 * least_held);
    if (fixed + 2 * least_held > memory_bytes) continue;
    // A larger batch may use at most half of the memory.
    if (plan.batch_slabs != 0 && fixed > memory_bytes / 2) continue;
    if (plan.batch_slabs >= enough_slabs) break;
    plan.batch_slabs = batch;
    const std::uint64_t left = memory_bytes - fixed;
    plan.behind_bytes = std::clamp(left / 8, least_held, most_behind);
    // Allocations are rounded up to pages.
    plan.held_bytes = (left - plan.behind_bytes) / 16 * 15;
  }
  const double widest = widest_share(size, metric) * static_cast<double>(census_states(size));
  constexpr double bits_per_state = 4.5;  // of dense levels, measured
  const auto frontier = static_cast<std::uint64_t>(widest * bits_per_state / 8);
  const std::uint64_t planes_bytes = rank_bytes(layout, metric, 1);
  // Metric multi collects along columns in additional planes. A checkpoint keeps the level that the
  // next one replaces, and wherever it is, what memory holds is written to the disk first.
  const bool beside = checkpoints == CheckpointPlace::beside;
  std::uint64_t all = metric == Metric::single ? 2 * frontier : 3 * frontier;
  if (beside) all += 2 * frontier;
  all = std::min(all, beside ? 2 * planes_bytes : planes_bytes);
  all /= static_cast<std::uint64_t>(ranks);
  plan.disk_bytes =
      checkpoints == CheckpointPlace::nowhere ? all - std::min(all, plan.held_bytes) : all;
  return plan;
}

std::optional<int> census_ranks_for(Size size, Metric metric, std::uint64_t bytes) {
  if (is_plain_census(size)) return 1;
  const StateLayout layout = layout_of(size);
  int enough = static_cast<int>(layout.slabs());
  if (rank_bytes(layout, metric, enough) > bytes) return {};
  for (int too_few = 0; enough - too_few > 1;) {
    const int middle = too_few + (enough - too_few) / 2;
    (rank_bytes(layout, metric, middle) <= bytes ? enough : too_few) = middle;
  }
  return enough;
}

std::uint64_t census_exchange_bytes(Size size, Metric metric, int ranks) {
  if (is_plain_census(size) || ranks == 1) return 0;
  const StateLayout layout = layout_of(size);
  const std::vector<SlabRange> parts = share_slabs(layout.slabs(), ranks);
  const SlabRange& part = parts[parts.size() / 2];
  if (part.count == 0) return 0;
  constexpr std::uint64_t samples = 256;
  const std::uint64_t step = std::max<std::uint64_t>(1, part.count / samples);
  std::uint64_t words = 0;
  std::uint64_t seen = 0;
  for (std::uint64_t slab = part.first; slab < part.end(); slab += step, ++seen) {
    for (const Window& window : layout.windows()) {
      if (!window.leaves_slab) continue;
      for (std::uint32_t block = 0; block < window.blocks; ++block) {
        if (!part.contains(layout.source_block(window, slab, block).slab)) {
          words += window.block_words;
        }
      }
    }
  }
  // Metric single moves from the planes of one color at a time.
  const std::uint64_t per_slab = 8 * words / seen / (metric == Metric::single ? 2 : 1);
  return per_slab * layout.slabs();
}

}  // namespace tessera
