// SPDX-License-Identifier: MIT
// Boards and options as people write them.
#include <gtest/gtest.h>

#include "base/thinned.hpp"
#include "program.hpp"

namespace tessera::cli {
namespace {

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
    const Finished run = tessera(with({"solve", "--quiet", "--json", "-"}, c.arguments));
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
  const auto solve = [&](const std::vector<std::string>& more) {
    return tessera(with({"solve", "--file", file.path(), "--quiet", "--json", "-"}, more));
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
  const auto row = [&](const std::vector<std::string>& more) {
    const auto arguments = with({"solve", "--set", "haskell:1", "--quiet", "--json", "-"}, more);
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
  const auto rows = [&](const std::vector<std::string>& more) {
    const Finished run = tessera(
        with({"solve", "--config", config.path(), "--quiet", "--json", "-"}, more), options);
    EXPECT_EQ(run.code, 0) << run.err;
    return json_lines(run.out).size();
  };
  EXPECT_EQ(rows({"1 2 0 3"}), 1U);
  EXPECT_EQ(rows({"--set", "haskell:1-4"}), 4U);
  EXPECT_EQ(rows({}), 2U);
  options.environment.clear();
  EXPECT_EQ(rows({}), 3U);
}

TEST(Solve, HeuristicsOfTheCommandLineComeBeforeThoseOfTheEnvironment) {
  Running::Options options;
  options.environment["TESSERA_HEURISTICS"] = "zero,misplaced";
  const std::vector<std::string> solve{"solve", "1 2 0 3", "--quiet", "--json", "-"};
  EXPECT_EQ(json_lines(tessera(solve, options).out).size(), 2U);
  const auto rows = json_lines(tessera(with(solve, {"--heuristic", "manhattan"}), options).out);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0]["heuristic"], "manhattan");
  EXPECT_EQ(tessera({"info"}, options).code, 0);
  expect_refused(tessera(with(solve, {"--heuristic", "zero", "--heuristics", "zero,manhattan"})),
                 "--heuristic and --heuristics");
}

TEST(Solve, ConfigurationFilesAreToml) {
  const auto row = [](const std::string& toml, const std::vector<std::string>& more = {}) {
    const TemporaryFile file(toml);
    const Finished run =
        tessera(with({"solve", "--quiet", "--json", "-", "--config", file.path()}, more));
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
