// SPDX-License-Identifier: MIT
// --engine: the seeds' algorithms from the command line.
#include <gtest/gtest.h>
#include <signal.h>

#include <thread>
#include <utility>

#include "base/places.hpp"
#include "base/thinned.hpp"
#include "program.hpp"
#include "puzzle/goal.hpp"
#include "puzzle/metric.hpp"

namespace tessera::cli {
namespace {

using namespace std::chrono_literals;

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
  if (thinned == 1) {
    EXPECT_LT(run.cpu_seconds, 5);
  }
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
      const auto row = json_lines(solve(with(common, cut, {"--threads", "2"})).out).at(0);
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
      tessera({"generate", "--size", "6x6", "--count", "3", "--seed", "2"}).out;
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
    const Finished unknown =
        tessera({"solve", "1 2 3 0", "--engine", engine, "--heuristic", "manhatan"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_NE(unknown.err.find("did you mean manhattan?"), std::string::npos) << unknown.err;
  }
  const Finished threads =
      tessera({"solve", "--set", "haskell:1", "--engine", "bfs", "--threads", "2"});
  EXPECT_NE(threads.err.find("note: --engine bfs searches in one thread\n"), std::string::npos);
}

TEST(Engines, NoteOptionsThatDoNothing) {
  struct Case {
    std::vector<std::string> options;
    std::string note;
  };
  for (const Case& c :
       {Case{{"--checkpoint-every", "5s"}, "--checkpoint-every does nothing without --checkpoint"},
        Case{{"--max-solutions", "5"}, "--max-solutions does nothing without --all"},
        Case{{"--backend", "serial", "--threads", "2"},
             "--backend serial searches in one thread, --threads 2 is ignored"},
        Case{{"--backend", "serial", "--schedule", "static"},
             "--backend serial schedules nothing, --schedule static is ignored"},
        Case{{"--engine", "astar", "--schedule", "dynamic"},
             "--engine astar schedules nothing, --schedule dynamic is ignored"}}) {
    const Finished run = tessera(with({"solve", "--set", "haskell:1"}, c.options));
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_NE(run.err.find("note: " + c.note + "\n"), std::string::npos) << run.err;
  }
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
        {"--engine", "bfs", "--backend", "mpi"},
        {"--batch", "boards", "--split-depth", "3"},
        {"--batch", "boards", "--bounds", "independent"},
        {"--batch", "heaps"}}) {
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
    Running running({tessera_program, "solve", "--set", "hardest15:1", "--engine", engine,
                     "--heuristic", "manhattan", "--memory", "2GiB", "--json", "-"});
    running.wait_for(std::string(engine) == "astar" ? "    66 " : "    12 ");  // a bound's row
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

// ---- threads inside best-first search, as seed 002 has them

TEST(Parallel, ThreadsInsideAStarFindTheSameLengths) {
  const std::vector<int> lengths{3, 8, 16, 17, 30};
  for (const char* parallel : {"neighbors", "distance", "queues:1", "queues:2", "queues:5"}) {
    const Finished run = solve({"--set", "haskell:1-5", "--engine", "astar", "--heuristic",
                                "manhattan", "--parallel", parallel, "--threads", "2"});
    ASSERT_EQ(run.code, 0) << parallel << run.err;
    const auto rows = json_lines(run.out);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(rows[i]["verified"], true);
      EXPECT_EQ(rows[i]["backend"], "threads");
      // The first queue that comes home may have a longer way, and says so.
      if (rows[i]["optimal"] == true) {
        EXPECT_EQ(rows[i]["length"], lengths[i]) << parallel;
      } else {
        EXPECT_GE(rows[i]["length"], lengths[i]) << parallel;
      }
      if (!std::string(parallel).starts_with("queues")) {
        EXPECT_EQ(rows[i]["optimal"], true);
      }
    }
    if (std::string(parallel) == "queues:1") {
      EXPECT_EQ(rows[4]["optimal"], true);
    }
  }
}

// Sharing out a node's work changes no count.
TEST(Parallel, TeamsCountAsOneThreadDoes) {
  const std::vector<std::string> common{"--set", "haskell:5", "--heuristic", "manhattan"};
  for (const char* engine : {"astar", "greedy"}) {
    const auto alone = json_lines(solve(with(common, {"--engine", engine})).out).at(0);
    for (const char* parallel : {"neighbors", "distance"}) {
      const auto row =
          json_lines(
              solve(with(common, {"--engine", engine, "--parallel", parallel, "--threads", "3"}))
                  .out)
              .at(0);
      EXPECT_EQ(row["nodes"], alone["nodes"]) << engine << parallel;
      EXPECT_EQ(row["moves"], alone["moves"]);
    }
  }
}

TEST(Parallel, QueuesOfGreedyStopAtLimits) {
  const Finished solved = solve({"--set", "korf100:1-5", "--engine", "greedy", "--heuristic",
                                 "manhattan", "--parallel", "queues:3"});
  EXPECT_EQ(solved.code, 0);
  for (const auto& row : json_lines(solved.out)) EXPECT_EQ(row["verified"], true);
  const Finished full = solve({"--set", "hardest15:1", "--engine", "astar", "--heuristic",
                               "manhattan", "--parallel", "queues:2", "--memory", "8MiB"});
  EXPECT_EQ(full.code, 5);
  EXPECT_EQ(complaints(full.err).size(), 1U) << full.err;
  const Finished cut = solve({"--set", "hardest15:1", "--engine", "astar", "--heuristic",
                              "manhattan", "--parallel", "queues:2", "--time-limit", "200ms"});
  EXPECT_EQ(cut.code, 4);
}

// ---- many boards, side by side

std::string random_boards(const char* size, const char* count, const char* format) {
  return tessera({"generate", "--size", size, "--count", count, "--seed", "9", "--format", format})
      .out;
}

nlohmann::json columns(const std::string& out, const std::vector<std::string>& keys) {
  nlohmann::json rows;
  for (const auto& row : json_lines(out)) {
    nlohmann::json some;
    for (const std::string& key : keys) some.push_back(row[key]);
    rows.push_back(some);
  }
  return rows;
}

TEST(Batch, GivesWhatOneBoardAfterTheOtherGives) {
  const TemporaryFile file(random_boards("3x3", "300", "lines") +
                           "impossible: 2 1 3 4 5 6 7 8 0\n" + random_boards("3x3", "20", "lines"));
  const std::vector<std::string> keys{"id", "board", "status", "length", "moves", "nodes"};
  for (const char* engine : {"ida", "iddfs-pruned", "astar"}) {
    const std::vector<std::string> common{"--file", file.path(),   "--engine",
                                          engine,   "--heuristic", "manhattan"};
    const Finished serial = solve(with(common, {"--backend", "serial", "--batch", "tree"}));
    ASSERT_EQ(serial.code, 0) << serial.err;
    EXPECT_EQ(json_lines(serial.out).size(), 321U);
    for (const char* threads : {"1", "3"}) {
      const Finished batch = solve(with(common, {"--batch", "boards", "--threads", threads}));
      EXPECT_EQ(batch.code, 0) << batch.err;
      EXPECT_EQ(columns(batch.out, keys), columns(serial.out, keys)) << engine;
    }
  }
}

// Hard boards among easy ones: what a worker gives back is cut, and every row has its place.
TEST(Batch, CutsTheHardOnes) {
  const TemporaryFile file(
      "a: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15\n"
      "b: 14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3\n"
      "c: 1 2 3 4 5 6 7 8 9 10 11 0 13 14 15 12\n"
      "d: 2 1 3 4 5 6 7 8 9 10 11 12 13 14 15 0\n"
      "e: 0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1\n"
      "f: 1 2 3 4 5 6 7 8 9 10 0 12 13 14 11 15\n");
  const Finished run = solve({"--file", file.path(), "--heuristic", "manhattan", "--threads", "2",
                              "--node-limit", "30000000"});
  EXPECT_EQ(run.code, 4);
  std::string ids;
  std::string statuses;
  for (const auto& row : json_lines(run.out)) {
    ids += row["id"];
    statuses += row["status"].get<std::string>() + " ";
    if (row["status"] == "limit") {
      EXPECT_GE(row["nodes"]["generated"], 30'000'000);
    }
  }
  EXPECT_EQ(ids, "abcdef");
  EXPECT_EQ(statuses.substr(0, 7), "solved ");
  EXPECT_NE(statuses.find("unsolvable limit solved"), std::string::npos) << statuses;
}

TEST(Batch, TenThousandBoardsInAMoment) {
  const TemporaryFile file(random_boards("3x3", "10000", "lines"));
  const Finished run = solve({"--file", file.path()});
  ASSERT_EQ(run.code, 0);
  const auto rows = json_lines(run.out);
  ASSERT_EQ(rows.size(), 10'000U);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ASSERT_EQ(rows[i]["id"], std::to_string(i + 1));
    ASSERT_EQ(rows[i]["optimal"], true);
  }
  RecordProperty("seconds", std::to_string(run.seconds));
  // A second on two free cores: the figure is in docs/algorithms.md.
  if (thinned == 1) {
    EXPECT_LT(run.seconds, 10);
  }
}

TEST(Batch, EndsAtASignalWithTheRowsThatStand) {
  const TemporaryFile file(random_boards("4x4", "4000", "lines"));
  Running running({tessera_program, "solve", "--file", file.path(), "--heuristic", "manhattan",
                   "--batch", "boards", "--json", "-"});
  running.wait_for("     1 ");  // the row of a board
  running.signal(SIGINT);
  const Finished run = running.wait(20s);
  EXPECT_EQ(run.code, 4);
  EXPECT_EQ(complaints(run.err).size(), 1U) << run.err;
  const auto rows = json_lines(run.out);
  ASSERT_GT(rows.size(), 1U);
  EXPECT_EQ(rows[0]["status"], "solved");
  std::size_t in_progress = 0;
  int last = 0;
  for (const auto& row : rows) {
    const int id = std::stoi(row["id"].get<std::string>());
    EXPECT_GT(id, std::exchange(last, id));
    if (row["status"] == "interrupted") ++in_progress;
    else EXPECT_EQ(row["status"], "solved");
  }
  EXPECT_GE(in_progress, 1U);
  EXPECT_LE(in_progress, std::thread::hardware_concurrency());
}

}  // namespace
}  // namespace tessera::cli
