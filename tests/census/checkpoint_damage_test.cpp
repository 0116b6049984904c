// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <regex>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/random.hpp"
#include "base/refusal.hpp"
#include "kept_search.hpp"

namespace tessera {
namespace {

class CensusDamage : public KeptSearch {};

TEST_P(CensusDamage, AFlippedBitIsNamedAndTheOlderSetTaken) {
  task_.checkpoint_seconds = 0;  // after every level
  (void)run(1, 12);
  const std::string older = files(".manifest").front();
  std::vector<std::string> newest;
  for (const std::string& name : files("")) {
    if (name.starts_with("census-12")) newest.push_back(name);
  }
  ASSERT_EQ(newest.size(),
            GetParam() == Metric::single ? 5U : 9U);  // a manifest, files of two levels
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
  EXPECT_EQ(refused([&] { return run(2); }).kind(), ErrorKind::corrupt);
  ASSERT_EQ(listener_.notices.size(), 2U);
  const std::string next = "; the set before it is tried";
  EXPECT_TRUE(listener_.notices[0].ends_with(next)) << listener_.notices[0];
  EXPECT_FALSE(listener_.notices[1].ends_with(next)) << listener_.notices[1];
}

TEST_P(CensusDamage, AFlippedBitInWhatRanksWroteOnDiskIsNamed) {
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

TEST_P(CensusDamage, WithoutResumeADamagedCheckpointIsReportedBeforeItIsReplaced) {
  (void)run(1, 5);
  for (const std::string& name : files(".manifest")) {
    (void)folder_.file(name, content(name).substr(0, 10));
  }
  EXPECT_EQ(refused([&] { return run(1); }).kind(), ErrorKind::corrupt);
  task_.resume = false;
  EXPECT_EQ(run(2).widths, widths_);
  ASSERT_EQ(listener_.notices.size(), 1U);
  EXPECT_EQ(listener_.notices[0],
            folder_.text() +
                ": holds a damaged checkpoint, which the first checkpoint of this "
                "search will replace");
}

// A manifest with a right checksum that somebody made: nothing it says is used unseen.
TEST_P(CensusDamage, AManifestThatSaysWhatCannotBeIsRefused) {
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
    SCOPED_TRACE(by);
    (void)folder_.file(name, replaced(form, by));
    const Error error = refused([&] { return run(1); });
    EXPECT_EQ(error.kind(), ErrorKind::corrupt) << error.what();
  }
  std::filesystem::remove(folder_.path() / name);
  ASSERT_EQ(mkfifo((folder_.path() / name).c_str(), 0600), 0);
  EXPECT_THROW((void)run(1), Error);
  std::filesystem::remove(folder_.path() / name);
  (void)folder_.file(name, good);
  EXPECT_EQ(run(1).widths, widths_);
}

TEST_P(CensusDamage, ADamagedSpillIsNamed) {
  on_disk(folder_.text(), 1);
  const int depth = GetParam() == Metric::single ? 27 : 15;
  struct Damage final : CensusObserver {
    void level_finished(int finished, std::uint64_t) override {
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
  Ranks alone;
  const std::atomic<bool> never{false};
  const Error error = refused([&] { return run_census(task_, alone, damage, never); });
  EXPECT_EQ(error.kind(), ErrorKind::corrupt);
  EXPECT_NE(std::string(error.what()).find("spill-"), std::string::npos) << error.what();
  EXPECT_GT(damage.damaged, 0);
  EXPECT_EQ(folder_.entries().size(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Metrics, CensusDamage, both_metrics, metric_name);

}  // namespace
}  // namespace tessera
