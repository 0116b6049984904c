// SPDX-License-Identifier: MIT
// --engine: the seeds' algorithms from the command line.
#include <gtest/gtest.h>
#include <signal.h>

#include "program.hpp"
#include "tessera/puzzle/goal.hpp"
#include "tessera/puzzle/metric.hpp"

namespace tessera::cli {
namespace {

using namespace std::chrono_literals;

std::vector<std::string> with(std::vector<std::string> arguments,
                              const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

Finished solve(const std::vector<std::string>& more) {
  return tessera(with({"solve", "--quiet", "--json", "-"}, more));
}

// The first boards of seed 000, those that each engine finishes in little time.
TEST(Engines, SolveTheHaskellBoards) {
  const std::vector<int> lengths{3, 8, 16, 17, 30, 36, 38, 40};
  struct Case {
    std::vector<std::string> options;
    std::size_t boards;
  };
  for (const Case& c : {Case{{"--engine", "iddfs"}, 3},
                        {{"--engine", "iddfs", "--backend", "serial"}, 3},
                        {{"--engine", "iddfs", "--split-depth", "3", "--threads", "2"}, 3},
                        {{"--engine", "iddfs-pruned", "--heuristic", "manhattan"}, 8},
                        {{"--engine", "iddfs-pruned", "--split-depth", "6", "--heuristic",
                          "manhattan", "--threads", "2"},
                         8},
                        {{"--engine", "astar", "--heuristic", "manhattan"}, 8},
                        {{"--engine", "astar", "--heuristic", "linear-conflict"}, 8},
                        {{"--engine", "bfs"}, 4}}) {
    const Finished run = solve(with({"--set", "haskell:1-" + std::to_string(c.boards)}, c.options));
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.err, "");
    const auto rows = json_lines(run.out);
    ASSERT_EQ(rows.size(), c.boards);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(rows[i]["length"], lengths[i]) << c.options[1];
      EXPECT_EQ(rows[i]["optimal"], true);
      EXPECT_EQ(rows[i]["verified"], true);
      EXPECT_EQ(rows[i]["engine"], c.options[1]);
      EXPECT_EQ(rows[i]["iterations"].back()["complete"], true);
    }
  }
}

TEST(Engines, UnprunedDeepeningIsFasterThanTheSeeds) {
  const Finished run = solve({"--set", "haskell:3", "--engine", "iddfs"});
  EXPECT_EQ(json_lines(run.out).at(0)["length"], 16);
  EXPECT_LT(run.seconds, 5);
}

// The split of the tree changes no count of a complete iteration.
TEST(Engines, DeepeningCountsDoNotDependOnTheSplit) {
  for (const char* engine : {"iddfs", "iddfs-pruned"}) {
    const std::vector<std::string> common{"--set",       "haskell:2", "--engine",          engine,
                                          "--heuristic", "manhattan", "--finish-iteration"};
    const auto serial = json_lines(solve(with(common, {"--backend", "serial"})).out).at(0);
    for (const std::vector<std::string>& cut : {std::vector<std::string>{"--split-depth", "3"},
                                                {"--split-depth", "6"},
                                                {"--frontier", "100"}}) {
      const auto row = json_lines(solve(with(with(common, cut), {"--threads", "2"})).out).at(0);
      EXPECT_EQ(row["nodes"], serial["nodes"]) << engine << cut[1];
      EXPECT_EQ(row["moves"], serial["moves"]);
    }
    for (int bound = 0; bound <= 8; ++bound) {
      EXPECT_EQ(serial["iterations"].at(static_cast<std::size_t>(bound))["bound"], bound);
    }
  }
}

TEST(Engines, GreedySaysThatNothingIsProven) {
  const Finished run =
      tessera({"solve", "--set", "korf100:1-10", "--engine", "greedy", "--json", "-"});
  ASSERT_EQ(run.code, 0);
  EXPECT_NE(run.err.find("not proven optimal, verified"), std::string::npos);
  for (const auto& row : json_lines(run.out)) {
    EXPECT_EQ(row["status"], "solved");
    EXPECT_EQ(row["optimal"], false);
    EXPECT_EQ(row["verified"], true);
    EXPECT_GE(row["length"], 42);
    EXPECT_GT(row["memory"]["states"], 0);
  }
  const Finished large = solve({"--file", "-", "--engine", "greedy"});
  EXPECT_EQ(large.code, 2);  // an empty file, whatever the engine
}

TEST(Engines, GreedySolvesBoardsBeyondAllTables) {
  const std::string boards =
      tessera({"generate", "--size", "8x8", "--count", "3", "--seed", "2"}).out;
  const TemporaryFile file(boards);
  const Finished run =
      solve({"--file", file.path(), "--engine", "greedy", "--heuristic", "manhattan"});
  ASSERT_EQ(run.code, 0) << run.err;
  for (const auto& row : json_lines(run.out)) EXPECT_EQ(row["verified"], true);
}

TEST(Engines, NoteWhatTheyIgnore) {
  for (const char* engine : {"iddfs", "bfs"}) {
    const Finished run =
        tessera({"solve", "--set", "haskell:1", "--engine", engine, "--heuristic", "manhattan"});
    EXPECT_EQ(run.code, 0);
    EXPECT_NE(run.err.find("has no heuristic, --heuristic manhattan is ignored"),
              std::string::npos);
  }
  const Finished threads =
      tessera({"solve", "--set", "haskell:1", "--engine", "bfs", "--threads", "2"});
  EXPECT_NE(threads.err.find("note: --engine bfs searches in one thread\n"), std::string::npos);
}

TEST(Engines, RefuseWhatTheyCannotDo) {
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--engine", "astar", "--all"},
        {"--engine", "bfs", "--finish-iteration"},
        {"--engine", "iddfs", "--bounds", "independent"},
        {"--engine", "iddfs", "--prune", "fsm:8"},
        {"--engine", "astar", "--frontier", "10"},
        {"--engine", "astar", "--kernel", "plain"},
        {"--prune", "none"},
        {"--parallel", "neighbors"},
        {"--engine", "bfs", "--parallel", "distance"},
        {"--engine", "astar", "--parallel", "queues"},
        {"--engine", "astar", "--parallel", "queues:0"},
        {"--engine", "astar", "--parallel", "neighbours"},
        {"--engine", "astar", "--parallel", "distance", "--heuristic", "zero"},
        {"--engine", "astar", "--parallel", "queues:2", "--backend", "serial"},
        {"--engine", "bfs", "--backend", "mpi"}}) {
    const Finished run = solve(with({"--set", "haskell:1"}, options));
    EXPECT_EQ(run.code, 2) << options[1] << options.back() << run.out;
    EXPECT_EQ(complaints(run.err).size(), 1U) << run.err;
  }
}

TEST(Engines, FillTheirMemoryAndSaySo) {
  for (const char* engine : {"astar", "bfs"}) {
    const Finished run =
        tessera({"solve", "--set", "hardest15:1", "--engine", engine, "--heuristic", "manhattan",
                 "--memory", "8MiB", "--json", "-", "--quiet"});
    EXPECT_EQ(run.code, 5);
    ASSERT_EQ(complaints(run.err).size(), 1U) << run.err;
    EXPECT_NE(run.err.find("memory is full: "), std::string::npos);
    const auto row = json_lines(run.out).at(0);
    EXPECT_EQ(row["status"], "limit");
    EXPECT_EQ(row["memory"]["full"], true);
    EXPECT_LE(row["memory"]["bytes"], 8 << 20);
    EXPECT_GT(row["memory"]["states"], 8'000'000 / 24);
    EXPECT_EQ(row["iterations"].back()["complete"], false);
  }
  // The other boards are solved nevertheless.
  const TemporaryFile file(
      "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1\n1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15\n");
  const Finished both = solve(
      {"--file", file.path(), "--engine", "astar", "--heuristic", "manhattan", "--memory", "4MiB"});
  EXPECT_EQ(both.code, 5);
  EXPECT_EQ(json_lines(both.out).at(1)["status"], "solved");
  EXPECT_EQ(solve({"--set", "haskell:1", "--engine", "astar", "--heuristic", "manhattan",
                   "--memory", "10KiB"})
                .code,
            5);
}

TEST(Engines, StopAtLimits) {
  for (const char* engine : {"iddfs", "iddfs-pruned", "astar", "bfs"}) {
    for (const std::vector<std::string>& limit :
         {std::vector<std::string>{"--time-limit", "200ms"}, {"--node-limit", "300000"}}) {
      const Finished run = solve(
          with({"--set", "hardest15:1", "--engine", engine, "--heuristic", "manhattan"}, limit));
      EXPECT_EQ(run.code, 4) << engine;
      const auto row = json_lines(run.out).at(0);
      EXPECT_EQ(row["status"], "limit");
      EXPECT_EQ(row["optimal"], false);
      EXPECT_EQ(row["iterations"].back()["complete"], false);
      EXPECT_LT(run.seconds, 10);
    }
  }
}

TEST(Engines, StopAtASignal) {
  for (const char* engine : {"iddfs", "astar", "bfs"}) {
    Running running({TESSERA_PROGRAM, "solve", "--set", "hardest15:1", "--engine", engine,
                     "--heuristic", "manhattan", "--json", "-"});
    running.wait_for(std::string(engine) == "astar" ? "    50 " : "    12 ");  // a bound's row
    running.signal(SIGTERM);
    const Finished run = running.wait(20s);
    EXPECT_EQ(run.code, 4) << engine;
    ASSERT_EQ(complaints(run.err).size(), 1U) << run.err;
    EXPECT_EQ(json_lines(run.out).at(0)["status"], "interrupted");
  }
}

TEST(Engines, AgreeInMetricMulti) {
  std::vector<nlohmann::json> lengths;
  for (const char* engine : {"ida", "iddfs", "astar", "bfs"}) {
    const Finished run = solve(
        {"--set", "haskell:1-3", "--metric", "multi", "--engine", engine, "--heuristic", "zero"});
    ASSERT_EQ(run.code, 0) << engine << run.err;
    nlohmann::json of_engine;
    for (const auto& row : json_lines(run.out)) of_engine.push_back(row["length"]);
    lengths.push_back(of_engine);
    EXPECT_EQ(lengths.back(), lengths.front()) << engine;
  }
}

}  // namespace
}  // namespace tessera::cli
