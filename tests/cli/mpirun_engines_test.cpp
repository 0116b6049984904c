// SPDX-License-Identifier: MIT
// Engines and batches over ranks give what one process gives.
#include <gtest/gtest.h>
#include <signal.h>

#include <iterator>
#include <sstream>
#include <thread>

#include "program.hpp"

namespace tessera::cli {
namespace {

using namespace std::chrono_literals;

Finished solve(int ranks, const std::vector<std::string>& more) {
  const auto arguments = with({"solve", "--quiet", "--json", "-"}, more);
  return ranks == 0 ? tessera(arguments) : run_ranks(ranks, arguments);
}

TEST(MpirunEngines, HashDistributedAStarIsOptimal) {
  const std::vector<int> lengths{3, 8, 16, 17, 30, 36, 38, 40};
  for (const int ranks : {1, 2, 5}) {
    const Finished run = solve(ranks, {"--set", "haskell", "--engine", "astar", "--heuristic",
                                       "manhattan", "--backend", "mpi"});
    ASSERT_EQ(run.code, 0) << run.err;
    const auto rows = json_lines(run.out);
    ASSERT_EQ(rows.size(), lengths.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(rows[i]["length"], lengths[i]);
      EXPECT_EQ(rows[i]["optimal"], true);
      EXPECT_EQ(rows[i]["verified"], true);
      EXPECT_EQ(rows[i]["ranks"], ranks);
      EXPECT_GT(rows[i]["memory"]["states"], 0);
      // The layers below the last are expanded by every A* alike, but for boards that came late.
      std::uint64_t expanded = 0;
      for (const auto& row : rows[i]["iterations"]) {
        expanded += row["expanded"].get<std::uint64_t>();
      }
      EXPECT_EQ(rows[i]["nodes"]["expanded"], expanded);
    }
  }
}

TEST(MpirunEngines, EveryLayerBelowTheLastIsComplete) {
  const std::vector<std::string> board{"--set", "korf100:12",  "--engine",
                                       "astar", "--heuristic", "manhattan"};
  const auto serial = json_lines(solve(0, board).out).at(0);
  const auto spread = json_lines(solve(3, board).out).at(0);
  EXPECT_EQ(spread["length"], serial["length"]);
  EXPECT_EQ(spread["backend"], "mpi");
  const auto& rows = serial["iterations"];
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
    const auto& same = spread["iterations"].at(i);
    EXPECT_EQ(same["bound"], rows[i]["bound"]);
    EXPECT_GE(same["expanded"], rows[i]["expanded"]);
    EXPECT_TRUE(same["seconds"].is_number());
  }
  // Layers overlap in time: a row after the first has none of its own, and says so to people.
  std::istringstream text(run_ranks(2, with({"solve"}, board)).err);
  std::vector<std::vector<std::string>> table;
  for (std::string line; std::getline(text, line);) {
    std::istringstream words(line);
    const std::vector<std::string> fields{std::istream_iterator<std::string>(words), {}};
    if (fields.size() >= 6 && fields[0].find_first_not_of("0123456789") == std::string::npos) {
      table.push_back(fields);
    }
  }
  ASSERT_GT(table.size(), 1U);
  EXPECT_NE(table[0].back(), "-");
  for (std::size_t i = 1; i < table.size(); ++i) {
    EXPECT_EQ(std::vector(table[i].begin() + 3, table[i].end()),
              (std::vector<std::string>(3, "-")));
  }
}

TEST(MpirunEngines, OtherSizesAndGreedy) {
  const TemporaryFile file(
      tessera({"generate", "--size", "4x3", "--count", "6", "--seed", "3"}).out);
  const auto serial = json_lines(
      solve(0, {"--file", file.path(), "--size", "4x3", "--heuristic", "manhattan"}).out);
  const auto spread = json_lines(solve(3, {"--file", file.path(), "--size", "4x3", "--engine",
                                           "astar", "--heuristic", "linear-conflict"})
                                     .out);
  ASSERT_EQ(spread.size(), serial.size());
  for (std::size_t i = 0; i < serial.size(); ++i) {
    EXPECT_EQ(spread[i]["length"], serial[i]["length"]);
  }
  const TemporaryFile large(
      tessera({"generate", "--size", "6x5", "--count", "3", "--scramble", "30"}).out);
  for (const char* engine : {"astar", "greedy"}) {
    const Finished run = solve(2, {"--file", large.path(), "--size", "6x5", "--engine", engine,
                                   "--heuristic", "manhattan"});
    ASSERT_EQ(run.code, 0) << run.err;
    for (const auto& row : json_lines(run.out)) EXPECT_EQ(row["verified"], true);
    const TemporaryFile results(run.out);  // levels overlap and go beyond the length
    EXPECT_EQ(tessera({"verify", results.path()}).code, 0);
  }
}

TEST(MpirunEngines, GreedySolvesLargeBoards) {
  const TemporaryFile file(tessera({"generate", "--size", "8x8", "--seed", "3"}).out);
  const Finished run = solve(2, {"--file", file.path(), "--engine", "greedy"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(json_lines(run.out).at(0)["verified"], true);
}

TEST(MpirunEngines, FullMemoryLimitsAndRefusals) {
  const Finished full = solve(2, {"--set", "hardest15:1", "--engine", "astar", "--heuristic",
                                  "manhattan", "--memory", "8MiB"});
  EXPECT_EQ(full.code, 5);
  EXPECT_EQ(complaints(full.err).size(), 1U) << full.err;
  EXPECT_NE(full.err.find("memory is full: "), std::string::npos);
  EXPECT_EQ(json_lines(full.out).at(0)["memory"]["full"], true);
  for (const std::vector<std::string>& limit :
       {std::vector<std::string>{"--time-limit", "300ms"}, {"--node-limit", "300000"}}) {
    const Finished cut = solve(3, {"--set", "hardest15:1", "--engine", "astar", "--heuristic",
                                   "manhattan", "--memory", "2GiB", limit[0], limit[1]});
    EXPECT_EQ(cut.code, 4);
    EXPECT_EQ(json_lines(cut.out).at(0)["status"], "limit");
  }
  EXPECT_EQ(solve(2, {"--set", "haskell:1", "--engine", "bfs", "--backend", "mpi"}).code, 2);
  EXPECT_EQ(solve(2, {"--set", "haskell:1", "--engine", "bfs"}).code, 0);
  EXPECT_EQ(solve(2, {"--set", "haskell:1", "--engine", "astar", "--metric", "multi", "--heuristic",
                      "zero", "--backend", "mpi"})
                .code,
            2);
}

TEST(MpirunEngines, DeepeningIsSpreadLikeIda) {
  const auto serial =
      json_lines(solve(0, {"--set", "haskell:2-3", "--engine", "iddfs", "--finish-iteration"}).out);
  const auto spread = json_lines(solve(3, {"--set", "haskell:2-3", "--engine", "iddfs",
                                           "--finish-iteration", "--split-depth", "3"})
                                     .out);
  ASSERT_EQ(serial.size(), spread.size());
  for (std::size_t i = 0; i < serial.size(); ++i) {
    EXPECT_EQ(spread[i]["nodes"], serial[i]["nodes"]);
    EXPECT_EQ(spread[i]["moves"], serial[i]["moves"]);
  }
}

TEST(MpirunBatch, KeepsTheOrderAndTheAnswers) {
  const TemporaryFile file(
      tessera({"generate", "--size", "3x3", "--count", "1500", "--seed", "4"}).out +
      "impossible: 2 1 3 4 5 6 7 8 0\n");
  const auto answers = [](const Finished& run) {
    nlohmann::json rows;
    for (const auto& row : json_lines(run.out)) {
      rows.push_back({row["id"], row["status"], row["moves"], row["nodes"]});
    }
    return rows;
  };
  const auto serial = answers(solve(0, {"--file", file.path(), "--backend", "serial"}));
  ASSERT_EQ(serial.size(), 1501U);
  for (const int ranks : {1, 2, 4}) {
    const Finished run = solve(
        ranks, {"--file", file.path(), "--backend", "mpi", "--batch", "boards", "--threads", "2"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(answers(run), serial) << ranks;
  }
}

TEST(MpirunBatch, NoRankTakesAllOfAFewBoards) {
  for (const int ranks : {2, 3}) {
    const Finished run =
        run_ranks(ranks, {"solve", "--set", "haskell:6-" + std::to_string(5 + ranks), "--heuristic",
                          "manhattan", "--batch", "boards", "--threads", "1"});
    ASSERT_EQ(run.code, 0) << run.err;
    // The least time that a worker searched.
    const std::size_t search = run.err.find("  search ");
    ASSERT_NE(search, std::string::npos) << run.err;
    EXPECT_GT(std::stod(run.err.substr(search + 9)), 0) << run.err;
  }
}

TEST(MpirunBatch, HardBoardsAreCutAndASignalEndsAll) {
  const Finished mixed = solve(2, {"--set", "korf100:12,88,42", "--heuristic", "manhattan",
                                   "--node-limit", "20000000", "--threads", "1"});
  EXPECT_EQ(mixed.code, 4);
  const auto rows = json_lines(mixed.out);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[1]["status"], "limit");
  EXPECT_GE(rows[1]["nodes"]["generated"], 20'000'000);
  Running running(mpirun(2, {"solve", "--set", "korf100", "--heuristic", "manhattan", "--batch",
                             "boards", "--threads", "1"}));
  running.wait_for("\n       1 ");  // the first board is solved
  running.signal(SIGUSR1);
  const Finished run = running.wait(20s);
  EXPECT_NE(run.code, 0);
  EXPECT_EQ(complaints(run.err).size(), 1U) << run.err;
}

}  // namespace
}  // namespace tessera::cli
