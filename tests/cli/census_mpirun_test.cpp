// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <signal.h>

#include <thread>

#include "base/temporary_folder.hpp"
#include "program.hpp"

namespace tessera::cli {
namespace {

std::vector<std::string> census(int ranks, const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"census", "--threads", "1", "--quiet", "--json", "-"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return mpirun(ranks, arguments);
}

TEST(CensusMpirun, AnyNumberOfRanksCountsTheSame) {
  for (const char* metric : {"single", "multi"}) {
    const std::vector<std::string> what{"4x3", "--metric", metric, "--deepest", "2"};
    const auto alone = json_lines(Running(census(1, what)).wait().out).at(0);
    EXPECT_EQ(alone["radius"], metric == std::string("single") ? 53 : 33);
    for (const int ranks : {2, 3, 4, 7}) {
      const Finished run = Running(census(ranks, what)).wait();
      EXPECT_EQ(run.code, 0) << run.err;
      const auto row = json_lines(run.out).at(0);
      EXPECT_EQ(row["widths"], alone["widths"]) << ranks << " ranks";
      EXPECT_EQ(row["deepest"].size(), 2U);
      EXPECT_EQ(row["deepest"][0]["board"], alone["deepest"][0]["board"]);
      EXPECT_EQ(row["ranks"], ranks);
      EXPECT_GT(row["bytes_exchanged"], 0);
    }
  }
}

// The job is killed or told to stop, each time with another number of ranks.
TEST(CensusMpirun, GoesOnAfterKillsWithOtherRanks) {
  const auto widths =
      json_lines(tessera({"census", "6x2", "--quiet", "--json", "-"}).out).at(0)["widths"];
  const TemporaryFolder folder;
  const std::vector<std::string> what{"6x2",      "--checkpoint",       folder.text(),
                                      "--resume", "--checkpoint-every", "20ms"};
  for (int i = 0; i < 5; ++i) {
    Running run(census(2 + i % 3, what));
    std::this_thread::sleep_for(std::chrono::milliseconds(500 + 60 * i));
    run.signal(i % 2 == 0 ? SIGKILL : SIGUSR1);
    const Finished end = run.wait();
    if (i % 2 == 1) EXPECT_TRUE(end.code == 0 || end.code == 3) << end.code << end.err;
  }
  const Finished last = Running(census(3, what)).wait();
  EXPECT_EQ(last.code, 0) << last.err;
  EXPECT_EQ(json_lines(last.out).at(0)["widths"], widths);
  EXPECT_GT(json_lines(last.out).at(0)["resumed_depth"], 0);
}

TEST(CensusMpirun, FailuresEndTheJobWithOneLine) {
  const TemporaryFolder folder;
  EXPECT_EQ(Running(census(2, {"3x3", "--checkpoint", folder.text(), "--checkpoint-every", "1us"}))
                .wait()
                .code,
            0);
  const Finished other =
      Running(census(3, {"3x3", "--checkpoint", folder.text(), "--metric", "multi"})).wait();
  EXPECT_EQ(other.code, 6);
  EXPECT_EQ(complaints(other.err).size(), 1U) << other.err;
  const Finished large = Running(census(2, {"4x4"})).wait();
  EXPECT_EQ(large.code, 5);
  EXPECT_EQ(complaints(large.err).size(), 1U) << large.err;
}

}  // namespace
}  // namespace tessera::cli
