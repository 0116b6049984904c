// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "base/places.hpp"
#include "program.hpp"
#include "signature.hpp"

namespace tessera::cli {
namespace {

std::vector<int> lengths(const std::string& json) {
  std::vector<int> lengths;
  for (const auto& row : json_lines(json)) lengths.push_back(row["length"]);
  return lengths;
}

const std::vector<int> haskell{3, 8, 16, 17, 30, 36, 38, 40};

TEST(Solve, TheHaskellBoardsOnEveryBackendOfOneProcess) {
  for (const std::vector<std::string>& backend : {std::vector<std::string>{"--backend", "serial"},
                                                  {"--backend", "threads", "--threads", "1"},
                                                  {"--backend", "threads", "--threads", "2"},
                                                  {"--bounds", "independent"},
                                                  {"--kernel", "plain"},
                                                  {"--heuristic", "linear-conflict"},
                                                  {"--schedule", "static", "--frontier", "20"}}) {
    const Finished run =
        tessera(with({"solve", "--set", "haskell", "--quiet", "--json", "-"}, backend));
    EXPECT_EQ(run.code, 0);
    EXPECT_EQ(run.err, "");
    EXPECT_EQ(lengths(run.out), haskell);
  }
}

// The definition of a node, to the last digit: all of Korf's boards below 20 million.
TEST(Solve, SerialCountsAreKorfs) {
  std::ifstream table(test_data("korf100_manhattan_nodes.txt"));
  std::map<std::string, std::vector<std::uint64_t>> known;
  std::string ids;
  for (std::string line; std::getline(table, line);) {
    std::istringstream fields(line);
    std::string id;
    std::uint64_t h = 0;
    std::uint64_t length = 0;
    std::uint64_t generated = 0;
    std::uint64_t expanded = 0;
    if (line.starts_with("#") || !(fields >> id >> h >> length >> generated >> expanded)) continue;
    if (generated >= 20'000'000) continue;
    known[id] = {length, generated, expanded - 1};  // the table counts the goal
    ids += (ids.empty() ? "" : ",") + id;
  }
  ASSERT_EQ(known.size(), 37U);
  for (const char* kernel : {"plain", "bucket"}) {
    const Finished run =
        tessera({"solve", "--set", "korf100:" + ids, "--backend", "serial", "--heuristic",
                 "manhattan", "--kernel", kernel, "--quiet", "--json", "-"});
    ASSERT_EQ(run.code, 0);
    for (const auto& row : json_lines(run.out)) {
      const std::vector<std::uint64_t> counted{row["length"], row["nodes"]["generated"],
                                               row["nodes"]["expanded"]};
      EXPECT_EQ(counted, known[row["id"]]) << kernel << " " << row["id"];
    }
  }
}

// One run, as the tables of 4x4 take seconds to make.
TEST(Solve, TheHaskellBoardsInMetricMulti) {
  const Finished run =
      tessera({"solve", "--set", "haskell", "--metric", "multi", "--quiet", "--json", "-"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(lengths(run.out), (std::vector<int>{1, 8, 6, 7, 16, 21, 22, 23}));
  for (const auto& row : json_lines(run.out)) {
    EXPECT_EQ(row["metric"], "multi");
    EXPECT_EQ(row["heuristic"], "lines");
    EXPECT_EQ(row["optimal"], true);
  }
  const TemporaryFile results(run.out);
  EXPECT_EQ(tessera({"verify", results.path()}).code, 0);
}

TEST(Solve, MetricMultiOnEveryBackendAndBound) {
  const std::string board = "1 4 3 9 2 7 5 0 11 10 6 8";
  for (const std::vector<std::string>& how : {std::vector<std::string>{"--backend", "serial"},
                                              {"--threads", "2"},
                                              {"--threads", "2", "--frontier", "300"},
                                              {"--threads", "2", "--bounds", "independent"},
                                              {"--threads", "3", "--schedule", "dynamic"},
                                              {"--kernel", "plain"}}) {
    const Finished run = tessera(with({"solve", board, "--size", "4x3", "--goal", "first",
                                       "--metric", "multi", "--quiet", "--json", "-"},
                                      how));
    ASSERT_EQ(run.code, 0) << run.err;
    const auto row = json_lines(run.out).at(0);
    EXPECT_EQ(row["length"], 27);
    EXPECT_GT(row["moves"].get<std::string>().size(), 27U);
    EXPECT_EQ(row["optimal"], true);
    EXPECT_EQ(row["verified"], true);
  }
  const Finished none = tessera({"solve", "1 2 0 4 5 3", "--size", "3x2", "--metric", "multi",
                                 "--heuristic", "zero", "--quiet", "--json", "-"});
  EXPECT_EQ(none.code, 0) << none.err;
  EXPECT_EQ(json_lines(none.out).at(0)["heuristic"], "zero");
  EXPECT_EQ(tessera({"solve", board, "--size", "4x3", "--goal", "first", "--metric", "multi",
                     "--memory", "1KiB"})
                .code,
            5);
}

// Too many cells for the tables of `lines`, few enough to build those of `blocks`.
TEST(Solve, MetricMultiBeyond16CellsBuildsTables) {
  const TemporaryFile boards(
      tessera({"generate", "--size", "6x3", "--count", "3", "--scramble", "24", "--seed", "2"})
          .out);
  const auto rows = [&](const std::vector<std::string>& more) {
    const Finished run = tessera(with(
        {"solve", "--file", boards.path(), "--metric", "multi", "--quiet", "--json", "-"}, more));
    EXPECT_EQ(run.code, 0) << run.err;
    return json_lines(run.out);
  };
  const auto solved = rows({});
  const auto by_halves = rows({"--heuristic", "halves"});
  const auto expected = rows({"--heuristic", "runs"});
  ASSERT_EQ(solved.size(), 3U);
  for (std::size_t i = 0; i < solved.size(); ++i) {
    EXPECT_EQ(solved[i]["heuristic"], "blocks");
    EXPECT_EQ(solved[i]["optimal"], true);
    EXPECT_EQ(solved[i]["length"], expected.at(i)["length"]);
    EXPECT_EQ(by_halves.at(i)["length"], expected.at(i)["length"]);
  }
}

// Within this time limit, no tables of 5x5 are built.
TEST(Solve, MetricMultiBeyond16CellsHasAHeuristic) {
  const auto row = [](const std::string& board, std::vector<std::string> more, int code = 0) {
    const Finished run = tessera(
        with({"solve", board, "--metric", "multi", "--time-limit", "10s", "--quiet", "--json", "-"},
             more));
    EXPECT_EQ(run.code, code) << run.err;
    return json_lines(run.out).at(0);
  };
  const std::string near = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0 16 17 18 19 21 22 23 24 20";
  for (const std::vector<std::string>& how :
       {std::vector<std::string>{}, {"--backend", "serial"}, {"--engine", "astar"}}) {
    const auto solved = row(near, how);
    EXPECT_EQ(solved["length"], 2);
    EXPECT_EQ(solved["optimal"], true);
    EXPECT_EQ(solved["heuristic"], "runs");
  }
  const Finished generated =
      tessera({"generate", "--size", "5x5", "--scramble", "20", "--seed", "1"});
  const TemporaryFile scrambled(generated.out);
  const Finished solved = tessera({"solve", "--file", scrambled.path(), "--metric", "multi",
                                   "--heuristic", "runs", "--quiet", "--json", "-"});
  EXPECT_EQ(solved.code, 0) << solved.err;
  EXPECT_EQ(json_lines(solved.out).at(0)["optimal"], true);

  const std::string random = "19 12 0 7 24 9 13 17 22 14 2 5 20 4 6 3 8 15 21 23 10 11 1 16 18";
  const auto stopped = row(random, {"--node-limit", "100000"}, 4);
  EXPECT_EQ(stopped["status"], "limit");
  EXPECT_GT(stopped["lower_bound"], 10);
  for (const char* const command : {"solve", "estimate"}) {
    std::vector<std::string> planned{command, random, "--metric", "multi", "--time-limit", "10s"};
    if (planned[0] == "solve") planned.emplace_back("--dry-run");
    EXPECT_EQ(tessera(planned).code, 0) << command;
  }
}

TEST(Solve, TheSignatureIsTheSameHoweverManyThreads) {
  nlohmann::json expected;
  for (const std::vector<std::string>& how : {std::vector<std::string>{"--backend", "serial"},
                                              {"--threads", "1"},
                                              {"--threads", "2"},
                                              {"--threads", "4"},
                                              {"--threads", "2", "--schedule", "static"},
                                              {"--threads", "2", "--schedule", "dynamic"},
                                              {"--threads", "4", "--frontier", "500"},
                                              {"--threads", "3", "--split-depth", "6"}}) {
    const Finished run = tessera(
        with({"solve", "--set", "korf100:9,12,42", "--finish-iteration", "--quiet", "--json", "-"},
             how));
    ASSERT_EQ(run.code, 0);
    if (expected.is_null()) expected = signature(run.out);
    EXPECT_EQ(signature(run.out), expected) << how[0] << how[1];
  }
}

TEST(Solve, UnsolvableIsAnAnswer) {
  const Finished run =
      tessera({"solve", "1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0", "--quiet", "--json", "-"});
  EXPECT_EQ(run.code, 0);
  const auto row = json_lines(run.out).at(0);
  EXPECT_EQ(row["status"], "unsolvable");
  EXPECT_EQ(row["solvable"], false);
  EXPECT_TRUE(row["length"].is_null());
  EXPECT_TRUE(row["moves"].is_null());
  EXPECT_NE(tessera({"solve", "2 1 3 0"}).out.find("unsolvable"), std::string::npos);
}

// Whose board has another usual goal learns it; on 3x3 last and first need the same parity.
TEST(Solve, UnsolvableNamesTheGoalThatCanBeReached) {
  const std::string board = "1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0";
  EXPECT_TRUE(
      tessera({"solve", board}).out.ends_with("; it can be solved with --goal first or snake\n"));
  EXPECT_TRUE(
      tessera({"solve", "1 2 3 4 5 6 8 7 0"})
          .out.ends_with("the goal's); it can be solved with --goal spiral, snake or columns\n"));
}

TEST(Solve, AnEasyBoardStartsAtOnce) {
  double least = 1e9;
  for (int i = 0; i < 7; ++i)
    least = std::min(least, tessera({"solve", "--set", "haskell:8", "--quiet"}).seconds);
  RecordProperty("milliseconds", static_cast<int>(1000 * least));
  EXPECT_LT(least, 0.5);  // some ten milliseconds; MPI's start would be ten times that
}

}  // namespace
}  // namespace tessera::cli
