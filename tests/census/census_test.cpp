// SPDX-License-Identifier: MIT
#include "census/census.hpp"

#include <gtest/gtest.h>

#include <set>

#include "base/temporary_folder.hpp"
#include "base/thinned.hpp"
#include "published_widths.hpp"
#include "puzzle/goal.hpp"

namespace tessera {
namespace {

CensusResult searched(CensusTask task, int threads) {
  Ranks alone;
  CensusObserver nobody;
  const std::atomic<bool> never{false};
  task.threads = threads;
  return run_census(task, alone, nobody, never);
}

TEST(Census, CountsWhatIsPublishedOnSizesToTenCells) {
  for (const PublishedWidths& table : published_widths(2, 10)) {
    for (const int threads : {1, 2}) {
      const CensusResult result = searched(table.task, threads);
      EXPECT_TRUE(result.complete);
      EXPECT_EQ(result.widths, table.widths) << table.name() << ", " << threads << " threads";
    }
  }
}

TEST(Census, CountsTheSameOnDisk) {
  const TemporaryFolder folder;
  for (const PublishedWidths& table : published_widths(6, 10)) {
    if (table.task.goal_blank % 4 != 1 || table.task.size.width == 1) continue;
    if (table.task.size.height == 1) continue;
    CensusTask task = table.task;
    task.disk = folder.text();
    task.memory_bytes =
        census_disk_plan(task.size, task.metric, 2, 0, CheckpointPlace::nowhere).least_memory;
    task.picks = 3;
    const CensusResult result = searched(task, 1);
    EXPECT_EQ(result.widths, table.widths) << table.name();
    EXPECT_GT(result.frontier_bytes, 0U);
    task.disk.clear();
    EXPECT_EQ(searched(task, 1).picked, result.picked) << table.name();
  }
  EXPECT_EQ(folder.entries().size(), 0U);
}

// Levels of few states cost little however many there are in all.
TEST(Census, BeginsAsPublishedOnFifteenCells) {
  const TemporaryFolder folder;
  for (const PublishedWidths& table : published_widths(15, 15)) {
    CensusTask task = table.task;
    task.last_depth = task.metric == Metric::single ? 16 : 9;
    task.disk = folder.text();
    task.memory_bytes = std::uint64_t{512} << 20;
    const CensusResult result = searched(task, 1);
    ASSERT_EQ(result.widths.size(), std::size_t(*task.last_depth) + 1);
    EXPECT_TRUE(std::equal(result.widths.begin(), result.widths.end(), table.widths.begin()))
        << table.name();
  }
}

TEST(Census, OnDiskNeedsSomeMemory) {
  const TemporaryFolder folder;
  CensusTask task;
  task.size = {4, 3};
  task.disk = folder.text();
  task.memory_bytes = 1 << 20;
  EXPECT_THROW((void)searched(task, 1), Error);
  const CensusDiskPlan large =
      census_disk_plan({5, 3}, Metric::single, 2, std::uint64_t{8} << 30, CheckpointPlace::nowhere);
  EXPECT_EQ(large.batch_slabs, 110U);
  EXPECT_LT(large.held_bytes, std::uint64_t{8} << 30);
  EXPECT_GT(large.held_bytes, std::uint64_t{7} << 30);
  EXPECT_NEAR(static_cast<double>(large.disk_bytes), 5e10, 1e10);
}

TEST(Census, CheckpointsTakeSpaceOnTheirOwnDisk) {
  const TemporaryFolder folder;
  CensusTask task;
  task.disk = folder.text();
  EXPECT_EQ(checkpoint_place(task), CheckpointPlace::nowhere);
  task.checkpoint = folder.text() + "/new/kept/";
  EXPECT_EQ(checkpoint_place(task), CheckpointPlace::beside);
  task.checkpoint = "/proc/none/kept";
  EXPECT_EQ(checkpoint_place(task), CheckpointPlace::elsewhere);
  const auto disk_bytes = [](CheckpointPlace place) {
    return census_disk_plan({5, 3}, Metric::single, 2, std::uint64_t{8} << 30, place).disk_bytes;
  };
  const std::uint64_t elsewhere = disk_bytes(CheckpointPlace::elsewhere);
  EXPECT_LT(disk_bytes(CheckpointPlace::nowhere), elsewhere);
  EXPECT_LT(elsewhere, disk_bytes(CheckpointPlace::beside));
}

// All goals of both metrics would take a minute: every fifth table, with one thread or two.
TEST(Census, CountsWhatIsPublishedOnTwelveCells) {
  const auto tables = published_widths(12, 12);
  ASSERT_GE(tables.size(), 40U);
  for (std::size_t i = 0; i < tables.size(); i += thinned == 1 ? 5 : 40) {
    const CensusResult result = searched(tables[i].task, 1 + static_cast<int>(i % 2));
    EXPECT_EQ(result.widths, tables[i].widths) << tables[i].name();
  }
}

TEST(Census, GivesEveryStateOfALevelOnce) {
  for (const Size size : {Size{3, 3}, Size{2, 4}, Size{4, 2}, Size{2, 2}, Size{1, 5}, Size{5, 2}}) {
    for (const Metric metric : {Metric::single, Metric::multi}) {
      for (const int goal : {0, 1, size.cells() - 1}) {
        CensusTask task;
        task.size = size;
        task.goal_blank = goal;
        task.metric = metric;
        std::set<std::string> before;
        std::vector<Board> level;
        for (int depth = 0; depth <= 7; ++depth) {
          // Plain breadth-first search beside it.
          std::set<std::string> expected;
          if (depth == 0) expected.insert(to_string(ordered_board(size, goal)));
          for (const Board& board : level) {
            for (const Direction way : all_directions) {
              Board moved = board;
              while (moved.neighbor(way)) {
                moved.move(way);
                if (!before.contains(to_string(moved))) expected.insert(to_string(moved));
                if (metric == Metric::single) break;
              }
            }
          }
          if (expected.empty()) break;
          task.last_depth = depth;
          task.picks = 1'000'000;
          const CensusResult result = searched(task, 1);
          ASSERT_EQ(result.widths.back(), expected.size());
          std::set<std::string> found;
          for (const Board& board : result.picked) found.insert(to_string(board));
          ASSERT_EQ(found, expected) << to_string(size) << " goal " << goal << " depth " << depth;
          level = result.picked;
          before.insert(expected.begin(), expected.end());
        }
      }
    }
  }
}

TEST(Census, DrawsTheSameStatesForASeed) {
  CensusTask task;
  task.size = {3, 4};
  task.last_depth = 30;
  task.picks = 20;
  task.pick_seed = 5;
  const CensusResult once = searched(task, 1);
  EXPECT_EQ(once.picked.size(), 20U);
  EXPECT_EQ(searched(task, 2).picked, once.picked);
  task.pick_seed = 6;
  EXPECT_NE(searched(task, 1).picked, once.picked);
}

TEST(Census, RefusesWhatItCannotHold) {
  CensusTask task;
  for (const Size size : {Size{5, 4}, Size{0, 3}, Size{1, 65}, Size{17, 2}}) {
    task.size = size;
    EXPECT_THROW(check_census(task), Error) << to_string(size);
  }
  task.size = {3, 3};
  task.goal_blank = 9;
  EXPECT_THROW(check_census(task), Error);
  EXPECT_EQ(census_states({4, 4}), 10461394944000U);
  EXPECT_EQ(census_states({1, 9}), 9U);
  // 10^13 states take a bit and a fifteenth each.
  EXPECT_NEAR(static_cast<double>(census_memory_bytes({4, 4}, Metric::single, 1)), 1.4e12, 3e10);
  const auto ranks = census_ranks_for({4, 4}, Metric::single, std::uint64_t{24} << 30);
  ASSERT_TRUE(ranks);
  EXPECT_LE(census_memory_bytes({4, 4}, Metric::single, *ranks), std::uint64_t{24} << 30);
  EXPECT_GT(census_memory_bytes({4, 4}, Metric::single, *ranks - 1), std::uint64_t{24} << 30);
  EXPECT_FALSE(census_ranks_for({4, 4}, Metric::single, 1 << 20));
}

TEST(Census, ProgressWithinALevelNeverFalls) {
  struct Rising final : CensusObserver {
    void level_progress(int depth, double done) override {
      const double least = depth == last_depth ? last : 0;
      last_depth = depth;
      last = done;
      EXPECT_GE(done, least) << depth;
      EXPECT_LE(done, 1) << depth;
    }
    void level_finished(int depth, std::uint64_t) override { EXPECT_EQ(last, 1) << depth; }
    int last_depth = 0;
    double last = 0;
  };
  const TemporaryFolder folder;
  for (const Metric metric : {Metric::single, Metric::multi}) {
    for (const bool on_disk : {false, true}) {
      CensusTask task;
      task.size = {4, 3};
      task.metric = metric;
      task.last_depth = 10;
      if (on_disk) task.disk = folder.text();
      task.memory_bytes = std::uint64_t{64} << 20;
      Ranks alone;
      Rising observer;
      const std::atomic<bool> never{false};
      (void)run_census(task, alone, observer, never);
      EXPECT_EQ(observer.last_depth, 10);
    }
  }
}

TEST(Census, StopsWithinALevelWhereNothingIsKept) {
  struct StopAt final : CensusObserver {
    std::atomic<bool> stop{false};
    void level_progress(int depth, double) override {
      if (depth == 25) stop = true;
    }
  } observer;
  CensusTask task;
  task.size = {4, 3};
  Ranks alone;
  const CensusResult result = run_census(task, alone, observer, observer.stop);
  EXPECT_FALSE(result.complete);
  EXPECT_FALSE(result.kept);
  EXPECT_EQ(result.widths.size(), 25U);
}

}  // namespace
}  // namespace tessera
