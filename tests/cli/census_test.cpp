// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <regex>
#include <thread>

#include "base/places.hpp"
#include "base/temporary_folder.hpp"
#include "program.hpp"
#include "small_disk.hpp"

namespace tessera::cli {
namespace {

TEST(Census, TellsWidthsRadiusAndProvenDeepestBoards) {
  const Finished run =
      tessera({"census", "3x3", "--goal", "first", "--deepest", "5", "--json", "-", "--quiet"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  const auto rows = json_lines(run.out);
  ASSERT_EQ(rows.size(), 1U);
  const auto& row = rows[0];
  EXPECT_EQ(row["schema"], "tessera.census/1");
  EXPECT_EQ(row["size"], "3x3");
  EXPECT_EQ(row["goal"], "first");
  EXPECT_EQ(row["metric"], "single");
  EXPECT_EQ(row["radius"], 31);
  EXPECT_EQ(row["states"], 181440);
  EXPECT_EQ(row["widths"].size(), 32U);
  EXPECT_EQ(row["widths"][31], 2);
  EXPECT_TRUE(row["date"].is_string() && row["revision"].is_string() && row.contains("cpu"));
  ASSERT_EQ(row["level_seconds"].size(), 32U);
  EXPECT_TRUE(row["level_seconds"][0].is_null());
  double levels = 0;
  for (std::size_t depth = 1; depth < 32; ++depth) {
    EXPECT_GT(row["level_seconds"][depth], 0);
    levels += row["level_seconds"][depth].get<double>();
  }
  EXPECT_LE(levels, row["seconds"]);
  EXPECT_GT(row["setup_seconds"], 0);
  ASSERT_EQ(row["deepest"].size(), 2U);  // there are no more
  for (const auto& deep : row["deepest"]) {
    EXPECT_EQ(deep["length"], 31);
    EXPECT_EQ(deep["verified"], true);
  }
}

TEST(Census, TableCsvAndAnswer) {
  const TemporaryFile csv("");
  const Finished run = tessera({"census", "2x2", "--csv", csv.path()});
  EXPECT_EQ(run.code, 0);
  const std::regex table(
      "depth,states,seconds\n0,1,\n((1,2|2,2|3,2|4,2|5,2|6,1),[0-9]+\\.[0-9]{6}\n){6}");
  EXPECT_TRUE(std::regex_match(csv.content(), table)) << csv.content();
  EXPECT_TRUE(std::regex_search(run.out, std::regex("    6 +1 +8\\.333333 +[0-9.]+ #"))) << run.out;
  EXPECT_NE(run.out.find("2x2 single: radius 6, 12 states\n"), std::string::npos) << run.out;
  EXPECT_EQ(tessera({"census", "1x9", "--metric", "multi", "--goal", "cell:4", "--quiet"}).out,
            "1x9 multi: radius 1, 9 states\n");
  const TemporaryFile row(
      tessera({"census", "1x9", "--deepest", "1", "--quiet", "--json", "-"}).out);
  EXPECT_EQ(tessera({"report", row.path(), "-o", "/dev/null", "--quiet"}).code, 0);
  const Finished line = tessera({"census", "5x1", "--deepest", "1", "--quiet"});
  EXPECT_NE(line.out.find("4 moves, optimal, verified: LLLL"), std::string::npos) << line.out;
  EXPECT_NE(tessera({"census", "2x1", "--deepest", "1"}).out.find(": 1 move, optimal"),
            std::string::npos);
}

// The search is done before: nothing of it is lost. A board of 6x2 at its radius takes a minute.
TEST(Census, ASignalWhileDeepestBoardsAreSolvedLeavesTheResult) {
  const TemporaryFile json("");
  Running::Options no_tables;  // with which the boards would be solved at once
  no_tables.environment["TESSERA_PDB_DIR"] = "/proc";
  Running running(
      {tessera_program, "census", "6x2", "--deepest", "3", "--json", json.path(), "--threads", "2"},
      no_tables);
  running.wait_for("deepest boards, which proves their depth");
  running.signal(SIGINT);
  const Finished run = running.wait(std::chrono::seconds(20));
  EXPECT_EQ(run.code, 4);
  EXPECT_EQ(complaints(run.err).size(), 1U) << run.err;
  EXPECT_NE(run.out.find("6x2 single: radius 80, 239,500,800 states\n"), std::string::npos);
  const auto row = json_lines(json.content()).at(0);
  EXPECT_EQ(row["radius"], 80);
  EXPECT_EQ(row["deepest"].size(), 0U);
}

TEST(Census, RefusesWhatDoesNotFitWithTheFigures) {
  const Finished large = tessera({"census", "4x4", "--memory", "24GiB"});
  EXPECT_EQ(large.code, 5);
  EXPECT_LT(large.seconds, 2);
  ASSERT_EQ(complaints(large.err).size(), 1U);
  for (const char* part : {"10,461,394,944,000", "TiB", "ranks"}) {
    EXPECT_NE(large.err.find(part), std::string::npos) << large.err;
  }
  EXPECT_EQ(tessera({"census", "5x5"}).code, 5);
  for (const std::vector<std::string>& bad : {std::vector<std::string>{"census"},
                                              {"census", "4y3"},
                                              {"census", "0x3"},
                                              {"census", "3x3", "4x4"},
                                              {"census", "3x3", "--goal", "cell:9"},
                                              {"census", "3x3", "--goal", "1 2 3"},
                                              {"census", "3x3", "--resume"},
                                              {"census", "3x3", "--ranks", "2"},
                                              {"census", "3x3", "--json", "-", "--csv", "-"}}) {
    const Finished run = tessera(bad);
    EXPECT_EQ(run.code, 2) << bad.back();
    EXPECT_EQ(complaints(run.err).size(), 1U) << run.err;
    EXPECT_EQ(run.out, "");
  }
}

TEST(Census, PlansBeforeItSearches) {
  const Finished plan = tessera({"census", "4x4", "--plan", "--ranks", "80", "--memory", "24GiB"});
  EXPECT_EQ(plan.code, 0) << plan.err;
  for (const char* part : {"memory", "80 ranks", "network", "time", "24 GiB each suffice"}) {
    EXPECT_NE(plan.out.find(part), std::string::npos) << plan.out;
  }
}

TEST(Census, PlansForOneRank) {
  const Finished plan = tessera({"census", "3x3", "--plan"});
  EXPECT_NE(plan.out.find(" on 1 rank, "), std::string::npos) << plan.out;
}

TEST(Census, PlansForSizesThatNeedNoMemory) {
  for (const char* size : {"2x2", "1x9"}) {
    const Finished plan = tessera({"census", size, "--plan", "--json", "-"});
    EXPECT_EQ(json_lines(plan.out).at(0)["disk_bytes"], 0) << size;
    EXPECT_NE(plan.err.find("disk            none needed\n"), std::string::npos) << plan.err;
  }
}

TEST(Census, PlansForMoreThreadsThanAnIntHolds) {
  const Finished plan = tessera({"census", "4x4", "--plan", "--ranks", "1000000", "--threads",
                                 "4096", "--json", "-", "--quiet"});
  ASSERT_EQ(plan.code, 0) << plan.err;
  EXPECT_GT(json_lines(plan.out).at(0)["seconds"], 0);
}

TEST(Census, PlansAreJsonToo) {
  const Finished run = tessera({"census", "4x4", "--plan", "--ranks", "80,90", "--memory", "24GiB",
                                "--json", "-", "--quiet"});
  ASSERT_EQ(run.code, 0) << run.err;
  const auto plans = json_lines(run.out);
  ASSERT_EQ(plans.size(), 2U);
  EXPECT_EQ(plans[0]["ranks"], 80);
  EXPECT_EQ(plans[1]["ranks"], 90);
  EXPECT_LT(plans[1]["memory_bytes_per_rank"], plans[0]["memory_bytes_per_rank"]);
  EXPECT_EQ(plans[0]["states"], 10'461'394'944'000U);
  // The names of earlier versions.
  EXPECT_EQ(plans[0]["memory_bytes_a_rank"], plans[0]["memory_bytes_per_rank"]);
  EXPECT_EQ(plans[0]["allowed_bytes_a_rank"], plans[0]["allowed_bytes_per_rank"]);
  EXPECT_EQ(plans[0]["network_bytes_a_level"], plans[0]["network_bytes_per_level"]);
}

TEST(Generate, DrawsBoardsOfExactlyThatDepth) {
  for (const char* metric : {"single", "multi"}) {
    const Finished boards = tessera({"generate", "--size", "3x3", "--depth", "19", "--count", "8",
                                     "--metric", metric, "--goal", "8 7 6 5 4 3 2 1 0"});
    EXPECT_EQ(boards.code, 0) << boards.err;
    Running::Options options;
    options.input = boards.out;
    const Finished solved = tessera({"solve", "--file", "-", "--goal", "8 7 6 5 4 3 2 1 0",
                                     "--metric", metric, "--quiet", "--json", "-"},
                                    options);
    const auto rows = json_lines(solved.out);
    EXPECT_EQ(rows.size(), 8U);
    for (const auto& row : rows) EXPECT_EQ(row["length"], 19);
  }
  EXPECT_EQ(tessera({"generate", "--size", "3x3", "--depth", "32"}).code, 2);
  EXPECT_EQ(tessera({"generate", "--size", "4x4", "--depth", "3"}).code, 2);
}

bool holds_a_set(const TemporaryFolder& folder) {
  const auto entries = folder.entries();
  return std::ranges::any_of(entries,
                             [](const std::string& name) { return name.ends_with(".manifest"); });
}

// A run is stopped or killed again and again, and always reaches the published end.
TEST(Census, SurvivesSignalsAndKills) {
  const auto whole =
      json_lines(tessera({"census", "4x3", "--quiet", "--json", "-"}).out).at(0)["widths"];
  const TemporaryFolder folder;
  const std::vector<std::string> command{tessera_program,
                                         "census",
                                         "4x3",
                                         "--checkpoint",
                                         folder.text(),
                                         "--resume",
                                         "--checkpoint-every",
                                         "1us",
                                         "--quiet",
                                         "--json",
                                         "-"};
  int kills = 0;
  // Longer and longer, on a slow machine until a set is kept.
  for (int i = 0; i < 15 || (i < 60 && !holds_a_set(folder)); ++i) {
    Running run(command);
    std::this_thread::sleep_for(std::chrono::milliseconds(20 + 12 * i));
    const int signal = i % 3 == 2 ? SIGUSR1 : SIGKILL;
    run.signal(signal);
    const Finished end = run.wait();
    if (end.code == 0) break;
    if (signal == SIGKILL) {
      EXPECT_EQ(end.code, 128 + SIGKILL);
    } else {
      EXPECT_TRUE(end.code == 3 || end.code == 128 + SIGUSR1) << end.code << end.err;
    }
    ++kills;
  }
  EXPECT_GE(kills, 3);
  const Finished last = Running(command).wait();
  EXPECT_EQ(last.code, 0) << last.err;
  const auto row = json_lines(last.out).at(0);
  EXPECT_EQ(row["widths"], whole);
  EXPECT_GT(row["resumed_depth"], 0);
  // The rate is of the levels that a run found itself.
  const Finished again = tessera({"census", "4x3", "--checkpoint", folder.text(), "--resume"});
  std::smatch rate;
  ASSERT_TRUE(std::regex_search(again.err, rate, std::regex("s, ([0-9.]+) M states/s")))
      << again.err;
  EXPECT_LT(std::stod(rate[1]), 10.0) << again.err;  // a handful in its last levels
  const Finished anew = tessera({"census", "4x3", "--checkpoint", folder.text(), "--quiet"});
  EXPECT_EQ(anew.code, 0);
  EXPECT_EQ(complaints(anew.err).size(), 1U) << anew.err;
  EXPECT_NE(anew.err.find("--resume continues it"), std::string::npos) << anew.err;
  const Finished other =
      tessera({"census", "4x3", "--checkpoint", folder.text(), "--metric", "multi"});
  EXPECT_EQ(other.code, 6);
  EXPECT_EQ(complaints(other.err).size(), 1U);
}

// A table that is damaged costs the proof, not the widths.
TEST(Census, WhatFailsWhileDeepestBoardsAreSolvedLeavesTheResult) {
  const TemporaryFolder tables;
  const std::vector<std::string> search{"census",      "4x3",    "--deepest", "1",      "--pdb-dir",
                                        tables.text(), "--json", "-",         "--quiet"};
  const auto whole = json_lines(tessera(search).out).at(0);
  ASSERT_FALSE(tables.entries().empty());
  for (const std::string& name : tables.entries()) {
    std::ofstream(tables.text() + "/" + name) << "damaged";
  }
  const Finished run = tessera(search);
  EXPECT_EQ(run.code, 6) << run.err;
  const auto row = json_lines(run.out).at(0);
  EXPECT_EQ(row["widths"], whole["widths"]);
  EXPECT_TRUE(row["deepest"].empty());
}

TEST(Census, RemovesWhatAKilledSearchLeftBeforeItAsksForRoom) {
  const SmallDisk disk;
  if (!disk.mounted()) GTEST_SKIP() << "nothing can be mounted here";
  const std::vector<std::string> search{
      tessera_program, "census",    "4x3",          "--memory",           "24MiB", "--threads", "2",
      "--disk",        disk.path(), "--checkpoint", disk.path() + "/kept"};
  const auto spilled = [&] {
    try {
      for (const auto& file : std::filesystem::recursive_directory_iterator(disk.path())) {
        if (file.path().extension() == ".blocks") return file.path().parent_path();
      }
    } catch (const std::filesystem::filesystem_error&) {  // it went while it was looked at
    }
    return std::filesystem::path();
  };
  Running killed(search);
  std::filesystem::path left;
  wait_until([&] { return !(left = spilled()).empty(); }, "a spilled file");
  ASSERT_FALSE(left.empty());
  killed.signal(SIGKILL);
  (void)killed.wait();
  disk.fill(std::uint64_t{1} << 20);
  std::filesystem::rename(disk.path() + "/filler", left / "spill-999999.blocks");
  const Finished run = Running(search).wait();
  EXPECT_EQ(run.code, 0) << run.err;
}

// The disk has room for the frontiers, but not for two of each.
TEST(Census, CheckpointsElsewhereTakeNoSpaceOfTheDisk) {
  const SmallDisk disk;
  if (!disk.mounted()) GTEST_SKIP() << "nothing can be mounted here";
  disk.fill(std::uint64_t{40} << 20);
  const auto run = [&](const std::string& checkpoint, const char* more) {
    return tessera({"census", "4x3", "--memory", "24MiB", "--threads", "2", "--disk", disk.path(),
                    "--checkpoint", checkpoint, "--json", "-", more});
  };
  const TemporaryFolder elsewhere;
  const std::string beside = disk.path() + "/kept";
  EXPECT_EQ(run(elsewhere.text(), "--quiet").code, 0);
  EXPECT_EQ(run(beside, "--quiet").code, 5);
  const auto planned = [&](const std::string& checkpoint) {
    return json_lines(run(checkpoint, "--plan").out).at(0)["disk_bytes"];
  };
  EXPECT_LT(planned(elsewhere.text()), planned(beside));
}

// Killed and resumed on disk, its frontiers never whole in memory.
TEST(Census, GoesToDiskWhereMemoryDoesNotServe) {
  const auto whole =
      json_lines(tessera({"census", "4x3", "--quiet", "--json", "-"}).out).at(0)["widths"];
  const TemporaryFolder folder;
  const std::vector<std::string> on_disk{tessera_program, "census", "4x3",    "--memory", "24MiB",
                                         "--threads",     "2",      "--json", "-",        "--disk",
                                         folder.text()};
  std::vector<std::string> kept = on_disk;
  for (const char* more : {"--resume", "--checkpoint-every", "50ms", "--quiet", "--checkpoint"}) {
    kept.emplace_back(more);
  }
  kept.push_back(folder.text());  // the same folder
  // Longer and longer, on a slow machine until a set is kept; on a fast one most is still to be
  // done.
  for (int i = 0; i < 3 || (i < 60 && !holds_a_set(folder)); ++i) {
    Running run(kept);
    std::this_thread::sleep_for(std::chrono::milliseconds(100 + 20 * i));
    run.signal(i % 3 == 2 ? SIGUSR1 : SIGKILL);
    EXPECT_NE(run.wait().code, 0);
  }
  const Finished last = Running(kept).wait();
  EXPECT_EQ(last.code, 0) << last.err;
  const auto row = json_lines(last.out).at(0);
  EXPECT_EQ(row["widths"], whole);
  EXPECT_GT(row["resumed_depth"], 0);
  EXPECT_GT(row["bytes_written"], 1'000'000);
  for (const std::string& name : folder.entries()) {
    EXPECT_FALSE(name.starts_with("tessera-spill-")) << name;
  }
  // What memory serves stays there.
  const Finished small = tessera({"census", "3x3", "--disk", folder.text(), "--json", "-"});
  EXPECT_NE(small.err.find(" per rank, in memory: --disk is not used\n"), std::string::npos)
      << small.err;
  EXPECT_EQ(json_lines(small.out).at(0)["frontier_bytes"], 0);

  const Finished large = tessera({"census", "4x4", "--disk", folder.text(), "--memory", "3GiB"});
  EXPECT_EQ(large.code, 5);
  EXPECT_LT(large.seconds, 2);
  ASSERT_EQ(complaints(large.err).size(), 1U) << large.err;
  EXPECT_NE(large.err.find("MiB are needed"), std::string::npos) << large.err;
  EXPECT_EQ(tessera({"census", "4x3", "--disk", folder.text(), "--memory", "2MiB"}).code, 5);
  EXPECT_EQ(tessera({"census", "4x3", "--disk", "/proc/none", "--memory", "24MiB"}).code, 2);
}

}  // namespace
}  // namespace tessera::cli
