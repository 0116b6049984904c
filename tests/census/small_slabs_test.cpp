// SPDX-License-Identifier: MIT
// Sizes that can be searched in an instant, on slabs so small that moves leave them as often as on
// sizes that cannot.
#include <gtest/gtest.h>

#include "base/temporary_folder.hpp"
#include "base/thinned.hpp"
#include "base/thread_ranks.hpp"
#include "published_widths.hpp"

namespace tessera {
namespace {

std::vector<std::uint64_t> searched(const PublishedWidths& table, int slab_elements, int ranks,
                                    int threads, bool one_host = false) {
  const StateLayout layout(table.task.size, table.task.goal_blank, slab_elements);
  EXPECT_GT(layout.slabs(), 1U);
  std::vector<std::uint64_t> widths;
  ThreadRanks(ranks, one_host).run([&](Ranks& job) {
    ThreadTeam team(threads);
    const auto own = widths_of(*engine_of(table, {layout, job, team}), table);
    if (job.rank() == 0) widths = own;
  });
  return widths;
}

TEST(SmallSlabs, CountTheSame) {
  int searches = 0;
  std::uint64_t cases = 0;
  for (const PublishedWidths& table : published_widths(6, 10)) {
    const Size size = table.task.size;
    if (size.width > size.height || size.width < 2 || size.cells() < size.width + 6) continue;
    for (int elements = size.width + 4; elements < std::min(9, size.cells() - 1); ++elements) {
      if (++cases % sampled(3) != 0) continue;
      const int ranks = 1 + searches % 3;
      EXPECT_EQ(searched(table, elements, ranks, 1 + searches % 2), table.widths)
          << table.name() << ", slabs of " << elements << ", " << ranks << " ranks";
      ++searches;
    }
  }
  EXPECT_GT(searches, all_cases() ? 40 : 13);
}

// Ranks on one host share the work, others send.
TEST(SmallSlabs, CountTheSameOnOneHostOrMore) {
  int searches = 0;
  for (const PublishedWidths& table : published_widths(8, 10)) {
    const Size size = table.task.size;
    if (size.width > size.height || size.width < 2 || size.cells() < size.width + 6) continue;
    if (table.task.goal_blank % 2 != 0) continue;
    for (int elements = size.width + 4; elements < std::min(9, size.cells() - 1); ++elements) {
      const int ranks = 2 + searches % 4;
      const bool one_host = searches % 2 == 0;
      EXPECT_EQ(searched(table, elements, ranks, 1 + searches % 3 % 2, one_host), table.widths)
          << table.name() << ", slabs of " << elements << ", " << ranks << " ranks"
          << (one_host ? " on one host" : "");
      ++searches;
    }
  }
  EXPECT_GT(searches, 16);
}

// Batches from one slab to all of them, with nothing, a part or everything in memory.
TEST(SmallSlabs, CountTheSameOnDisk) {
  const TemporaryFolder folder;
  int searches = 0;
  std::uint64_t read = 0;
  for (const PublishedWidths& table : published_widths(8, 10)) {
    const Size size = table.task.size;
    if (size.width > size.height || size.width < 2 || size.cells() < size.width + 6) continue;
    if (table.task.goal_blank % 3 != 0) continue;
    for (int elements = size.width + 4; elements < std::min(9, size.cells() - 1); ++elements) {
      const StateLayout layout(size, table.task.goal_blank, elements);
      const std::uint64_t batches[]{1, 7, 10, 56, 100'000};
      const std::uint64_t batch = std::max<std::uint64_t>(
          batches[searches % 5], layout.slabs() / (table.widths.size() > 30 ? 4 : 12));
      Ranks alone;
      const SpillFolder spills(folder.path(), alone);
      Spill spill(spills, searches % 3 == 0 ? 0 : 20'000U * unsigned(searches % 3), 10'000);
      ThreadTeam team(1 + searches % 2);
      const DiskMode disk{&spill, std::min(batch, layout.slabs())};
      EXPECT_EQ(widths_of(*engine_of(table, {layout, alone, team, disk}), table), table.widths)
          << table.name() << ", slabs of " << elements << ", batches of " << disk.batch_slabs;
      read += spill.bytes_read();
      ++searches;
    }
  }
  EXPECT_GT(searches, 12);
  EXPECT_GT(read, 1'000'000U);
  EXPECT_EQ(folder.entries().size(), 0U);
}

}  // namespace
}  // namespace tessera
