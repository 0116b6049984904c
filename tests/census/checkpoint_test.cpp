// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <unistd.h>

#include <limits>

#include "base/lock_file.hpp"
#include "base/refusal.hpp"
#include "census/checkpoint/manifest.hpp"
#include "kept_search.hpp"

namespace tessera {
namespace {

class CensusResume : public KeptSearch {};

TEST_P(CensusResume, ResumesOnAnotherNumberOfRanks) {
  int ranks = 3;
  for (const int depth : {1, 9, 22}) {
    const CensusResult result = run(ranks, depth);
    EXPECT_TRUE(result.kept);
    EXPECT_FALSE(result.complete);
    EXPECT_EQ(result.widths.size(), std::size_t(depth) + 1);
    EXPECT_GT(result.bytes_written, 0U);
    ranks = ranks % 3 + 1;
  }
  const CensusResult result = run(2);
  EXPECT_EQ(result.resumed_depth, 22);
  EXPECT_EQ(result.widths, widths_);
  // No more than two sets stand.
  EXPECT_EQ(files(".manifest").size(), 2U);
}

// Any mode and number of ranks writes what any other resumes from.
TEST_P(CensusResume, GoesBetweenMemoryAndDiskOnAnyRanks) {
  const TemporaryFolder scratch;
  const bool single = GetParam() == Metric::single;
  struct Leg {
    int ranks;
    bool disk;
    int depth;
  };
  int before = 0;
  for (const Leg& leg : {Leg{1, false, 8},
                         {3, true, 12},
                         {2, false, 13},
                         {2, true, single ? 23 : 15},
                         {7, true, single ? 24 : 16},
                         {4, false, single ? 26 : 17},
                         {1, true, single ? 28 : 19}}) {
    on_disk(leg.disk ? scratch.text() : "", leg.ranks);
    const CensusResult result = run(leg.ranks, leg.depth);
    EXPECT_EQ(result.resumed_depth, before);
    EXPECT_TRUE(result.kept);
    EXPECT_GT(result.bytes_written, 0U);
    EXPECT_EQ(result.frontier_bytes > 0, leg.disk);
    ASSERT_EQ(result.widths.size(), std::size_t(leg.depth) + 1);
    EXPECT_TRUE(std::equal(result.widths.begin(), result.widths.end(), widths_.begin()));
    before = leg.depth;
  }
  on_disk("", 3);
  EXPECT_EQ(run(3).widths, widths_);
  EXPECT_EQ(scratch.entries().size(), 0U);
}

TEST_P(CensusResume, ASignalDoesNotReplaceADeeperCheckpointOfAnEarlierSearch) {
  (void)run(1, 10);
  const auto before = files("");
  task_.resume = false;
  EXPECT_FALSE(run(2, 3).kept);
  EXPECT_EQ(depth_, 3);
  EXPECT_EQ(files(""), before);
  EXPECT_TRUE(run(1, 12).kept);  // deeper than that
  // Its own sets are replaced.
  task_.checkpoint_seconds = 0;
  EXPECT_TRUE(run(1, 4).kept);
  task_.resume = true;
  task_.last_depth = 4;
  EXPECT_EQ(run(2).resumed_depth, 4);
}

TEST_P(CensusResume, ASetOfAnotherSearchIsRefused) {
  (void)run(1, 5);
  task_.goal_blank = 3;
  for (const bool resume : {true, false}) {
    task_.resume = resume;
    const Error error = refused([&] { return run(1); });
    EXPECT_EQ(error.kind(), ErrorKind::corrupt);
    const std::string metric = " --metric " + std::string(to_string(task_.metric));
    EXPECT_NE(std::string(error.what())
                  .find("is a checkpoint of 4x3 --goal cell:0" + metric +
                        ", not of 4x3 --goal cell:3" + metric + "; name another folder"),
              std::string::npos)
        << error.what();
  }
}

TEST_P(CensusResume, ASignalEndsTheWaitForAnotherSearch) {
  const auto held = LockFile::take_if_free(folder_.path() / ".census.lock");
  ASSERT_TRUE(held);
  struct Impatient final : CensusObserver {
    void notice(const std::string& text) override {
      said = text;
      stop = true;
    }
    std::string said;
    std::atomic<bool> stop{false};
  } observer;
  Ranks alone;
  const CensusResult result = run_census(task_, alone, observer, observer.stop);
  EXPECT_FALSE(result.complete);
  EXPECT_FALSE(result.kept);
  EXPECT_EQ(result.level_seconds.size(), result.widths.size());  // a row of the table for each
  EXPECT_NE(observer.said.find("held by process " + std::to_string(getpid())), std::string::npos)
      << observer.said;
}

TEST(SetFiles, ManyEmptySlabsTakeNoMemory) {
  const BlockFileReader reads("", {"-", {0, std::uint64_t{1} << 50}, 0, 0}, 3);
  EXPECT_EQ(reads.entry(1, std::uint64_t{1} << 40).length(), 0U);
  EXPECT_TRUE(reads.block(0, 5).empty());
}

// Each slab in a file, with the longest numbers.
TEST(SetFiles, TheLongestManifestCanBeRead) {
  const StateLayout layout({4, 4}, 0);
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t last = layout.slabs() - 1;
  const BlockFile file{
      SetFiles::blocks_prefix(999'999'999'999'999'999, most, 0) + std::to_string(last) + ".blocks",
      {last, layout.slabs()},
      most,
      most};
  EXPECT_LT(2 * layout.slabs() * SetFiles::file_line(0, file).size(), SetFiles::most_bytes);
}

INSTANTIATE_TEST_SUITE_P(Metrics, CensusResume, both_metrics, metric_name);

}  // namespace
}  // namespace tessera
