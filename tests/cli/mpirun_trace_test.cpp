// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <fstream>

#include "base/temporary_folder.hpp"
#include "program.hpp"
#include "trace_file.hpp"

namespace tessera::cli {
namespace {

TEST(MpirunTrace, HoldsEveryThreadOfEveryRank) {
  const TemporaryFile file("");
  const Finished run =
      run_ranks(3, {"solve", "--set", "korf100:12,30", "--heuristic", "manhattan", "--threads", "2",
                    "--frontier", "200", "--finish-iteration", "--trace", file.path()});
  ASSERT_EQ(run.code, 0) << run.err;
  const TraceFile trace(file.content());
  EXPECT_EQ(trace.processes.size(), 3U);
  EXPECT_EQ(trace.threads.size(), 1 + 3 * 3U);
  std::set<TraceFile::Thread> expected;
  for (int rank = 0; rank < 3; ++rank) {
    for (int thread = 0; thread < 2; ++thread) expected.insert({rank, 2 + thread});
    EXPECT_TRUE(trace.processes.at(rank).starts_with("rank " + std::to_string(rank) + " on "));
  }
  for (const auto& thread : expected) EXPECT_EQ(trace.searching.count(thread), 1U);
  EXPECT_EQ(trace.unfinished, 0U);
  EXPECT_GE(trace.events.at("b steal"), 1);
  EXPECT_EQ(trace.events.at("b steal"), trace.events.at("e steal"));
  EXPECT_EQ(trace.events.at("b steal"), trace.events.at("i give"));
  EXPECT_EQ(trace.events.at("i over") % 3, 0);
  EXPECT_EQ(trace.events.at("i 45 moves"), 1);

  double average = 0;
  ASSERT_EQ(std::sscanf(run.err.c_str() + run.err.find("  search "), "  search %*f %lf", &average),
            1);
  EXPECT_NEAR(trace.seconds.at("search"), 6 * average, 0.03 * 6 * average + 0.002);
}

// The figures of all ranks' logs add up to those of the result.
TEST(MpirunLogs, TellWhatEachRankDid) {
  const TemporaryFolder folder;
  const std::string logs = (folder.path() / "run" / "logs").string();
  const Finished run = run_ranks(
      3, {"solve", "--set", "korf100:12", "--heuristic", "manhattan", "--threads", "1",
          "--frontier", "200", "--finish-iteration", "--quiet", "--json", "-", "--log-dir", logs});
  ASSERT_EQ(run.code, 0) << run.err;
  const auto iterations = json_lines(run.out).at(0)["iterations"];
  const int last_bound = iterations.back()["bound"];
  std::uint64_t expanded = 0;
  std::uint64_t given = 0;
  std::uint64_t stolen = 0;
  std::uint64_t dealt = 0;
  std::uint64_t cut = 0;
  std::uint64_t searched = 0;
  for (int rank = 0; rank < 3; ++rank) {
    std::ifstream file(logs + "/rank-" + std::to_string(rank) + ".log");
    std::string line;
    bool started = false;
    bool ended = false;
    int lines = 0;
    while (std::getline(file, line)) {
      ASSERT_GT(line.size(), 25U) << line;
      EXPECT_TRUE(line[10] == 'T' && line[23] == 'Z') << line;
      const std::string text = line.substr(25);
      started |= text.starts_with("start: rank " + std::to_string(rank) + " on ");
      ended |= text == "end";
      if (!text.starts_with("bound " + std::to_string(last_bound) + ":")) continue;
      std::uint64_t figures[6] = {};
      const std::size_t at = text.find("searched ");
      ASSERT_NE(at, std::string::npos) << text;
      ASSERT_EQ(
          std::sscanf(text.c_str() + at,
                      "searched %lu subtrees: %lu dealt, %lu cut, %lu stolen, %lu given; "
                      "%*u requests, %*u refused, %*u rounds; %lu expanded",
                      &figures[0], &figures[1], &figures[2], &figures[3], &figures[4], &figures[5]),
          6)
          << text;
      searched += figures[0];
      dealt += figures[1];
      cut += figures[2];
      stolen += figures[3];
      given += figures[4];
      expanded += figures[5];
      ++lines;
    }
    EXPECT_TRUE(started && ended) << rank;
    EXPECT_EQ(lines, 1) << rank;
  }
  EXPECT_EQ(given, stolen);
  EXPECT_EQ(searched, dealt + cut);
  EXPECT_GE(dealt, 200U);
  const auto all = static_cast<std::uint64_t>(iterations.back()["expanded"]);
  EXPECT_LE(expanded, all);  // without the nodes above the cut
  EXPECT_GE(expanded, all - all / 20);
}

TEST(MpirunLogs, AFolderThatCannotBeIsFoundOutFirst) {
  const Finished run =
      run_ranks(2, {"solve", "--set", "hardest15:1", "--log-dir", "/dev/null/logs"});
  EXPECT_EQ(run.code, 2);
  ASSERT_EQ(complaints(run.err).size(), 1U) << run.err;
  EXPECT_NE(run.err.find("/dev/null/logs: cannot be written (Not a directory)"), std::string::npos);
}

// Also one that only another rank cannot make.
TEST(MpirunLogs, BeforeAnyBoardIsAnswered) {
  const TemporaryFolder folder;
  for (const char* rank : {"0", "1"}) std::filesystem::create_directory(folder.path() / rank);
  (void)folder.file("1/logs", "");
  Running running(
      {MPIRUN,        "-np",           "2",     "sh",        "-c",          in_folder_of_rank,
       folder.text(), tessera_program, "solve", "--set",     "haskell:1-5", "--heuristic",
       "manhattan",   "--batch",       "tree",  "--threads", "1",           "--quiet",
       "--log-dir",   "logs"});
  const Finished run = running.wait();
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.out, "");
  ASSERT_EQ(complaints(run.err).size(), 1U) << run.err;
  EXPECT_NE(run.err.find("tessera: rank 1: logs"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace tessera::cli
