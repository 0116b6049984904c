// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <regex>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/temporary_folder.hpp"
#include "census/disk/block_codec.hpp"
#include "published_widths.hpp"
#include "tessera/base/lock_file.hpp"
#include "tessera/base/machine.hpp"
#include "tessera/base/random.hpp"
#include "thread_exchange.hpp"

namespace tessera {
namespace {

struct Listener final : CensusObserver {
  void notice(const std::string& text) override { notices.push_back(text); }
  // Within the level to stop at, whose end is waited for.
  void level_finished(int depth, std::uint64_t, double) override { stop = depth + 1 == stop_at; }
  std::vector<std::string> notices;
  int stop_at = -1;
  std::atomic<bool> stop{false};
};

class Kept : public ::testing::TestWithParam<Metric> {
 protected:
  Kept() {
    task_.size = {4, 3};
    task_.metric = GetParam();
    task_.checkpoint = folder_.text();
    task_.checkpoint_seconds = 1000;
    task_.resume = true;
    for (const PublishedWidths& table : published_widths(12, 12)) {
      if (table.task.size == task_.size && table.task.goal_blank == 0 &&
          table.task.metric == task_.metric) {
        widths_ = table.widths;
      }
    }
  }

  // With so many ranks, to the end or until that depth is finished.
  CensusResult run(int ranks, int stop_at = -1) {
    listener_.stop_at = stop_at;
    listener_.stop = stop_at == depth_ + 1;
    listener_.notices.clear();
    CensusResult result;
    ThreadRanks(ranks).run([&](Exchange& exchange) {
      CensusObserver nobody;
      const bool first = exchange.rank() == 0;
      const CensusResult own =
          run_census(task_, exchange, first ? static_cast<CensusObserver&>(listener_) : nobody,
                     listener_.stop);
      if (first) result = own;
    });
    depth_ = static_cast<int>(result.widths.size()) - 1;
    return result;
  }

  [[nodiscard]] std::vector<std::string> files(const std::string& part) const {
    std::vector<std::string> names;
    for (const std::string& name : folder_.entries()) {
      if (name.find(part) != std::string::npos) names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  [[nodiscard]] std::string content(const std::string& name) const {
    std::ifstream file(folder_.path() / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  // Empty: in memory.
  void on_disk(const std::string& folder, int ranks) {
    task_.disk = folder;
    task_.memory_bytes =
        census_disk_plan(task_.size, task_.metric, 1, 0, false, ranks).least_memory;
  }
  [[nodiscard]] std::uint64_t least_memory() const {
    return census_disk_plan(task_.size, task_.metric, 1, 0, false).least_memory;
  }

  TemporaryFolder folder_;
  CensusTask task_;
  std::vector<std::uint64_t> widths_;
  Listener listener_;
  int depth_ = 0;  // of the last run's end
};

TEST_P(Kept, GoesOnWithAnotherNumberOfRanks) {
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

TEST_P(Kept, AFlippedBitIsNamedAndTheOlderSetTaken) {
  task_.checkpoint_seconds = 0;  // after every level
  (void)run(1, 12);
  const std::string older = files(".manifest").front();
  std::vector<std::string> newest;
  for (const std::string& name : files("")) {
    if (name.starts_with("census-12")) newest.push_back(name);
  }
  ASSERT_EQ(newest.size(), 3U);
  Random random(1);
  for (const std::string& name : newest) {
    const std::string good = content(name);
    for (int i = 0; i < 4; ++i) {
      std::string bad = good;
      if (i == 3) bad.resize(random.below(bad.size()));
      else bad[random.below(bad.size())] ^= static_cast<char>(1 << random.below(8));
      (void)folder_.file(name, bad);
      CensusTask shallow = task_;
      std::swap(shallow, task_);
      task_.last_depth = 13;
      task_.checkpoint_seconds = 1000;
      const CensusResult result = run(2);
      std::swap(shallow, task_);
      EXPECT_EQ(result.resumed_depth, 11);
      ASSERT_EQ(listener_.notices.size(), 1U);
      EXPECT_NE(listener_.notices[0].find(name), std::string::npos) << listener_.notices[0];
      EXPECT_TRUE(std::equal(result.widths.begin(), result.widths.end(), widths_.begin()));
    }
    (void)folder_.file(name, good);
  }
  // Neither set whole: nothing is begun.
  std::filesystem::remove(folder_.path() / newest[0]);
  (void)folder_.file(older, content(older) + "x");
  try {
    (void)run(2);
    ADD_FAILURE() << "took a damaged set";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::corrupt);
  }
}

TEST_P(Kept, ASetOfAnotherSearchIsRefused) {
  (void)run(1, 5);
  task_.goal_blank = 3;
  for (const bool resume : {true, false}) {
    task_.resume = resume;
    try {
      (void)run(1);
      ADD_FAILURE() << "took another search's set";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::corrupt);
      EXPECT_NE(std::string(error.what()).find("4x3 goal 0"), std::string::npos) << error.what();
    }
  }
}

TEST_P(Kept, AFullDiskLeavesTheLastSetWhole) {
  (void)run(1, 10);
  const auto before = files("");
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  const rlimit small{20'000, limit.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  try {
    (void)run(2, 25);
    ADD_FAILURE() << "wrote beyond the limit";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::resource);
  }
  setrlimit(RLIMIT_FSIZE, &limit);
  EXPECT_EQ(files(""), before);
  EXPECT_EQ(run(3).widths, widths_);
}

// In memory, then on disk, then in memory on other ranks, then on disk to the end: the sets are the
// same.
TEST_P(Kept, GoesBetweenMemoryAndDisk) {
  const TemporaryFolder scratch;
  const auto on_disk = [&](bool disk) {
    task_.disk = disk ? scratch.text() : "";
    task_.memory_bytes = least_memory();
  };
  EXPECT_EQ(run(2, 6).widths.size(), 7U);
  on_disk(true);
  const int depth = GetParam() == Metric::single ? 27 : 15;
  const CensusResult first = run(1, depth);
  EXPECT_EQ(first.resumed_depth, 6);
  EXPECT_TRUE(first.kept);
  EXPECT_GT(first.bytes_written, 0U);
  on_disk(false);
  EXPECT_EQ(run(3, depth + 1).resumed_depth, depth);
  on_disk(true);
  const CensusResult last = run(1, depth + 2);
  EXPECT_EQ(last.resumed_depth, depth + 1);
  EXPECT_TRUE(std::equal(last.widths.begin(), last.widths.end(), widths_.begin()));
  EXPECT_EQ(last.widths.size(), std::size_t(depth) + 3);
  EXPECT_EQ(scratch.entries().size(), 0U);
}

// Any mode and number of ranks writes what any other goes on from.
TEST_P(Kept, GoesBetweenMemoryAndDiskOnAnyRanks) {
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
                         {4, false, single ? 26 : 17}}) {
    on_disk(leg.disk ? scratch.text() : "", leg.ranks);
    const CensusResult result = run(leg.ranks, leg.depth);
    EXPECT_EQ(result.resumed_depth, before);
    EXPECT_TRUE(result.kept);
    EXPECT_EQ(result.frontier_bytes > 0, leg.disk);
    EXPECT_TRUE(std::equal(result.widths.begin(), result.widths.end(), widths_.begin()));
    before = leg.depth;
  }
  on_disk("", 3);
  EXPECT_EQ(run(3).widths, widths_);
  EXPECT_EQ(scratch.entries().size(), 0U);
}

TEST_P(Kept, AFlippedBitInWhatRanksWroteOnDiskIsNamed) {
  const TemporaryFolder scratch;
  on_disk(scratch.text(), 2);
  task_.checkpoint_seconds = 0;  // after every level
  (void)run(2, 13);
  std::vector<std::string> kinds{"census-13.manifest"};
  for (const char* level : {"-newer-", "-older-"}) {
    for (const std::string& name : files(level)) {
      if (name.starts_with("census-13-")) kinds.push_back(name);
    }
    kinds.resize(level[1] == 'n' ? 2 : 3);  // one of each
  }
  task_.last_depth = 14;
  task_.checkpoint_seconds = 1000;
  Random random(3);
  int shared = 0;
  for (const std::string& name : kinds) {
    const std::string good = content(name);
    std::string bad = good;
    ASSERT_FALSE(bad.empty());
    bad[random.below(bad.size())] ^= static_cast<char>(1 << random.below(8));
    // The level before is a file of both sets.
    const bool both = std::filesystem::hard_link_count(folder_.path() / name) > 1;
    shared += both ? 1 : 0;
    (void)folder_.file(name, bad);
    for (const bool disk : {true, false}) {
      on_disk(disk ? scratch.text() : "", 3);
      try {
        EXPECT_EQ(run(3).resumed_depth, 12);
        EXPECT_FALSE(both) << name;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::corrupt);
        EXPECT_TRUE(both) << name << ": " << error.what();
      }
      EXPECT_EQ(listener_.notices.size(), both ? 2U : 1U);
      for (const std::string& notice : listener_.notices) {
        const std::string named = notice.substr(0, notice.find(": "));
        EXPECT_TRUE(std::filesystem::equivalent(named, folder_.path() / name)) << notice;
      }
    }
    (void)folder_.file(name, good);
  }
  EXPECT_EQ(shared, 1);
  on_disk(scratch.text(), 2);
  EXPECT_EQ(run(2).resumed_depth, 13);
}

TEST_P(Kept, WithoutRoomForACheckpointTheSearchGoesOn) {
  (void)run(1, 10);
  const auto before = files("");
  task_.checkpoint_seconds = 0;
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  const rlimit small{20'000, limit.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const CensusResult result = run(2);
  setrlimit(RLIMIT_FSIZE, &limit);
  EXPECT_EQ(result.widths, widths_);
  ASSERT_FALSE(listener_.notices.empty());
  EXPECT_NE(listener_.notices[0].find("the search goes on"), std::string::npos);
  EXPECT_NE(files(""), before);  // its first and last levels are small enough
}

// As a first checkpoint that fails, of a search begun without --resume.
TEST_P(Kept, AnEarlierSearchStandsUntilTheFirstSetIsWhole) {
  (void)run(1, 10);
  const auto before = files("census-");
  task_.resume = false;
  task_.checkpoint_seconds = 0;
  task_.last_depth = 2;
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  const rlimit small{20, limit.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  (void)run(1);
  setrlimit(RLIMIT_FSIZE, &limit);
  EXPECT_EQ(listener_.notices.size(), 3U);  // what is there, and two depths that are not kept
  EXPECT_EQ(files("census-"), before);
  (void)run(1);
  for (const std::string& name : before) EXPECT_EQ(files(name).size(), 0U) << name;
}

TEST_P(Kept, FilesOfOthersAreLeftAlone) {
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

TEST_P(Kept, WhatAKilledSearchLeftOnDiskGoesWithTheNext) {
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

TEST_P(Kept, ASignalEndsTheWaitForAnotherSearch) {
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
  LocalExchange alone;
  const CensusResult result = run_census(task_, alone, observer, observer.stop);
  EXPECT_FALSE(result.complete);
  EXPECT_FALSE(result.kept);
  EXPECT_NE(observer.said.find("held by process " + std::to_string(getpid())), std::string::npos)
      << observer.said;
}

// A manifest with a right checksum that somebody made: nothing it says is used unseen.
TEST_P(Kept, AManifestThatSaysWhatCannotBeIsRefused) {
  (void)run(1, 5);
  const std::string name = files(".manifest").at(0);
  const std::string good = content(name);
  const auto replaced = [&](const std::string& form, const std::string& by) {
    std::string text =
        std::regex_replace(good, std::regex(form), by, std::regex_constants::format_first_only);
    EXPECT_NE(text, good) << form;
    text.resize(text.rfind("end "));
    std::ostringstream sum;
    sum << std::hex << XXH3_64bits(text.data(), text.size());
    return text + "end " + sum.str() + "\n";
  };
  for (const auto& [form, by] : std::vector<std::pair<std::string, std::string>>{
           {"cell [0-9]+", "cell 12"},
           {"cell [0-9]+", "cell -1"},
           {"layout 1", "layout 2"},
           {"checkpoint/3", "checkpoint/2"},
           {"widths 6", "widths 1000000000000"},
           {"(file 0 [^ ]+) 0 [0-9]+", "$1 0 18446744073709551615"},
           {"(file 0 [^ ]+) 0 [0-9]+", "$1 18446744073709551615 2"},
           {"(file 0 [^ ]+ 0 [0-9]+) [0-9]+", "$1 4000000000000"},
           {"file 0 [^ ]+", "file 0 ../census-5-0-newer-0.blocks"},
           {"file 1", "file 2"},
           {"file 1", "folder 1"}}) {
    (void)folder_.file(name, replaced(form, by));
    try {
      (void)run(1);
      ADD_FAILURE() << "took " << by;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::corrupt) << by << ": " << error.what();
    }
  }
  std::filesystem::remove(folder_.path() / name);
  ASSERT_EQ(mkfifo((folder_.path() / name).c_str(), 0600), 0);
  EXPECT_THROW((void)run(1), Error);
  std::filesystem::remove(folder_.path() / name);
  (void)folder_.file(name, good);
  EXPECT_EQ(run(1).widths, widths_);
}

TEST_P(Kept, ADamagedSpillIsNamed) {
  task_.disk = folder_.text();
  task_.memory_bytes = least_memory();
  const int depth = GetParam() == Metric::single ? 27 : 15;
  struct Damage final : CensusObserver {
    void level_finished(int finished, std::uint64_t, double) override {
      if (finished < depth) return;  // at a single level all may still wait to be written
      for (const auto& entry : std::filesystem::recursive_directory_iterator(folder->path())) {
        if (!entry.path().filename().string().starts_with("spill-")) continue;
        std::fstream file(entry.path(), std::ios::binary | std::ios::in | std::ios::out);
        if (!file.seekg(-9, std::ios::end)) continue;
        const char byte = static_cast<char>(file.get() ^ 4);
        file.seekp(-9, std::ios::end);
        file.put(byte);
        ++damaged;
      }
    }
    const TemporaryFolder* folder = nullptr;
    int depth = 0;
    int damaged = 0;
  } damage;
  damage.folder = &folder_;
  damage.depth = depth;
  task_.checkpoint.clear();
  task_.resume = false;
  task_.last_depth = depth + 3;
  LocalExchange alone;
  const std::atomic<bool> never{false};
  try {
    (void)run_census(task_, alone, damage, never);
    ADD_FAILURE() << "took damaged blocks";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::corrupt);
    EXPECT_NE(std::string(error.what()).find("spill-"), std::string::npos) << error.what();
  }
  EXPECT_GT(damage.damaged, 0);
  EXPECT_EQ(folder_.entries().size(), 0U);
}

TEST_P(Kept, AFullDiskLeavesTheLastSetWholeOnDisk) {
  const TemporaryFolder scratch;
  task_.disk = scratch.text();
  task_.memory_bytes = least_memory();
  (void)run(1, 10);
  const auto before = files("");
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  const rlimit small{20'000, limit.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  try {
    (void)run(1, GetParam() == Metric::single ? 40 : 22);
    ADD_FAILURE() << "wrote beyond the limit";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::resource);
  }
  setrlimit(RLIMIT_FSIZE, &limit);
  EXPECT_EQ(files(""), before);
  task_.disk.clear();
  EXPECT_EQ(run(3).widths, widths_);
}

INSTANTIATE_TEST_SUITE_P(Metrics, Kept, ::testing::Values(Metric::single, Metric::multi),
                         [](const auto& tested) { return std::string(to_string(tested.param)); });

TEST(BlockCodec, GivesBackWhatItTook) {
  BlockCodec codec;
  Random random(2);
  for (const std::size_t size : {1U, 6U, 42U, 3024U}) {
    for (int rarity = 0; rarity < 16; ++rarity) {
      std::vector<std::uint64_t> words(size);
      std::uint64_t count = 0;
      for (std::uint64_t& word : words) {
        word = random.next() >> 4;
        for (int i = 0; i < rarity; ++i) word &= random.next();
        count += std::uint64_t(std::popcount(word));
      }
      std::vector<std::uint8_t> bytes{7};  // encode appends
      const BlockForm form = codec.encode(words, count, bytes);
      EXPECT_LE(bytes.size(), 1 + std::max(size * 8, 2 * count));
      const std::span<const std::uint8_t> encoded{bytes.data() + 1, bytes.size() - 1};
      std::vector<std::uint64_t> back(size);
      EXPECT_TRUE(codec.decode(form, encoded, count, back));
      EXPECT_EQ(back, words);
      EXPECT_FALSE(codec.decode(form, encoded, count + 1, back));
      if (!encoded.empty()) {
        EXPECT_FALSE(codec.decode(form, encoded.first(encoded.size() - 1), count, back));
      }
    }
  }
  std::vector<std::uint64_t> back(1);
  const std::vector<std::uint8_t> beyond{70};  // the second word's bit
  EXPECT_FALSE(codec.decode(BlockForm::distances, beyond, 1, back));
  const std::vector<std::uint8_t> unused{62};  // one of the top four
  EXPECT_FALSE(codec.decode(BlockForm::distances, unused, 1, back));
}

}  // namespace
}  // namespace tessera
