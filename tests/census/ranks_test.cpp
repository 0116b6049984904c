// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "base/temporary_folder.hpp"
#include "base/thinned.hpp"
#include "base/thread_ranks.hpp"
#include "census/levels/sweep.hpp"
#include "published_widths.hpp"

namespace tessera {
namespace {

CensusResult searched_by_ranks(const CensusTask& task, int ranks, bool one_host = false) {
  CensusResult result;
  CensusObserver nobody;
  const std::atomic<bool> never{false};
  ThreadRanks(ranks, one_host).run([&](Ranks& job) {
    const CensusResult own = run_census(task, job, nobody, never);
    if (job.rank() == 0) result = own;
  });
  return result;
}

TEST(CensusRanks, CountAsOneDoes) {
  for (const PublishedWidths& table : published_widths(12, 12)) {
    // One of each shape and metric, with goals whose blank is elsewhere.
    if (table.task.goal_blank != table.task.size.width * (table.task.size.height - 1)) continue;
    if (thinned != 1 && table.task.size.width > 3) continue;
    const bool is_wide = table.task.size.width > table.task.size.height;
    for (const int ranks : {2, 3, 7}) {
      if (ranks == 7 && is_wide) continue;
      if (thinned != 1 && ranks != 3) continue;
      if (!all_cases() && ranks != (is_wide ? 2 : 3)) continue;
      const CensusResult result = searched_by_ranks(table.task, ranks);
      EXPECT_EQ(result.widths, table.widths) << table.name() << ", " << ranks << " ranks";
      EXPECT_GT(result.exchanged_bytes, 0U);
    }
  }
}

TEST(CensusRanks, SendNothingWhereTheyShareMemory) {
  for (const PublishedWidths& table : published_widths(12, 12)) {
    const Size size = table.task.size;
    if (table.task.goal_blank != size.width * (size.height - 1) || size.width > size.height)
      continue;
    if (thinned != 1 && size.width > 2) continue;
    const CensusResult result = searched_by_ranks(table.task, 3, true);
    EXPECT_EQ(result.widths, table.widths) << table.name();
    EXPECT_EQ(result.exchanged_bytes, 0U) << table.name();
  }
}

TEST(CensusRanks, SmallSizesHaveFewerSlabsThanRanks) {
  for (const PublishedWidths& table : published_widths(2, 9)) {
    if (table.task.goal_blank != 0) continue;
    EXPECT_EQ(searched_by_ranks(table.task, 3).widths, table.widths) << table.name();
  }
}

// However they exchange: with shared memory, by messages, on disk.
TEST(CensusRanks, LeaveALevelWhereTheSearchIsGivenUp) {
  struct Stopping final : CensusObserver {
    // Of a level that others are through with rank 0 shows no progress.
    void level_progress(int now, double) override {
      if (now < 16 || stop) return;
      depth = now;
      stop = true;
    }
    std::atomic<int> depth{0};
    std::atomic<bool> stop{false};
  };
  for (const Metric metric : {Metric::single, Metric::multi}) {
    for (const bool on_disk : {false, true}) {
      for (const bool one_host : {false, true}) {
        const TemporaryFolder folder;
        CensusTask task;
        task.size = {4, 3};
        task.metric = metric;
        if (on_disk) task.disk = folder.text();
        task.memory_bytes = std::uint64_t{64} << 20;
        Stopping observer;
        CensusObserver nobody;
        ThreadRanks ranks(3, one_host);
        ranks.run([&](Ranks& job) {
          const bool first = job.rank() == 0;
          const CensusResult result = run_census(
              task, job, first ? static_cast<CensusObserver&>(observer) : nobody, observer.stop);
          EXPECT_EQ(result.widths.size(), static_cast<std::size_t>(observer.depth));
          EXPECT_FALSE(result.complete);
        });
        EXPECT_TRUE(folder.entries().empty());
      }
    }
  }
}

TEST(CensusRanks, GiveTheSameBoards) {
  CensusTask task;
  task.size = {4, 3};
  task.last_depth = 20;
  task.picks = 500;
  const std::vector<Board> boards = searched_by_ranks(task, 1).picked;
  EXPECT_EQ(boards.size(), 500U);
  EXPECT_EQ(searched_by_ranks(task, 4).picked, boards);
  task.pick_seed = 3;
  EXPECT_EQ(searched_by_ranks(task, 3).picked, searched_by_ranks(task, 1).picked);
}

TEST(ShareSlabs, GivesEverySlabToOneRank) {
  for (const std::uint64_t slabs : {1U, 5U, 110U, 17160U}) {
    for (const int ranks : {1, 2, 3, 7, 64}) {
      std::uint64_t next = 0;
      std::uint64_t least = slabs;
      std::uint64_t most = 0;
      for (const SlabRange& part : share_slabs(slabs, ranks)) {
        EXPECT_EQ(part.first, next);
        next += part.count;
        least = std::min(least, part.count);
        most = std::max(most, part.count);
      }
      EXPECT_EQ(next, slabs);
      EXPECT_LE(most - least, 1U);
    }
  }
}

}  // namespace
}  // namespace tessera
