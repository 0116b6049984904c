// SPDX-License-Identifier: MIT
// Complete searches on disk as ranks of a real job: what ends them, and what they resume from.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <functional>
#include <sstream>
#include <thread>

#include "base/places.hpp"
#include "base/temporary_folder.hpp"
#include "program.hpp"
#include "small_disk.hpp"

namespace tessera::cli {
namespace {

using Words = std::vector<std::string>;

const Words census_words{"census", "--threads", "1", "--quiet", "--json", "-"};

bool any(const TemporaryFolder& folder, const std::function<bool(const std::string&)>& is) {
  const Words names = folder.entries();
  return std::any_of(names.begin(), names.end(), is);
}
bool is_manifest(const std::string& name) {
  return name.starts_with("census-") && name.ends_with(".manifest");
}

// With so much a rank 4x3 goes to disk on two ranks, and fits into memory on four.
const Words two_on_disk{"4x3", "--memory", "11MiB"};

std::vector<std::uint64_t> widths_of(const Finished& run) {
  return json_lines(run.out).at(0)["widths"].get<std::vector<std::uint64_t>>();
}

// 14 cells, whose first levels are here soon; the job is stopped and resumed elsewhere.
TEST(CensusDiskMpirun, GoesOnFromSignalsWithOtherRanks) {
  std::vector<std::uint64_t> published;
  std::ifstream file(test_data("census_widths.txt"));
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("7 2 0 single ")) continue;
    std::istringstream numbers(line.substr(13));
    for (std::uint64_t width = 0; numbers >> width;) published.push_back(width);
  }
  ASSERT_EQ(published.size(), 109U);
  const TemporaryFolder kept;
  const TemporaryFolder disk;
  const Words what =
      with(census_words, {"7x2", "--goal", "cell:0", "--memory", "60MiB", "--disk", disk.text(),
                          "--checkpoint", kept.text(), "--resume", "--checkpoint-every", "1us"});
  std::size_t before = 0;
  for (const auto& [ranks, signal] :
       {std::pair{7, SIGUSR1}, {3, SIGUSR1}, {4, SIGTERM}, {2, SIGUSR1}}) {
    const Words sets = kept.entries();
    Running running(mpirun(ranks, what));
    wait_until([&] {
      return any(kept, [&](const std::string& name) {
        return is_manifest(name) && std::find(sets.begin(), sets.end(), name) == sets.end();
      });
    });
    running.signal(signal);
    const Finished end = running.wait();
    if (signal == SIGTERM) {
      EXPECT_NE(end.code, 0);  // mpirun's own
      continue;
    }
    EXPECT_EQ(end.code, 3) << end.err;
    const auto widths = widths_of(end);
    EXPECT_GT(widths.size(), before) << ranks << " ranks";
    ASSERT_LE(widths.size(), published.size());
    EXPECT_TRUE(std::equal(widths.begin(), widths.end(), published.begin()));
    before = widths.size();
  }
}

TEST(CensusDiskMpirun, ADamagedSpillIsNamed) {
  const TemporaryFolder disk;
  Running running(mpirun(2, with(census_words, two_on_disk, {"--disk", disk.text()})));
  const auto spilled = [](const std::string& name) { return name.starts_with("tessera-spill-"); };
  wait_until([&] { return any(disk, spilled); });
  // Its files come and go; whichever is met, all are damaged until one is read.
  std::atomic<bool> over{false};
  std::jthread damage([&] {
    while (!over) {
      std::error_code gone;
      for (std::filesystem::recursive_directory_iterator entry(disk.path(), gone), end;
           !gone && entry != end; entry.increment(gone)) {
        if (entry->path().extension() != ".blocks") continue;
        std::fstream file(entry->path(), std::ios::binary | std::ios::in | std::ios::out);
        for (int from_end = 9; from_end < 40'000; from_end += 500) {
          file.seekg(-from_end, std::ios::end);
          const int byte = file.get();
          if (!file) break;
          file.seekp(-from_end, std::ios::end);
          file.put(static_cast<char>(byte ^ 4));
        }
      }
    }
  });
  const Finished run = running.wait();
  over = true;
  EXPECT_EQ(run.code, 6) << run.err;
  ASSERT_FALSE(complaints(run.err).empty()) << run.err;
  EXPECT_NE(complaints(run.err)[0].find("spill-"), std::string::npos) << run.err;
}

TEST(CensusDiskMpirun, AFullDiskLeavesTheLastSetWhole) {
  const auto whole = widths_of(tessera(with(census_words, {"4x3"})));
  const SmallDisk disk;
  if (!disk.mounted()) GTEST_SKIP() << "no file system can be mounted here";
  // Told before the start, what ranks need together.
  const Finished large =
      run_ranks(3, with(census_words, {"7x2", "--memory", "60MiB", "--disk", disk.path()}));
  EXPECT_EQ(large.code, 5);
  ASSERT_EQ(complaints(large.err).size(), 1U) << large.err;
  EXPECT_NE(large.err.find("MiB are needed"), std::string::npos) << large.err;

  const TemporaryFolder kept;
  const Words keeps{"--checkpoint", kept.text(), "--checkpoint-every", "50ms", "--resume"};
  const Words on_disk = with(census_words, two_on_disk, keeps, {"--disk", disk.path()});
  Running running(mpirun(2, on_disk));
  wait_until([&] { return any(kept, is_manifest); });
  disk.fill(1 << 20);
  const Finished full = running.wait();
  EXPECT_EQ(full.code, 5) << full.err;
  ASSERT_FALSE(complaints(full.err).empty()) << full.err;
  const Finished last = run_ranks(4, with(census_words, {"4x3"}, keeps));
  EXPECT_EQ(last.code, 0) << last.err;
  EXPECT_GT(json_lines(last.out).at(0)["resumed_depth"], 0);
  EXPECT_EQ(widths_of(last), whole);
}

TEST(CensusDiskMpirun, WithoutRoomForACheckpointTheSearchGoesOn) {
  const SmallDisk kept;
  if (!kept.mounted()) GTEST_SKIP() << "no file system can be mounted here";
  kept.fill(100'000);
  const TemporaryFolder disk;
  const Words more{"--disk",    disk.text(),          "--checkpoint",
                   kept.path(), "--checkpoint-every", "50ms"};
  const Finished run = run_ranks(2, with(census_words, two_on_disk, more));
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.err.find("is not kept, the search continues"), std::string::npos) << run.err;
  EXPECT_EQ(widths_of(run), widths_of(tessera(with(census_words, {"4x3"}))));
}

}  // namespace
}  // namespace tessera::cli
