// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <optional>

#include "base/full_disk.hpp"
#include "base/refusal.hpp"
#include "kept_search.hpp"

namespace tessera {
namespace {

class CensusRoom : public KeptSearch {};

TEST_P(CensusRoom, AFullDiskLeavesTheLastSetWhole) {
  (void)run(1, 10);
  const auto before = files("");
  std::optional<FullDisk> full(20'000);
  EXPECT_EQ(refused([&] { return run(2, 25); }).kind(), ErrorKind::resource);
  full.reset();
  EXPECT_EQ(files(""), before);
  EXPECT_EQ(run(3).widths, widths_);
}

TEST_P(CensusRoom, AFullDiskLeavesTheLastSetWholeOnDisk) {
  const TemporaryFolder scratch;
  on_disk(scratch.text(), 1);
  (void)run(1, 10);
  const auto before = files("");
  std::optional<FullDisk> full(20'000);
  const int depth = GetParam() == Metric::single ? 40 : 22;
  EXPECT_EQ(refused([&] { return run(1, depth); }).kind(), ErrorKind::resource);
  full.reset();
  EXPECT_EQ(files(""), before);
  task_.disk.clear();
  EXPECT_EQ(run(3).widths, widths_);
}

TEST_P(CensusRoom, ADiskThatIsFullWhileResumingIsNoDamage) {
  const TemporaryFolder scratch;
  (void)run(1, 10);
  const auto before = files("");
  on_disk(scratch.text(), 1);
  std::optional<FullDisk> full(20);
  EXPECT_EQ(refused([&] { return run(1); }).kind(), ErrorKind::resource);
  full.reset();
  EXPECT_EQ(files(""), before);
  EXPECT_EQ(run(1).widths, widths_);
}

TEST_P(CensusRoom, WithoutRoomForACheckpointTheSearchContinues) {
  (void)run(1, 10);
  const auto before = files("");
  task_.checkpoint_seconds = 0;
  std::optional<FullDisk> full(20'000);
  const CensusResult result = run(2);
  full.reset();
  EXPECT_EQ(result.widths, widths_);
  ASSERT_FALSE(listener_.notices.empty());
  EXPECT_NE(listener_.notices[0].find("the search continues"), std::string::npos);
  EXPECT_NE(files(""), before);  // its first and last levels are small enough
}

// Whether a checkpoint or the next level finds that a frontier was not written.
TEST_P(CensusRoom, ASearchThatCannotWriteItsFrontierDoesNotSayThatItContinues) {
  const TemporaryFolder scratch;
  on_disk(scratch.text(), 1);
  task_.checkpoint_seconds = 0;
  for (const std::uint64_t most_bytes : {20, 1000, 5000, 20'000}) {
    const FullDisk full(most_bytes);
    const Error error = refused([&] { return run(1); });
    EXPECT_EQ(error.kind(), ErrorKind::resource);
    for (const std::string& notice : listener_.notices) {
      EXPECT_EQ(notice.find(error.what()), std::string::npos) << notice;
    }
  }
}

// As a first checkpoint that fails, of a search begun without --resume.
TEST_P(CensusRoom, AnEarlierSearchStandsUntilTheFirstSetIsWhole) {
  (void)run(1, 10);
  const auto before = files("census-");
  task_.resume = false;
  task_.checkpoint_seconds = 0;
  task_.last_depth = 2;
  std::optional<FullDisk> full(20);
  (void)run(1);
  full.reset();
  EXPECT_EQ(listener_.notices.size(), 3U);  // what is there, and two depths that are not kept
  EXPECT_EQ(files("census-"), before);
  (void)run(1);
  for (const std::string& name : before) EXPECT_EQ(files(name).size(), 0U) << name;
}

INSTANTIATE_TEST_SUITE_P(Metrics, CensusRoom, both_metrics, metric_name);

}  // namespace
}  // namespace tessera
