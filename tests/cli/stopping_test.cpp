// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <csignal>

#include <map>
#include <thread>

#include "base/places.hpp"
#include "base/temporary_folder.hpp"
#include "program.hpp"

namespace tessera::cli {
namespace {

using namespace std::chrono_literals;

// Minutes of work on any machine.
const std::vector<std::string> endless{"solve",       "--set", "hardest15:1",
                                       "--heuristic", "zero",  "--quiet"};

TEST(Stopping, AtLimitsWithCodeFour) {
  for (const std::vector<std::string>& limit :
       {std::vector<std::string>{"--time-limit", "300ms"},
        {"--node-limit", "30000000"},
        {"--time-limit", "300ms", "--backend", "serial"},
        {"--time-limit", "300ms", "--bounds", "independent"}}) {
    const Finished run = tessera(with(endless, {"--json", "-"}, limit));
    EXPECT_EQ(run.code, 4) << limit[0];
    const auto row = json_lines(run.out).at(0);
    EXPECT_EQ(row["status"], "limit");
    EXPECT_EQ(row["optimal"], false);
    EXPECT_TRUE(row["length"].is_null());
    EXPECT_EQ(row["iterations"].back()["complete"], false) << row["iterations"].back();
    EXPECT_LT(run.seconds, 10);
  }
}

TEST(Stopping, OneThreadStopsAtTheNode) {
  for (const char* limit : {"1000", "20000", "3000000"}) {
    for (const char* kernel : {"plain", "auto"}) {
      const Finished run =
          tessera({"solve", "--set", "korf100:88", "--node-limit", limit, "--kernel", kernel,
                   "--backend", "serial", "--quiet", "--json", "-"});
      EXPECT_EQ(run.code, 4);
      const auto row = json_lines(run.out).at(0);
      const double over = row["nodes"]["generated"].get<double>() - std::stod(limit);
      EXPECT_GT(over, -200);  // a node's successors are counted ahead until the stop unwinds
      EXPECT_LT(over, 1500) << limit << " " << kernel;
      EXPECT_EQ(row["iterations"].back()["complete"], false);
    }
  }
}

// Whatever a kernel expands at a time, and threads between two looks at one another.
TEST(Stopping, ThreadsAndKernelsStopNearTheLimit) {
  for (const char* threads : {"1", "2", "5"}) {
    for (const std::vector<std::string>& kernel :
         {std::vector<std::string>{"--kernel", "bucket", "--heuristic", "manhattan"},
          {"--kernel", "plain", "--heuristic", "linear-conflict"},
          {"--kernel", "bucket", "--heuristic", "manhattan", "--schedule", "static"}}) {
      for (const char* limit : {"20000", "1000000", "40000000"}) {
        const Finished run =
            tessera(with({"solve", "--set", "korf100:88", "--node-limit", limit, "--threads",
                          threads, "--finish-iteration", "--quiet", "--json", "-"},
                         kernel));
        EXPECT_EQ(run.code, 4);
        const double nodes = json_lines(run.out).at(0)["nodes"]["generated"].get<double>();
        EXPECT_NEAR(nodes / std::stod(limit), 1, 0.025)
            << kernel[1] << ", " << threads << " threads, " << limit;
      }
    }
  }
}

// The limit ends all subtrees of the bound without exhausting it.
TEST(Stopping, NoBoundIsCompleteThatTheNodeLimitCut) {
  const auto expect_cut = [](const Finished& run, int code) {
    EXPECT_EQ(run.code, code) << run.err;
    const auto row = json_lines(run.out).at(0);
    EXPECT_LE(row["lower_bound"], 46) << row;
    EXPECT_EQ(row["iterations"].back()["complete"], false) << row;
    EXPECT_EQ(row["iterations"].back()["bound"], row["lower_bound"]) << row;
  };
  for (const char* threads : {"1", "2"}) {
    const std::vector<std::string> solve{"solve",     "--set",   "korf100:9", "--heuristic",
                                         "manhattan", "--quiet", "--json",    "-",
                                         "--threads", threads};
    for (const char* limit : {"100000", "300000", "400000", "500000", "600000", "900000"}) {
      const auto limited = with(solve, {"--node-limit", limit});
      for (int repeat = 0; repeat < 3; ++repeat) expect_cut(tessera(limited), 4);
      const TemporaryFolder folder;
      const std::vector<std::string> checkpoint{"--checkpoint", folder.text() + "/checkpoint"};
      expect_cut(tessera(with(limited, checkpoint)), 3);
      const Finished resumed = tessera(with(solve, checkpoint, {"--resume"}));
      EXPECT_EQ(json_lines(resumed.out).at(0)["length"], 46) << threads << " " << limit;
    }
  }
}

// Board 12 takes 546,344 generated nodes (a few are counted ahead), whatever the default kernel
// would do.
TEST(Stopping, ALimitJustAboveTheSearchIsNotMet) {
  for (const char* kernel : {"plain", "auto"}) {
    const Finished run =
        tessera({"solve", "--set", "korf100:12", "--heuristic", "manhattan", "--node-limit",
                 "546400", "--kernel", kernel, "--backend", "serial", "--quiet"});
    EXPECT_EQ(run.code, 0) << kernel;
  }
  // Where the kernel is named, its own order decides; finding the path again costs no nodes.
  const Finished run =
      tessera({"solve", "--set", "korf100:12", "--heuristic", "manhattan", "--node-limit", "900000",
               "--kernel", "bucket", "--backend", "serial", "--quiet"});
  EXPECT_EQ(run.code, 0);
}

// Minutes of work each, and one of a moment between them.
constexpr const char* hard_and_easy =
    "15 11 8 12 14 10 9 13 2 6 1 4 3 7 5 0\n1 0 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n"
    "15 11 13 12 14 10 9 5 2 6 8 1 3 7 4 0\n";

TEST(Stopping, ATimeLimitPerBoardLeavesTheNextOneItsTime) {
  const TemporaryFile file(hard_and_easy);
  for (const std::vector<std::string>& how : {std::vector<std::string>{"--backend", "serial"},
                                              {"--threads", "2", "--batch", "tree"},
                                              {"--threads", "2", "--batch", "boards"},
                                              {"--threads", "2"},
                                              {"--engine", "bfs"},
                                              {"--time-limit", "1h"}}) {
    const Finished run =
        tessera(with({"solve", "--file", file.path(), "--goal", "first", "--heuristic", "zero",
                      "--board-time-limit", "300ms", "--quiet", "--json", "-"},
                     how));
    EXPECT_EQ(run.code, 4) << how[0] << run.err;
    const auto rows = json_lines(run.out);
    ASSERT_EQ(rows.size(), 3U) << how[0];
    EXPECT_EQ(rows[0]["status"], "limit") << how[0];
    EXPECT_EQ(rows[1]["status"], "solved") << how[0];
    EXPECT_EQ(rows[2]["status"], "limit") << how[0];
    EXPECT_GT(rows[2]["seconds"], 0.1) << how[0];
    EXPECT_LT(run.seconds, 10) << how[0];
  }
  // The run's own limit still holds.
  const Finished run =
      tessera({"solve", "--file", file.path(), "--goal", "first", "--time-limit", "300ms",
               "--heuristic", "zero", "--board-time-limit", "1h", "--quiet"});
  EXPECT_EQ(run.code, 4) << run.err;
  EXPECT_LT(run.seconds, 10);
}

// The automaton of 8x8 takes longer to build.
TEST(Stopping, ATimeLimitPerBoardBeginsAfterTheSetUp) {
  const TemporaryFile file(tessera({"generate", "8x8", "--seed", "5"}).out);
  const Finished run =
      tessera({"solve", "--file", file.path(), "--heuristic", "manhattan", "--incumbent", "none",
               "--board-time-limit", "100ms", "--quiet", "--json", "-"});
  EXPECT_GT(json_lines(run.out).at(0)["seconds"], 0.05) << run.out;
}

// They take seconds to build: every board has its row.
TEST(Stopping, BeforeTheTablesAreBuiltLeavesRows) {
  const TemporaryFolder folder;
  const std::string boards = tessera({"generate", "5x4", "--count", "3"}).out;
  const std::vector<std::string> solve{"solve",       "--file",  "-",     "--heuristic",
                                       "pdb:6-6-6-1", "--json",  "-",     "--pdb-dir",
                                       folder.text(), "--quiet", "--csv", folder.text() + "/rows"};
  const std::string checkpoint = folder.text() + "/checkpoint";
  const Finished run =
      tessera(with(solve, {"--time-limit", "20ms", "--checkpoint", checkpoint}), {.input = boards});
  EXPECT_EQ(run.code, 3);
  const auto rows = json_lines(run.out);
  ASSERT_EQ(rows.size(), 3U);
  for (const auto& row : rows) EXPECT_EQ(row["status"], "limit");
  // The checkpoint holds nothing yet, which is not worth a line.
  EXPECT_EQ(run.err, "tessera: stopped by a limit or signal while tables were being built\n");
  EXPECT_EQ(tessera({"verify", "-"}, {.input = run.out}).code, 0);
}

// Each size has an automaton of its own, which takes some tenths of a second.
TEST(Stopping, NoFurtherSizeIsPreparedAfterALimit) {
  const TemporaryFile boards(tessera({"generate", "8x8"}).out + tessera({"generate", "7x7"}).out +
                             tessera({"generate", "6x6"}).out);
  const Finished run = tessera({"solve", "--file", boards.path(), "--heuristic", "manhattan",
                                "--time-limit", "1ms", "--quiet", "--json", "-"});
  EXPECT_EQ(run.code, 4);
  EXPECT_EQ(run.err, "");
  const auto rows = json_lines(run.out);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_GT(rows[0]["lower_bound"], 0);
  EXPECT_EQ(rows[2]["lower_bound"], nullptr);
  for (const auto& row : rows) EXPECT_EQ(row["status"], "limit");
}

TEST(Stopping, ASignalWhileTablesAreBuiltLeavesARow) {
  const TemporaryFolder folder;
  const TemporaryFolder tables;
  const std::string rows = folder.text() + "/rows";
  Running running({tessera_program, "solve", "--scramble", "RRR", "--size", "5x4", "--heuristic",
                   "pdb:6-6-6-1", "--pdb-dir", tables.text(), "--json", rows, "--quiet"});
  wait_until([&] { return !tables.entries().empty(); });  // the first one's lock
  running.signal(SIGINT);
  const Finished run = running.wait();
  EXPECT_EQ(run.code, 4);
  EXPECT_EQ(run.err, "tessera: stopped by a limit or signal while tables were being built\n");
  EXPECT_EQ(json_lines(content_of(rows)).at(0)["status"], "interrupted");
}

TEST(Stopping, TheHighestCodeOfAFileCounts) {
  const TemporaryFile file(
      "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15\n15 14 13 12 11 10 9 8 7 6 5 4 3 1 2 0\n");
  const Finished run = tessera({"solve", "--file", file.path(), "--node-limit", "500000",
                                "--heuristic", "zero", "--quiet", "--json", "-"});
  EXPECT_EQ(run.code, 4);
  const auto rows = json_lines(run.out);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0]["status"], "solved");
  EXPECT_EQ(rows[1]["status"], "limit");
}

class Signals : public testing::TestWithParam<int> {};

TEST_P(Signals, EndTheSearchWithOneLine) {
  (void)std::signal(GetParam(), SIG_DFL);  // whoever runs the tests may ignore HUP
  for (const char* backend : {"serial", "threads"}) {
    Running running({tessera_program, "solve", "--set", "hardest15:1", "--heuristic", "zero",
                     "--backend", backend, "--json", "-"});
    running.wait_for("    20 ");  // the row of a bound
    running.signal(GetParam());
    const Finished run = running.wait(20s);
    EXPECT_EQ(run.code, 4);
    ASSERT_EQ(complaints(run.err).size(), 1U) << run.err;
    EXPECT_TRUE(complaints(run.err)[0].starts_with("tessera: stopped by a signal"));
    EXPECT_EQ(json_lines(run.out).at(0)["status"], "interrupted");
  }
}

INSTANTIATE_TEST_SUITE_P(All, Signals, testing::Values(SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2));

// As nohup starts it.
TEST(Stopping, AnIgnoredHangUpStaysIgnored) {
  Running running({"/bin/sh", "-c", "trap '' HUP; exec \"$@\"", "sh", tessera_program, "solve",
                   "--set", "hardest15:1", "--heuristic", "zero", "--backend", "serial"});
  running.wait_for("    15 ");
  running.signal(SIGHUP);
  running.wait_for("    21 ");
  running.signal(SIGTERM);
  EXPECT_EQ(running.wait(20s).code, 4);
}

// Subtrees with bounds of their own: a solution is in hand early, and a shorter one may be left.
TEST(Stopping, ALimitThatCutsIndependentBoundsIsSaidWithASolutionToo) {
  const Finished run = tessera({"solve", "8 6 7 2 5 4 3 0 1", "--heuristic", "manhattan",
                                "--bounds", "independent", "--backend", "serial", "--frontier",
                                "20", "--node-limit", "8000", "--quiet", "--json", "-"});
  EXPECT_EQ(run.code, 4) << run.err;
  const auto row = json_lines(run.out).at(0);
  EXPECT_EQ(row["status"], "limit");
  EXPECT_EQ(row["length"], 31);
  EXPECT_EQ(row["optimal"], false);
  EXPECT_EQ(row["lower_bound"], 21);  // no bound is exhausted in all subtrees
  for (const auto& bound : row["iterations"]) EXPECT_EQ(bound["complete"], false);
  EXPECT_EQ(row["verified"], true);
}

// Whatever stops a search: the optimum lies between the bounds that it reports.
TEST(Stopping, TheBoundsHoldTheOptimumWhereverALimitCuts) {
  const std::map<std::string, int> boards{{"8 6 7 2 5 4 3 0 1", 31}, {"1 2 3 4 0 5 6 7 8", 14}};
  for (const std::vector<std::string>& how : std::vector<std::vector<std::string>>{
           {"--backend", "serial"},
           {"--threads", "2"},
           {"--bounds", "independent", "--backend", "serial"},
           {"--bounds", "independent", "--threads", "2"},
           {"--bounds", "independent", "--threads", "3", "--frontier", "40"},
           {"--engine", "iddfs"},
           {"--engine", "iddfs-pruned", "--threads", "2"},
           {"--engine", "astar"},
           {"--engine", "astar", "--parallel", "queues:3"},
           {"--engine", "astar", "--parallel", "neighbors", "--threads", "2"},
           {"--engine", "greedy"},
           {"--engine", "greedy", "--parallel", "queues:2"},
           {"--engine", "bfs"},
           {"--metric", "multi", "--threads", "2"}}) {
    for (const auto& [board, single] : boards) {
      const bool multi = how[1] == "multi";
      const int optimum = !multi ? single : single == 31 ? 20 : 11;
      for (const char* limit : {"3", "40", "300", "2000", "8000", "30000"}) {
        const Finished run =
            tessera(with({"solve", board, "--node-limit", limit, "--quiet", "--json", "-"}, how));
        const auto row = json_lines(run.out).at(0);
        const std::string place = how[1] + " " + limit + ": " + row.dump();
        EXPECT_LE(row["lower_bound"], optimum) << place;
        if (!row["length"].is_null()) {
          EXPECT_GE(row["length"], optimum) << place;
        }
        if (row["optimal"] == true) {
          EXPECT_EQ(row["length"], optimum) << place;
        }
        EXPECT_EQ(run.code, row["status"] == "solved" ? 0 : 4) << place;
      }
    }
  }
}

}  // namespace
}  // namespace tessera::cli
