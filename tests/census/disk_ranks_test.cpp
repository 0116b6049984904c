// SPDX-License-Identifier: MIT
// Complete searches on disk over ranks: every table, slabs so small that most of what moves bring
// comes from others, and what ends a search of many.
#include <gtest/gtest.h>

#include <set>

#include "base/temporary_folder.hpp"
#include "base/thinned.hpp"
#include "base/thread_ranks.hpp"
#include "census/disk/outside_slabs.hpp"
#include "census/disk/spill_folder.hpp"
#include "published_widths.hpp"

namespace tessera {
namespace {

struct Counted {
  std::vector<std::uint64_t> widths{1};
  std::uint64_t sent = 0;
  std::uint64_t read = 0;
};

Counted searched(const PublishedWidths& table, const StateLayout& layout, int ranks,
                 std::uint64_t batch_slabs, std::uint64_t held_bytes, const std::string& folder) {
  Counted counted;
  ThreadRanks(ranks).run([&](Ranks& job) {
    const SpillFolder spills(folder, job);
    Spill spill(spills, held_bytes, 10'000);
    ThreadTeam team(1);
    const auto engine = engine_of(table, {layout, job, team, {&spill, batch_slabs}});
    const auto widths = widths_of(*engine, table);
    std::array<std::uint64_t, 2> bytes{engine->bytes_sent(), spill.bytes_read()};
    job.sum(bytes);
    if (job.rank() == 0) counted = {widths, bytes[0], bytes[1]};
  });
  return counted;
}

TEST(DiskRanks, CountEveryTableTheSame) {
  const TemporaryFolder folder;
  int cases = 0;
  int searches = 0;
  for (const PublishedWidths& table : published_widths(6, 10)) {
    const Size size = table.task.size;
    if (size.width > size.height || size.width < 2) continue;
    if (thinned != 1 && table.task.goal_blank % 3 != 0) continue;
    const bool small = size.cells() > size.width + 5;
    const StateLayout layout(size, table.task.goal_blank,
                             small ? size.width + 4 : StateLayout::default_slab);
    const std::uint64_t batch = std::max<std::uint64_t>(1, layout.slabs() / 20);
    for (const int ranks : {1, 2, 3, 4, 7}) {
      const int every = thinned != 1 || size.cells() == 10 ? 5 : all_cases() ? 1 : 7;
      if (++cases % every != table.task.goal_blank % every) continue;
      ++searches;
      const Counted counted =
          searched(table, layout, ranks, batch, cases % 2 == 0 ? 0 : 20'000, folder.text());
      EXPECT_EQ(counted.widths, table.widths) << table.name() << ", " << ranks << " ranks";
      EXPECT_EQ(counted.sent > 0, ranks > 1 && layout.slabs() > 1);
    }
  }
  EXPECT_GE(searches, thinned != 1 ? 10 : all_cases() ? 200 : 30);
  EXPECT_EQ(folder.entries().size(), 0U);
}

// One search by each number of ranks, at each size of its batches.
TEST(DiskRanks, BatchesOfAnySizeCountTheSame) {
  const TemporaryFolder folder;
  for (const PublishedWidths& table : published_widths(10, 10)) {
    if (table.task.size.width != 2 || table.task.goal_blank != 3) continue;
    const StateLayout layout(table.task.size, 3, 7);
    for (const auto& [ranks, batch] :
         std::vector<std::pair<int, std::uint64_t>>{{2, 8}, {3, 5}, {4, 9}, {7, 72}}) {
      const Counted counted = searched(table, layout, ranks, batch, 0, folder.text());
      EXPECT_EQ(counted.widths, table.widths) << ranks << " ranks, batches of " << batch;
      EXPECT_GT(counted.sent, 0U);
      EXPECT_GT(counted.read, 0U);
    }
  }
}

// What both sides list must be the same, and exactly what the moves need.
TEST(DiskRanks, OutsideSlabsAreThoseThatBlocksComeFrom) {
  const StateLayout layout({2, 5}, 0, 6);
  Ranks alone;
  const SlabRange all{0, layout.slabs()};
  Layer layer(layout, {layout.cells()}, {.range = all, .part = all});
  for (std::uint64_t slab = 0; slab < layout.slabs(); ++slab) {
    layer.active()[slab] = static_cast<std::uint16_t>(slab % 7 == 0 ? 0 : 0x3ff);
  }
  std::vector<Crossing> crossings;
  for (const Window& window : layout.windows()) {
    if (!window.leaves_slab) continue;
    const int above = window.start;
    crossings.push_back({&window, &layer, window.up ? above + 2 : above});
  }
  ASSERT_FALSE(crossings.empty());
  const std::vector<SlabRange> parts = share_slabs(layout.slabs(), 3);
  for (const SlabRange& batch : {SlabRange{0, 10}, {95, 12}, {parts[1].first, 31}}) {
    std::set<std::pair<int, std::uint64_t>> needed;
    for (const Crossing& crossing : crossings) {
      for (std::uint64_t slab = batch.first; slab < batch.first + batch.count; ++slab) {
        for (std::uint32_t block = 0; block < crossing.window->blocks; ++block) {
          const std::uint64_t from = layout.source_block(*crossing.window, slab, block).slab;
          if (!batch.contains(from) && from % 7 != 0) needed.emplace(crossing.plane, from);
        }
      }
    }
    std::set<std::pair<int, std::uint64_t>> listed;
    std::size_t count = 0;
    for (const SlabRange& part : parts) {
      for (const OutsideSlab& outside : outside_slabs(layout, crossings, batch, part)) {
        EXPECT_TRUE(part.contains(outside.slab));
        listed.emplace(outside.plane, outside.slab);
        ++count;
      }
    }
    EXPECT_EQ(listed, needed);
    EXPECT_EQ(count, needed.size());
    EXPECT_EQ(outside_slabs(layout, crossings, batch, {0, layout.slabs()}).size(), count);
    EXPECT_LE(count, most_outside_slabs(layout, false, batch.count));
  }
}

}  // namespace
}  // namespace tessera
