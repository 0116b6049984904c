// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include "base/lock_file.hpp"
#include "base/machine.hpp"
#include "census/disk/spill_folder.hpp"
#include "kept_search.hpp"

namespace tessera {
namespace {

class CensusFolders : public KeptSearch {};

TEST_P(CensusFolders, FilesOfOthersAreLeftAlone) {
  const TemporaryFolder scratch;
  std::vector<std::string> foreign;
  for (const char* name : {"spill-notes.txt", "census-1-notes.blocks", "census-2024.manifest.txt",
                           ".census-draft", "tessera-spill-mine"}) {
    foreign.push_back(folder_.file(name, "precious"));
    foreign.push_back(scratch.file(name, "precious"));
  }
  // A folder that looks like one of a killed search, and is open to others.
  const auto planted = scratch.path() / ("tessera-spill-" + host_name() + "-0-abcdef");
  std::filesystem::create_directory(planted);
  for (const char* name : {"spill-1.blocks", "lock"}) {
    std::ofstream(planted / name) << "precious";
    foreign.push_back((planted / name).string());
  }
  on_disk(scratch.text(), 2);
  task_.checkpoint_seconds = 0;
  (void)run(2, 12);
  for (const std::string& path : foreign) EXPECT_EQ(read_file(path, 100), "precious") << path;
  EXPECT_EQ(scratch.entries().size(), 6U);
}

TEST_P(CensusFolders, WhatAKilledSearchLeftOnDiskGoesWithTheNext) {
  const TemporaryFolder scratch;
  const auto left = scratch.path() / ("tessera-spill-" + host_name() + "-0-abcdef");
  std::filesystem::create_directory(left);
  std::filesystem::permissions(left, std::filesystem::perms::owner_all);
  std::ofstream(left / "spill-1.blocks") << "blocks";
  std::ofstream(left / "lock") << "process 1 on " << host_name() << "\n";
  on_disk(scratch.text(), 1);
  {
    const auto live = LockFile::take_if_free(left / "lock");
    ASSERT_TRUE(live);
    (void)run(1, 5);
    EXPECT_TRUE(std::filesystem::exists(left / "spill-1.blocks"));
    std::ofstream(left / "other") << "";  // keeps the folder
  }
  std::filesystem::remove(left / "other");
  std::ofstream(left / "lock") << "process 1 on " << host_name() << "\n";
  (void)run(1, 6);
  EXPECT_TRUE(scratch.entries().empty());
}

TEST_P(CensusFolders, AFolderThatAKilledSearchNeverLockedGoesWithTheNext) {
  const TemporaryFolder scratch;
  const auto left = scratch.path() / ("tessera-spill-" + host_name() + "-0-abcdef");
  std::filesystem::create_directory(left);
  std::filesystem::permissions(left, std::filesystem::perms::owner_all);
  on_disk(scratch.text(), 1);
  (void)run(1, 5);
  EXPECT_TRUE(scratch.entries().empty());
}

// On two hosts that share the folder, with two ranks each.
TEST(SpillFolder, EachHostRemovesWhatItsKilledSearchesLeft) {
  const TemporaryFolder scratch;
  const auto leave = [&] {
    for (const char* host : {"one", "two", "two-2"}) {
      const auto left = scratch.path() / ("tessera-spill-" + std::string(host) + "-0-abcdef");
      std::filesystem::create_directory(left);
      std::filesystem::permissions(left, std::filesystem::perms::owner_all);
    }
  };
  leave();
  ThreadRanks(4).run([&](Ranks& job) {
    const SpillFolder spills(scratch.path(), job, job.rank() % 2 == 0 ? "one" : "two");
    const std::size_t found = scratch.entries().size();
    job.agree("found", [&] { EXPECT_EQ(found, 5U); });  // those of the ranks and of a third host
    job.agree("left", [&] {
      if (job.rank() == 0) leave();
    });
  });
  EXPECT_EQ(scratch.entries(), std::vector<std::string>{"tessera-spill-two-2-0-abcdef"});
}

// Lists a folder while ranks find out whether they share it.
struct ListingRanks final : Ranks {
  explicit ListingRanks(const TemporaryFolder& listed) : folder(listed) {}
  void agree(const char* step, const std::function<void()>& work) override {
    Ranks::agree(step, work);
    if (std::string_view(step) == "checkpoint-folder") names = folder.entries();
  }
  const TemporaryFolder& folder;
  std::vector<std::string> names;
};

TEST_P(CensusFolders, WhatAKilledSearchLeftBesideItsCheckpointGoesWithTheNextOne) {
  ListingRanks ranks(folder_);
  task_.last_depth = 0;
  (void)run_census(task_, ranks, listener_, listener_.stop);
  ASSERT_EQ(ranks.names.size(), 2U);                                         // a lock and a draft
  for (const std::string& name : ranks.names) (void)folder_.file(name, "");  // as after a kill
  task_.last_depth = 3;
  task_.checkpoint_seconds = 0;
  (void)run(1);
  for (const std::string& name : folder_.entries())
    EXPECT_TRUE(name.starts_with("census-")) << name;
}

INSTANTIATE_TEST_SUITE_P(Metrics, CensusFolders, both_metrics, metric_name);

}  // namespace
}  // namespace tessera
