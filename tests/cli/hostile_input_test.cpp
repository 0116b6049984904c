// SPDX-License-Identifier: MIT
// Input that is worse than a typing error: made by a broken program, or to break this one.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/places.hpp"
#include "base/temporary_folder.hpp"
#include "program.hpp"

namespace tessera::cli {
namespace {

std::string nested(int depth) {
  return std::string(static_cast<std::size_t>(depth), '[') +
         std::string(static_cast<std::size_t>(depth), ']');
}

// A row that `verify` believes, and one member of it replaced.
std::string row_with(const std::string& key, const nlohmann::json& value) {
  nlohmann::json row = {{"schema", "tessera.result/1"},
                        {"id", "1"},
                        {"size", "2x2"},
                        {"goal", "last"},
                        {"metric", "single"},
                        {"board", {1, 2, 0, 3}},
                        {"status", "solved"},
                        {"length", 1},
                        {"moves", "L"}};
  row[key] = value;
  return row.dump() + "\n";
}

// Writing a value back into a message recurses; reading it does not.
TEST(HostileInput, DeepJsonIsRefused) {
  for (const std::string& row : {"{\"board\":[" + nested(200'000) + "]}\n",
                                 "{\"board\":[1,2,0,3],\"id\":" + nested(200'000) + "}\n",
                                 "{\"board\":" + nested(200'000) + "}\n"}) {
    const TemporaryFile file(row);
    expect_refused(tessera({"solve", "--file", file.path()}), file.path() + ":1: ");
  }
  const TemporaryFile results("{\"schema\":" + nested(200'000) + "}\n");
  expect_refused(tessera({"verify", results.path()}), results.path() + ":1: ");
}

// JSON holds UTF-8 only.
TEST(HostileInput, AnIdOfForeignBytesIsReplacedInJson) {
  const TemporaryFile file("\xff: 1 2 0 3\n");
  const Finished json = tessera({"solve", "--file", file.path(), "--json", "-"});
  EXPECT_EQ(json.code, 0) << json.err;
  EXPECT_EQ(json_lines(json.out).at(0)["id"], "\xef\xbf\xbd");
  const Finished text = tessera({"solve", "--file", file.path(), "--quiet"});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_TRUE(text.out.starts_with("\xff: 1 move")) << text.out;
}

// One board, one line: a script that reads answers line by line must not be told another board's.
TEST(HostileInput, AnIdCannotForgeALine) {
  const TemporaryFile file("{\"id\":\"a\\n2: 0 moves, optimal\\u001b[2J\",\"board\":[1,2,0,3]}\n");
  expect_refused(tessera({"solve", "--file", file.path(), "--quiet"}),
                 file.path() + ":1: id 'a?2: ");
}

TEST(HostileInput, MembersOfAWrongTypeAreRefused) {
  for (const char* row : {"{\"size\":44,\"board\":[1,2,0,3]}\n",
                          "{\"goal\":7,\"board\":[1,2,0,3]}\n", "{\"board\":[1,2,0,\"3\"]}\n",
                          "{\"board\":[1,2,0,3.0]}\n", "{\"board\":[1,2,0,18446744073709551615]}\n",
                          "{\"board\":\"1 2 0 5\"}\n", "{\"board\":12}\n"}) {
    const TemporaryFile file(row);
    expect_refused(tessera({"solve", "--file", file.path()}), file.path() + ":1: ");
  }
}

TEST(HostileInput, AShortBlockDoesNotSpoilTheNext) {
  const TemporaryFile file(
      "# a\n3\n1 2 3\n4 5 6\n"
      "# b\n3\n1 2 3\n4 5 6\n7 0 8\n"
      "# c\n3\n1 2 3\n4 5 6\n0 7 8\n");
  const Finished run =
      tessera({"solve", "--file", file.path(), "--keep-going", "--quiet", "--json", "-"});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(complaints(run.err).size(), 1U) << run.err;
  const auto rows = json_lines(run.out);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0]["length"], 1);
  EXPECT_EQ(rows[1]["length"], 2);
}

TEST(HostileInput, APathOfTwoLinesIsToldInOne) {
  const TemporaryFolder folder;
  const std::string missing = folder.text() + "/missing/a\nb";
  expect_refused(tessera({"solve", "--file", missing}), "cannot be read");
  expect_refused(tessera({"solve", "1 2 0 3", "--json", missing}), "cannot be written");
  expect_refused(tessera({"verify", missing}), "cannot be read");
  expect_refused(tessera({"solve", "1 2 0 3", "--config", missing}), "cannot be read");
}

TEST(HostileInput, ConfigurationFilesToo) {
  expect_refused(
      tessera({"solve", "1 2 0 3", "--config", std::filesystem::temp_directory_path().string()}),
      "cannot be read");
  struct Case {
    std::string content;
    std::string expected;
  };
  std::string deep = "a";
  for (int i = 0; i < 100'000; ++i) deep += ".a";
  for (const Case& c :
       {Case{"# fine\nthreads = 1\n\nbogus = 3\n", ":4: "},
        Case{"threads = -1\n", "'-1' is not valid"},
        Case{"threads = [1,2\n", ":1: "},
        Case{"all = maybe\n", ":1: not valid TOML"},
        Case{"[!]\n", ":1: not valid TOML"},
        Case{"# \u00e9\nthr\u00e9ads = 1\n", ":2: not valid TOML"},
        Case{"all = \"maybe\"\n", ":1: all: 'maybe' is unknown"},
        Case{std::string("\0\1\2\xff", 4), ":1: "},
        Case{"threads = 1\nthreads = 2\n", ":2: not valid TOML"},
        Case{"threads = 1\nall = [true\n", "not valid TOML"},
        Case{"threads = 1.5\n",
             ":1: threads: is a number with a fraction, expected a whole number"},
        Case{"schedule = 1.5\n",
             ":1: schedule: is a number with a fraction, expected a string in quotes"},
        Case{"count = 1e400\n", ":1: "},
        Case{"time-limit = -0.5\n", ":1: time-limit: "},
        Case{"\nthreads = [1, 2]\n", ":2: threads: is a list, expected a whole number"},
        Case{"threads = true\n", ":1: threads: is true or false, expected a whole number"},
        Case{"time-limit = 07:30:00\n", ":1: time-limit: is a date or time, expected a string"},
        Case{"[generate]\ncount = [1]\n", ":2: count: is a list, expected a whole number"},
        Case{"goal = [[0]]\n", ":1: goal: is a list, expected"},
        Case{"[threads]\nx = 1\n", ":1: threads: is a table, expected a whole number"},
        Case{"[slove]\nthreads = 1\n", ":1: command 'slove' is unknown, did you mean solve?"},
        Case{"[solve]\n\nshedule = 'static'\n",
             ":3: option 'shedule' is unknown, did you mean schedule?"},
        Case{"[solve]\ncount = 3\n", ":2: option 'count' is unknown"},
        Case{std::string(100000, '['), ":1: not valid TOML"},
        Case{"x = 1\n[" + deep + "]\n", ": more than 10000 dots"},
        Case{deep + " = 1\n", ": more than 10000 dots"},
        Case{"x = { y = \"\"\"it's\"\"\", " + deep + " = 1 }\n", ": more than 10000 dots"},
        Case{deep.substr(0, 19'999) + " = 1\n", ":1: command 'a' is unknown"}}) {
    const TemporaryFile file(c.content);
    expect_refused(tessera({"solve", "1 2 0 3", "--config", file.path()}), c.expected);
  }
}

TEST(HostileInput, EnvironmentVariablesAreNamed) {
  for (const auto& [name, value] :
       std::map<std::string, std::string>{{"TESSERA_THREADS", "many"},
                                          {"TESSERA_ALL", "maybe"},
                                          {"TESSERA_NODE_LIMIT", "-1"},
                                          {"TESSERA_TIME_LIMIT", "1 year"},
                                          {"TESSERA_HEURISTIC", "manhatan"}}) {
    Running::Options options;
    options.environment[name] = value;
    const Finished run = tessera({"solve", "1 2 0 3"}, options);
    expect_refused(run, value);
    if (name != "TESSERA_HEURISTIC") {
      EXPECT_NE(run.err.find(name), std::string::npos) << run.err;
    }
  }
}

TEST(HostileInput, VerifyIsNotTalkedRound) {
  const auto code_of = [](const std::string& row) {
    const TemporaryFile file(row);
    const Finished run = tessera({"verify", file.path()});
    EXPECT_EQ(complaints(run.err).size(), run.code == 0 ? 0U : 1U) << run.err;
    return run.code;
  };
  EXPECT_EQ(code_of(row_with("length", 1)), 0);
  EXPECT_EQ(code_of(row_with("length", (std::int64_t{1} << 32) + 1)), 1);  // 1 in 32 bits
  EXPECT_EQ(code_of(row_with("length", 1.5)), 1);
  EXPECT_EQ(code_of(row_with("length", nullptr)), 1);
  EXPECT_EQ(code_of(row_with("optimal", "yes")), 1);
  EXPECT_EQ(code_of(row_with("moves", "x")), 1);
  EXPECT_EQ(code_of(row_with("moves", "LRL")), 1);
  EXPECT_EQ(code_of(row_with("board", {1, 2, 3, 0})), 1);
  EXPECT_NE(code_of(row_with("status", "solvedd")), 0);  // no status that there is
  EXPECT_EQ(code_of(row_with("board", {1, 2, 3, 3})), 2);
  EXPECT_EQ(code_of(row_with("size", "3x3")), 2);
  std::string nested = row_with("optimal", "[]");
  const std::string deep = std::string(500'000, '[') + std::string(500'000, ']');
  nested.replace(nested.find("\"[]\""), 4, deep);
  EXPECT_EQ(code_of(nested), 1);
}

// The first file that is opened gets the lowest free descriptor: were that standard output's, the
// answer for a person would stand in the result file.
TEST(HostileInput, AClosedStandardOutputIsNotTheResultFile) {
  const TemporaryFile results("");
  Running running({"sh", "-c",
                   std::string("exec '") + tessera_program + "' solve '1 2 0 3' --quiet --json '" +
                       results.path() + "' >&-"});
  const Finished run = running.wait();
  EXPECT_EQ(run.code, 1);
  EXPECT_EQ(complaints(run.err).size(), 1U) << run.err;
  EXPECT_EQ(results.content().find("moves, optimal"), std::string::npos) << results.content();
  EXPECT_EQ(results.content().find("move, optimal"), std::string::npos) << results.content();
}

}  // namespace
}  // namespace tessera::cli
