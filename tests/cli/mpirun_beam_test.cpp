// SPDX-License-Identifier: MIT
// Beam search over ranks gives what one process gives.
#include <gtest/gtest.h>
#include <signal.h>

#include "program.hpp"

namespace tessera::cli {
namespace {

using namespace std::chrono_literals;

Finished run_beam(int ranks, const std::vector<std::string>& more) {
  const auto arguments = with({"solve", "--json", "-", "--threads", "1"}, more);
  return ranks == 0 ? tessera(arguments) : run_ranks(ranks, arguments);
}

TEST(MpirunBeam, EngineGivesOneSolutionForASeedAndWidthOnAnyRanks) {
  const std::vector<std::string> beam{"--set",    "korf50:1", "--heuristic", "manhattan",
                                      "--engine", "beam",     "--incumbent", "beam:20000"};
  const auto alone = json_lines(run_beam(0, beam).out).at(0);
  for (const int ranks : {2, 4}) {
    const Finished run = run_beam(ranks, beam);
    ASSERT_EQ(run.code, 0) << run.err;
    const auto shared = json_lines(run.out).at(0);
    EXPECT_EQ(shared["ranks"], ranks);
    EXPECT_EQ(shared["moves"], alone["moves"]);
    EXPECT_EQ(shared["incumbent"]["evaluated"], alone["incumbent"]["evaluated"]);
    EXPECT_NE(run.err.find("a beam of 20,000 boards takes "), std::string::npos) << run.err;
    EXPECT_NE(run.err.find(" on each rank\n"), std::string::npos) << run.err;
  }
}

TEST(MpirunBeam, AutomaticIncumbentsProveTheSameOnAnyRanks) {
  const std::vector<std::string> board{"8 14 16 6 17 15 13 11 0 2 12 10 5 3 4 7 9 18 1 19",
                                       "--size",
                                       "5x4",
                                       "--heuristic",
                                       "pairwise",
                                       "--prune",
                                       "parent"};
  const auto alone = json_lines(run_beam(0, board).out).at(0);
  EXPECT_EQ(alone["optimal"], true);
  EXPECT_GE(alone["incumbent"]["width"], 4096);  // ranks share it
  for (const int ranks : {2, 4}) {
    const auto shared = json_lines(run_beam(ranks, board).out).at(0);
    for (const char* const field : {"length", "moves", "optimal", "lower_bound", "upper_bound"}) {
      EXPECT_EQ(shared[field], alone[field]) << field << ' ' << ranks;
    }
    EXPECT_EQ(shared["incumbent"]["width"], alone["incumbent"]["width"]);
    EXPECT_EQ(shared["incumbent"]["evaluated"], alone["incumbent"]["evaluated"]);
    ASSERT_EQ(shared["iterations"].size(), alone["iterations"].size());
    for (std::size_t i = 0; i < alone["iterations"].size(); ++i) {
      EXPECT_EQ(shared["iterations"][i]["expanded"], alone["iterations"][i]["expanded"]);
    }
  }
}

TEST(MpirunBeam, LimitsAndSignalsEndItOnAllRanks) {
  const std::vector<std::string> beam{"--set",    "korf50:1", "--heuristic", "manhattan",
                                      "--engine", "beam",     "--incumbent", "beam:4000000"};
  const Finished cut = run_beam(3, with(beam, {"--time-limit", "1s"}));
  EXPECT_EQ(cut.code, 4);
  EXPECT_LT(cut.seconds, 20);
  EXPECT_EQ(json_lines(cut.out).at(0)["status"], "limit");
  EXPECT_TRUE(json_lines(cut.out).at(0)["upper_bound"].is_null());

  Running running(mpirun(3, with({"solve", "--threads", "1"}, beam)));
  running.wait_for("a beam of ");
  running.signal(SIGUSR1);
  const Finished ended = running.wait(20s);
  EXPECT_NE(ended.code, 0);
  EXPECT_GE(complaints(ended.err).size(), fewest_last_words) << ended.err;
}

TEST(MpirunBeam, AWidthBeyondTheMemoryOfARankIsRefused) {
  const Finished run = run_beam(2, {"--set", "korf50:1", "--heuristic", "manhattan", "--incumbent",
                                    "beam:100000000", "--memory", "1GiB"});
  EXPECT_EQ(run.code, 5);
  ASSERT_EQ(complaints(run.err).size(), 1U) << run.err;
  EXPECT_NE(run.err.find(" on each rank, "), std::string::npos) << run.err;
}

}  // namespace
}  // namespace tessera::cli
