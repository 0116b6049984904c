// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <chrono>

#include "base/thinned.hpp"
#include "program.hpp"

namespace tessera::cli {
namespace {

TEST(Generate, SolveReadsEveryFormatAndGoal) {
  for (const char* const size : {"3x3", "3x2", "2x4"}) {
    std::string answers;
    for (const char* const format : {"lines", "slash", "blocks", "grid", "csv", "json"}) {
      Running::Options options;
      options.input =
          tessera({"generate", size, "--count", "3", "--format", format, "--goal", "spiral"}).out;
      const Finished solved = tessera({"solve", "--file", "-", "--quiet"}, options);
      EXPECT_EQ(solved.code, 0) << solved.err;
      EXPECT_EQ(solved.out.find("unsolvable"), std::string::npos);
      if (answers.empty()) answers = solved.out;
      EXPECT_EQ(solved.out, answers) << format;
    }
  }
}

TEST(Generate, ASignalEndsItAfterAWholeBoard) {
  Running running({tessera_program, "generate", "3x3", "--count", "100000000"});
  running.wait_until_it_worked(std::chrono::milliseconds(100));
  running.signal(SIGTERM);
  const Finished run = running.wait(std::chrono::seconds(20));
  EXPECT_EQ(run.code, 4) << run.err;
  EXPECT_EQ(complaints(run.err).size(), 1U) << run.err;
  EXPECT_TRUE(run.out.ends_with('\n'));
}

// They are drawn before the first is written.
TEST(Generate, BoardsOfADepthMustFitMemory) {
  if (thinned != 1) GTEST_SKIP() << "sanitizers reserve more address space than the limit allows";
  const Finished run =
      Running({"/bin/sh", "-c",
               "ulimit -v 2000000; exec \"$0\" generate 3x3 --depth 9 -n 1000000000",
               tessera_program})
          .wait();
  EXPECT_EQ(run.code, 5);
  ASSERT_EQ(complaints(run.err).size(), 1U) << run.err;
  EXPECT_NE(run.err.find("--count: 1,000,000,000 boards of one depth take "), std::string::npos);
}

TEST(Generate, ARandomSeedIsPrinted) {
  const Finished drawn = tessera({"generate", "4x4", "--seed", "random"});
  ASSERT_TRUE(drawn.err.starts_with("# seed ")) << drawn.err;
  const std::string seed = drawn.err.substr(7, drawn.err.find('\n') - 7);
  EXPECT_EQ(tessera({"generate", "--size", "4", "--seed", seed}).out, drawn.out);
  EXPECT_EQ(tessera({"generate", "4x4", "--size", "3x3"}).code, 2);
}

TEST(Generate, ASeedGivesTheSameBoards) {
  const auto boards = [](const char* seed) {
    return tessera({"generate", "--size", "4x4", "--count", "5", "--seed", seed}).out;
  };
  EXPECT_EQ(boards("7"), boards("7"));
  EXPECT_NE(boards("7"), boards("8"));
  EXPECT_TRUE(boards("7").starts_with("1: 14 6 4 2 5 11 13 1 3 12 15 10 8 0 9 7\n"));
}

TEST(Generate, EveryBoardCanBeSolved) {
  for (const char* goal : {"first", "last", "8 7 6 5 4 3 2 1 0"}) {
    const Finished boards = tessera({"generate", "--size", "3x3", "--count", "50", "--goal", goal});
    Running::Options options;
    options.input = boards.out;
    const Finished run =
        tessera({"solve", "--file", "-", "--goal", goal, "--quiet", "--json", "-"}, options);
    EXPECT_EQ(run.code, 0);
    const auto rows = json_lines(run.out);
    EXPECT_EQ(rows.size(), 50U);
    for (const auto& row : rows) EXPECT_EQ(row["status"], "solved");
  }
}

}  // namespace
}  // namespace tessera::cli
