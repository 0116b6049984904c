// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <sstream>

#include "base/places.hpp"
#include "base/temporary_folder.hpp"
#include "base/thinned.hpp"
#include "program.hpp"
#include "puzzle/goal.hpp"

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
    std::vector<std::string> arguments{"solve", "--set", "haskell", "--quiet", "--json", "-"};
    arguments.insert(arguments.end(), backend.begin(), backend.end());
    const Finished run = tessera(arguments);
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
    std::vector<std::string> arguments{"solve",    board,   "--size",  "4x3",    "--goal", "first",
                                       "--metric", "multi", "--quiet", "--json", "-"};
    arguments.insert(arguments.end(), how.begin(), how.end());
    const Finished run = tessera(arguments);
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

// Too many cells for the tables of `lines`.
TEST(Solve, MetricMultiBeyond16CellsHasAHeuristic) {
  const auto row = [](const std::string& board, std::vector<std::string> more, int code = 0) {
    const Finished run =
        tessera(with({"solve", board, "--metric", "multi", "--quiet", "--json", "-"}, more));
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
  const Finished solved =
      tessera({"solve", "--file", scrambled.path(), "--metric", "multi", "--quiet", "--json", "-"});
  EXPECT_EQ(solved.code, 0) << solved.err;
  EXPECT_EQ(json_lines(solved.out).at(0)["optimal"], true);

  const std::string random = "19 12 0 7 24 9 13 17 22 14 2 5 20 4 6 3 8 15 21 23 10 11 1 16 18";
  const auto stopped = row(random, {"--node-limit", "100000"}, 4);
  EXPECT_EQ(stopped["status"], "limit");
  EXPECT_GT(stopped["lower_bound"], 10);
  for (const char* const command : {"solve", "estimate"}) {
    std::vector<std::string> planned{command, random, "--metric", "multi"};
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
    std::vector<std::string> arguments{
        "solve", "--set", "korf100:9,12,42", "--finish-iteration", "--quiet", "--json", "-"};
    arguments.insert(arguments.end(), how.begin(), how.end());
    const Finished run = tessera(arguments);
    ASSERT_EQ(run.code, 0);
    nlohmann::json signature;
    for (auto& row : json_lines(run.out)) {
      for (auto& iteration : row["iterations"]) {
        signature.push_back({iteration["bound"], iteration["expanded"], iteration["generated"]});
      }
      signature.push_back({row["nodes"], row["moves"]});
    }
    if (expected.is_null()) expected = signature;
    EXPECT_EQ(signature, expected) << how[0] << how[1];
  }
}

TEST(Solve, JsonHasEveryField) {
  const Finished run = tessera({"solve", "1 2 3 4 5 6 7 0 8", "--quiet", "--json", "-", "--all"});
  ASSERT_EQ(run.code, 0);
  const auto rows = json_lines(run.out);
  ASSERT_EQ(rows.size(), 1U);
  const auto& row = rows[0];
  EXPECT_EQ(row["schema"], "tessera.result/1");
  EXPECT_EQ(row["id"], "1");
  EXPECT_EQ(row["size"], "3x3");
  EXPECT_EQ(row["goal"], "last");
  EXPECT_EQ(row["metric"], "single");
  EXPECT_EQ(row["board"], (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 0, 8}));
  EXPECT_EQ(row["solvable"], true);
  EXPECT_EQ(row["status"], "solved");
  EXPECT_EQ(row["length"], 1);
  EXPECT_EQ(row["moves"], "L");
  EXPECT_EQ(row["optimal"], true);
  EXPECT_EQ(row["verified"], true);
  EXPECT_EQ(row["engine"], "ida");
  EXPECT_EQ(row["heuristic"], "manhattan");
  EXPECT_EQ(row["backend"], "threads");
  EXPECT_EQ(row["schedule"], "stealing");
  EXPECT_EQ(row["bounds"], "shared");
  EXPECT_EQ(row["solutions"], 1);
  for (const char* number : {"ranks", "threads", "hosts", "seconds", "setup_seconds"}) {
    EXPECT_TRUE(row[number].is_number()) << number;
  }
  EXPECT_EQ(row["nodes"]["expanded"], 1);
  EXPECT_EQ(row["nodes"]["generated"], 4);  // the root and its three successors
  EXPECT_EQ(row["iterations"].size(), 1U);
  EXPECT_TRUE(row["version"].is_string());
}

// An absent value is null: one worker shares no subtrees, and what keeps boards has no bounds.
TEST(Solve, JsonNamesNoScheduleWhereNoneIsInPlay) {
  const auto of = [](std::vector<std::string> options) {
    options.insert(options.begin(), {"solve", "--set", "haskell:3-4", "--quiet", "--json", "-"});
    const Finished run = tessera(std::move(options));
    EXPECT_EQ(run.code, 0) << run.err;
    nlohmann::json told;
    for (const auto& row : json_lines(run.out)) told.push_back({row["schedule"], row["bounds"]});
    return told;
  };
  using nlohmann::json;
  const auto both = [](const json& schedule, const json& bounds) {
    return json::array({{schedule, bounds}, {schedule, bounds}});
  };
  EXPECT_EQ(of({"--threads", "2", "--batch", "tree"}), both("stealing", "shared"));
  EXPECT_EQ(of({"--threads", "2", "--batch", "boards"}), both(nullptr, "shared"));
  EXPECT_EQ(of({"--backend", "serial"}), both(nullptr, "shared"));
  EXPECT_EQ(of({"--engine", "iddfs-pruned", "--backend", "serial"}), both(nullptr, "shared"));
  EXPECT_EQ(of({"--engine", "astar"}), both(nullptr, nullptr));
  EXPECT_EQ(of({"--engine", "greedy", "--parallel", "queues:2"}), both(nullptr, nullptr));
}

TEST(Solve, JsonNamesTheRuleAgainstDuplicatesAndTheSeed) {
  const auto row_of = [](std::vector<std::string> options) {
    options.insert(options.begin(), {"solve", "--set", "haskell:3", "--quiet", "--json", "-"});
    return json_lines(tessera(std::move(options)).out).at(0);
  };
  EXPECT_EQ(row_of({})["prune"], "parent");
  EXPECT_EQ(row_of({"--prune", "fsm:10"})["prune"], "fsm:10");
  EXPECT_EQ(row_of({"--threads", "2", "--batch", "boards"})["prune"], "parent");
  EXPECT_EQ(row_of({"--engine", "iddfs"})["prune"], "none");
  EXPECT_TRUE(row_of({"--engine", "astar"})["prune"].is_null());
  EXPECT_EQ(row_of({})["finish_iteration"], false);
  EXPECT_EQ(row_of({"--finish-iteration"})["finish_iteration"], true);
  EXPECT_TRUE(row_of({"--seed", "5"})["seed"].is_null());
  const auto beam = row_of({"--engine", "beam", "--seed", "5"});
  EXPECT_EQ(beam["seed"], 5);
  EXPECT_TRUE(beam["prune"].is_null());
}

TEST(Solve, APersonSeesTheTables) {
  const Finished run = tessera({"solve", "--set", "haskell:8"});
  EXPECT_EQ(run.code, 0);
  EXPECT_TRUE(run.out.starts_with("8: 40 moves, optimal, verified: "));
  for (const char* part :
       {"tessera 0.", "heuristic pdb:", "MiB of tables", "bound", "expanded", "search", "split",
        "wait", "communicate", "other", "min", "avg", "max", "imbalance"}) {
    EXPECT_NE(run.err.find(part), std::string::npos) << part;
  }
  // With JSON on standard output, what a person reads goes to standard error.
  const Finished both = tessera({"solve", "--set", "haskell:8", "--json", "-"});
  EXPECT_EQ(json_lines(both.out).size(), 1U);
  EXPECT_NE(both.err.find("40 moves"), std::string::npos);
  const Finished quiet = tessera({"solve", "--set", "haskell:8", "--quiet"});
  EXPECT_EQ(quiet.err, "");
  EXPECT_NE(quiet.out.find("40 moves"), std::string::npos);
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

// What building the tables took is none of the search's time.
TEST(Solve, SharesOfTheTimeAddUp) {
  const TemporaryFolder tables;
  for (const char* const heuristic : {"manhattan", "pdb:5-5-5"}) {
    const Finished run = tessera({"solve", "--set", "haskell:1-8", "--threads", "2", "--heuristic",
                                  heuristic, "--pdb-dir", tables.text()});
    double sum = 0;
    std::istringstream lines(run.err);
    for (std::string line; std::getline(lines, line);) {
      std::smatch share;
      if (std::regex_search(line, share, std::regex(R"(^  [a-z]+ .* ([0-9.]+) %$)"))) {
        sum += std::stod(share[1]);
      }
    }
    EXPECT_NEAR(sum, 100, 0.5) << run.err;
  }
}

TEST(Solve, BoardsOfManySizesAndGoals) {
  struct Case {
    std::vector<std::string> arguments;
    int length;
  };
  for (const Case& c : {Case{{"1 2 3 4 5 6 7 8 0"}, 0}, Case{{"8,6,7,2,5,4,3,0,1"}, 31},
                        Case{{"8", "6", "7", "2", "5", "4", "3", "0", "1"}, 31},
                        Case{{"3 2 1 0", "--goal", "first"}, 6},
                        Case{{"3 4 5 0 1 2", "--size", "3x2", "--goal", "first"}, 21},
                        Case{{"0 1 2 3 4 5 6 7 8", "--goal", "1 0 2 3 4 5 6 7 8"}, 1},
                        Case{{"3 2 5 4 7 6 1 0", "--size", "4x2", "--goal", "first"}, 36}}) {
    std::vector<std::string> arguments{"solve", "--quiet", "--json", "-"};
    arguments.insert(arguments.end(), c.arguments.begin(), c.arguments.end());
    const Finished run = tessera(arguments);
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(json_lines(run.out).at(0)["length"], c.length);
  }
}

TEST(Solve, ReadsEveryFormatFromFilesAndStandardInput) {
  for (const char* format : {"lines", "blocks", "json"}) {
    for (const char* size : {"4x4", "5x5", "8x8", "6x2"}) {
      const Finished boards = tessera(
          {"generate", "--size", size, "--count", "3", "--scramble", "12", "--format", format});
      ASSERT_EQ(boards.code, 0);
      Running::Options options;
      options.input = boards.out;
      const Finished run =
          tessera({"solve", "--file", "-", "--size", size, "--quiet", "--json", "-"}, options);
      ASSERT_EQ(run.code, 0) << run.err;
      const auto rows = json_lines(run.out);
      ASSERT_EQ(rows.size(), 3U);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i]["id"], std::to_string(i + 1));
        EXPECT_LE(rows[i]["length"], 12);
        EXPECT_EQ(rows[i]["size"], size);
      }
    }
  }
}

TEST(Solve, AnUnsolvableBoardGetsNoTipAndNoTableOfBounds) {
  const std::string board = "2 1 3 4 5 6 7 8 9 10 11 12 13 14 15 0";
  const TemporaryFolder tables;
  const Finished run = tessera({"solve", board, "--pdb-dir", tables.path().string()});
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.err.find("tip:"), std::string::npos) << run.err;
  EXPECT_EQ(run.err.find("bound "), std::string::npos) << run.err;
}

TEST(Solve, ReadsWhatGenerateWritesWithoutOptions) {
  int cases = 0;
  for (const char* format : {"lines", "blocks", "json"}) {
    for (const std::string size : {"3x3", "4x4", "2x4", "4x2", "8x2", "5x3", "8x8"}) {
      std::vector<std::string> goals{"last", "first"};
      if (size == "3x3") goals.emplace_back("8 7 6 5 4 3 2 1 0");
      if (size == "4x2") goals.emplace_back("3 2 1 0 7 6 5 4");
      // Each format meets each size, each size each goal.
      if (!all_cases() && goals.size() == 2) goals.erase(goals.begin() + ++cases % 2);
      for (const std::string& goal : goals) {
        SCOPED_TRACE(std::string(format) + " " + size + " " + goal);
        Running::Options options;
        options.input = tessera({"generate", "--size", size, "--goal", goal, "--count", "2",
                                 "--scramble", "7", "--format", format})
                            .out;
        const Finished run = tessera({"solve", "--file", "-", "--quiet", "--json", "-"}, options);
        ASSERT_EQ(run.code, 0) << run.err;
        const auto rows = json_lines(run.out);
        ASSERT_EQ(rows.size(), 2U);
        for (const auto& row : rows) {
          EXPECT_EQ(row["status"], "solved");
          EXPECT_EQ(row["size"], size);
          EXPECT_EQ(row["goal"], goal);
          EXPECT_LE(row["length"], 7);
          EXPECT_EQ(row["length"].get<int>() % 2, 1);
        }
      }
    }
  }
}

TEST(Solve, OptionsAndTheCommentOfAFileThatContradictOneAnother) {
  const TemporaryFile file("# size 4x2, goal first\n1 0 2 3 4 5 6 7\n");
  const auto solve = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"solve", "--file", file.path(), "--quiet", "--json", "-"});
    return tessera(more);
  };
  EXPECT_EQ(json_lines(solve({}).out).at(0)["length"], 1);
  EXPECT_EQ(json_lines(solve({"--size", "4x2"}).out).at(0)["length"], 1);
  EXPECT_EQ(json_lines(solve({"--goal", "1 0 2 3 4 5 6 7"}).out).at(0)["length"], 0);
  const Finished other = solve({"--size", "2x4"});
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find(":2: board is 4x2, expected 2x4"), std::string::npos) << other.err;
}

TEST(Solve, CommandLineBeforeEnvironmentBeforeFile) {
  const TemporaryFile config("threads = 3\nschedule = \"dynamic\"\n");
  Running::Options options;
  const auto row = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"solve", "--set", "haskell:1", "--quiet", "--json", "-"});
    return json_lines(tessera(arguments, options).out).at(0);
  };
  EXPECT_EQ(row({"--config", config.path()})["threads"], 3);
  EXPECT_EQ(row({"--config", config.path()})["schedule"], "dynamic");
  options.environment["TESSERA_THREADS"] = "2";
  EXPECT_EQ(row({"--config", config.path()})["threads"], 2);
  EXPECT_EQ(row({"--config", config.path()})["schedule"], "dynamic");
  EXPECT_EQ(row({"--config", config.path(), "--threads", "1"})["threads"], 1);
  options.environment["TESSERA_SCHEDULE"] = "static";
  EXPECT_EQ(row({})["schedule"], "static");
  options.environment["TESSERA_SCHEDULE"] = "";
  EXPECT_EQ(row({})["schedule"], "stealing");
}

TEST(Solve, BoardsOfTheCommandLineComeBeforeThoseOfTheEnvironment) {
  const TemporaryFile config("set = \"haskell:1-3\"\n");
  Running::Options options;
  options.environment["TESSERA_SET"] = "haskell:1-2";
  const auto rows = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(),
                     {"solve", "--config", config.path(), "--quiet", "--json", "-"});
    const Finished run = tessera(arguments, options);
    EXPECT_EQ(run.code, 0) << run.err;
    return json_lines(run.out).size();
  };
  EXPECT_EQ(rows({"1 2 0 3"}), 1U);
  EXPECT_EQ(rows({"--set", "haskell:1-4"}), 4U);
  EXPECT_EQ(rows({}), 2U);
  options.environment.clear();
  EXPECT_EQ(rows({}), 3U);
}

TEST(Solve, ConfigurationFilesAreToml) {
  const auto row = [](const std::string& toml, std::vector<std::string> arguments = {}) {
    const TemporaryFile file(toml);
    arguments.insert(arguments.begin(), {"solve", "--quiet", "--json", "-", "--config"});
    arguments.insert(arguments.begin() + 5, file.path());
    const Finished run = tessera(arguments);
    EXPECT_EQ(run.code, 0) << toml << run.err;
    const auto rows = json_lines(run.out);
    return rows.empty() ? nlohmann::json() : rows.front();
  };
  // What is for one command alone goes before what holds for all; other commands' is passed over.
  const auto told =
      row("\xEF\xBB\xBF# a file for all commands\r\n"
          "threads = 0x3 # two and one\r\n"
          "count = 7\n"
          "[generate]\n"
          "threads = 9\n"
          "[solve]\n"
          "set = 'haskell:3'\n"
          "schedule = \"d\\u0079namic\"\n"
          "finish-iteration = true\n");
  EXPECT_EQ(told["threads"], 3);
  EXPECT_EQ(told["id"], "3");
  EXPECT_EQ(told["schedule"], "dynamic");
  EXPECT_EQ(row("threads = 3\nsolve = { threads = 2 }\n", {"1 2 3 0"})["threads"], 2);
  EXPECT_EQ(row("goal = [\n  0, 1,\n  2, 3,\n]\n", {"0 1 2 3"})["length"], 0);

  const TemporaryFile lists(
      "[compare]\nset = \"haskell:1\"\nengines = [\"ida\", \"iddfs\"]\n"
      "heuristics = [\"max(manhattan,misplaced)\"]\nworkers = [1, 2]\nrepeat = 1\n");
  const Finished compared =
      tessera({"compare", "--config", lists.path(), "--quiet", "--json", "-"});
  EXPECT_EQ(compared.code, 0) << compared.err;
  EXPECT_EQ(json_lines(compared.out).at(0)["configurations"].size(), 6U);
}

TEST(Solve, AnEasyBoardStartsAtOnce) {
  double least = 1e9;
  for (int i = 0; i < 7; ++i)
    least = std::min(least, tessera({"solve", "--set", "haskell:8", "--quiet"}).seconds);
  RecordProperty("milliseconds", static_cast<int>(1000 * least));
  EXPECT_LT(least, 0.5);  // some ten milliseconds; MPI's start would be ten times that
}

// Wall time and overlap follow from the rows alone.
TEST(Solve, RowsNameTheirRunAndWhenTheyWereSearched) {
  const std::vector<std::string> batch{"solve",     "--set",   "haskell", "--threads", "2",
                                       "--backend", "threads", "--quiet", "--json",    "-"};
  const auto rows = json_lines(tessera(batch).out);
  ASSERT_EQ(rows.size(), 8U);
  for (const auto& row : rows) {
    EXPECT_EQ(row["run"], rows[0]["run"]);
    EXPECT_EQ(row["date"], rows[0]["date"]);
    EXPECT_EQ(row["workers"], 1);
    EXPECT_EQ(row["threads"], 2);
    EXPECT_GE(row["begin_seconds"], 0.0);
    EXPECT_GE(row["end_seconds"], row["begin_seconds"]);
    EXPECT_TRUE(row["cpu_share"].is_null());  // too short to know
    EXPECT_EQ(row["revision"].get<std::string>().empty(), false);
  }
  const auto tree = json_lines(tessera(with(batch, {"--batch", "tree"})).out);
  ASSERT_EQ(tree.size(), 8U);
  EXPECT_NE(tree[0]["run"], rows[0]["run"]);
  for (std::size_t i = 0; i < tree.size(); ++i) {
    EXPECT_EQ(tree[i]["workers"], 2);
    if (i > 0) {  // one after another
      EXPECT_GE(tree[i]["begin_seconds"], tree[i - 1]["end_seconds"]);
    }
  }
  const auto unsolvable =
      json_lines(tessera({"solve", "1 2 3 4 5 6 8 7 0", "--quiet", "--json", "-"}).out);
  EXPECT_EQ(unsolvable.at(0)["workers"], 0);
}

TEST(Solve, SearchesEachBoardWithEachHeuristicAndWritesCsvAndASummary) {
  const TemporaryFile csv("");
  const TemporaryFile summary("");
  const Finished run =
      tessera({"solve", "--set", "haskell:3,1", "--heuristics", "manhattan,walking", "--json", "-",
               "--csv", csv.path(), "--summary", summary.path()});
  ASSERT_EQ(run.code, 0) << run.err;
  const auto rows = json_lines(run.out);
  ASSERT_EQ(rows.size(), 4U);
  for (std::size_t i = 0; i < 4; i += 2) {
    EXPECT_EQ(rows[i]["id"], rows[i + 1]["id"]);
    EXPECT_EQ(rows[i]["length"], rows[i + 1]["length"]);
    EXPECT_EQ(rows[i]["heuristic"], "manhattan");
    EXPECT_EQ(rows[i + 1]["heuristic"], "walking");
  }
  EXPECT_NE(run.err.find("4 results: 4 solved, 0 unsolvable, 0 stopped"), std::string::npos);
  const std::string text = csv.content();
  EXPECT_TRUE(text.starts_with("id,size,goal,metric,heuristic,"));
  EXPECT_EQ(std::ranges::count(text, '\n'), 5);
  EXPECT_NE(text.find(",board,moves,lengths_single,lengths_multi\n"), std::string::npos);
  for (const auto& row : rows) {
    const std::string end = row["moves"].get<std::string>() + ',' +
                            row["lengths"]["single"].dump() + ',' + row["lengths"]["multi"].dump() +
                            '\n';
    EXPECT_NE(text.find(',' + end), std::string::npos) << end << text;
  }
  const auto sums = json_lines(summary.content()).at(0);
  EXPECT_EQ(sums["schema"], "tessera.run/1");
  EXPECT_EQ(sums["run"], rows[0]["run"]);
  EXPECT_EQ(sums["boards"], 4);
  EXPECT_EQ(sums["moves"]["minimum"], std::min(rows[0]["length"], rows[2]["length"]));
  EXPECT_NE(sums["command"].get<std::string>().find("tessera solve --set haskell:3,1 "),
            std::string::npos);
  expect_refused(tessera({"solve", "1 2 3 0", "--json", "-", "--csv", "-"}), "--csv -");
}

TEST(Solve, ReadsListedValuesInEitherCase) {
  const TemporaryFile file("1 2 3 4 5 0 7 8 6\n");
  const std::vector<std::vector<std::string>> cases = {
      {"--prune", "PARENT"},
      {"--prune", "Fsm:6"},
      {"--incumbent", "NONE"},
      {"--incumbent", "Beam:100"},
      {"--format", "Lines"},
      {"--goal", "LAST"},
      {"--metric", "Single"},
      {"--backend", "THREADS"},
      {"--schedule", "Static"},
      {"--bounds", "Independent"},
      {"--batch", "Boards"},
      {"--progress", "NONE"},
      {"--kernel", "Plain"},
      {"--engine", "Astar", "--parallel", "Queues:2"},
      {"--heuristic", "Max(MANHATTAN,Walking)"},
      {"--heuristics", "Manhattan,WALKING"}};
  for (const auto& options : cases) {
    const Finished run = tessera(with({"solve", "--file", file.path(), "-q"}, options));
    EXPECT_EQ(run.code, 0) << options[1] << ": " << run.err;
  }
  EXPECT_EQ(tessera({"solve", "--set", "Haskell:1", "-q"}).code, 0);
  EXPECT_EQ(tessera({"generate", "3x3", "--seed", "RANDOM", "-q"}).code, 0);
  const Finished comparison =
      tessera({"compare", "1 2 0 3", "--engines", "IDA,Astar", "--heuristics", "Manhattan",
               "--backends", "Serial,THREADS", "--repeat", "1", "-q"});
  EXPECT_EQ(comparison.code, 0) << comparison.err;
  // A file's name stays as it is.
  expect_refused(tessera({"solve", "1 2 0 3", "--heuristic", "PDB:Absent"}), "Absent");
  Running::Options options;
  options.environment["TESSERA_SCHEDULE"] = "DYNAMIC";
  const Finished run = tessera({"solve", "1 2 0 3", "-q", "--json", "-"}, options);
  EXPECT_EQ(json_lines(run.out).at(0)["schedule"], "dynamic") << run.err;
}

TEST(Solve, NamesTheHeuristicOfAnAnswerWhereThereAreSeveral) {
  const std::vector<std::string> boards{"solve", "--set", "haskell:3,1"};
  const Finished several = tessera(with(boards, {"--heuristic", "manhattan,walking"}));
  for (const char* part : {"seconds  heuristic\n", "  manhattan\n", "  walking\n"}) {
    EXPECT_NE(several.err.find(part), std::string::npos) << several.err;
  }
  for (const char* start : {"3, manhattan: 16 moves", "\n3, walking: 16 moves"}) {
    EXPECT_NE(several.out.find(start), std::string::npos) << several.out;
  }
  const Finished one = tessera(with(boards, {"--heuristics", "manhattan"}));
  EXPECT_TRUE(one.out.starts_with("3: 16 moves")) << one.out;
  EXPECT_EQ(one.err.find("seconds  heuristic"), std::string::npos);
}

TEST(Solve, ReadsTheNamesThatPeopleUse) {
  const auto row = [](const std::vector<std::string>& more) {
    const Finished run = tessera(with({"solve", "1 2 3 4 5 0 7 8 6", "-q", "--json", "-"}, more));
    EXPECT_EQ(run.code, 0) << run.err;
    return json_lines(run.out).at(0);
  };
  for (const char* name : {"IDA", "idastar", "IDA*", "ida*"}) {
    EXPECT_EQ(row({"--engine", name})["engine"], "ida");
  }
  EXPECT_EQ(row({"--engine", "A*"})["engine"], "astar");
  EXPECT_EQ(row({"--metric", "STM"})["metric"], "single");
  EXPECT_EQ(row({"--metric", "mtm"})["metric"], "multi");
  EXPECT_EQ(row({"-t", "2"})["threads"], 2);
  EXPECT_EQ(row({"--time-limit", "60", "--node-limit", "1e6"})["status"], "solved");
  EXPECT_EQ(row({"--backend", "Serial"})["backend"], "serial");
  EXPECT_EQ(row({"--heuristics", "manhattan"})["heuristic"], "manhattan");
  expect_refused(tessera({"solve", "1 2 3 0", "--node-limit", "1.5e0"}), "whole number");
  expect_refused(tessera({"solve", "1 2 3 0", "--engine", "astra"}), "did you mean astar?");
  EXPECT_EQ(std::ranges::count(tessera({"generate", "--size", "3x3", "-n", "3"}).out, '\n'), 3);
}

}  // namespace
}  // namespace tessera::cli
