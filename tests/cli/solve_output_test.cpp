// SPDX-License-Identifier: MIT
// What solve prints and writes.
#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "base/temporary_folder.hpp"
#include "one_cpu.hpp"
#include "program.hpp"

namespace tessera::cli {
namespace {

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
  const auto of = [](const std::vector<std::string>& options) {
    const Finished run =
        tessera(with({"solve", "--set", "haskell:3-4", "--quiet", "--json", "-"}, options));
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
  const auto row_of = [](const std::vector<std::string>& options) {
    const Finished run =
        tessera(with({"solve", "--set", "haskell:3", "--quiet", "--json", "-"}, options));
    return json_lines(run.out).at(0);
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

TEST(Solve, AnUnsolvableBoardGetsNoTipAndNoTableOfBounds) {
  const std::string board = "2 1 3 4 5 6 7 8 9 10 11 12 13 14 15 0";
  const TemporaryFolder tables;
  const Finished run = tessera({"solve", board, "--pdb-dir", tables.path().string()});
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.err.find("tip:"), std::string::npos) << run.err;
  EXPECT_EQ(run.err.find("bound "), std::string::npos) << run.err;
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
  EXPECT_NE(text.find(",board,moves,lengths_single,lengths_multi,solutions\n"), std::string::npos);
  for (const auto& row : rows) {
    const std::string end = row["moves"].get<std::string>() + ',' +
                            row["lengths"]["single"].dump() + ',' + row["lengths"]["multi"].dump() +
                            ",\n";
    EXPECT_NE(text.find(',' + end), std::string::npos) << end << text;
  }
  const auto sums = json_lines(summary.content()).at(0);
  EXPECT_EQ(sums["schema"], "tessera.run/1");
  EXPECT_EQ(sums["run"], rows[0]["run"]);
  EXPECT_EQ(sums["boards"], 4);
  EXPECT_TRUE(sums["cpu_share"].is_null());  // too short
  EXPECT_EQ(sums["moves"]["minimum"], std::min(rows[0]["length"], rows[2]["length"]));
  EXPECT_NE(sums["command"].get<std::string>().find("tessera solve --set haskell:3,1 "),
            std::string::npos);
  expect_refused(tessera({"solve", "1 2 3 0", "--json", "-", "--csv", "-"}), "--csv -");
}

TEST(Solve, ACsvHasTheNumberOfOptimalSolutions) {
  const Finished run = tessera({"solve", "0 3/2 1", "--all", "--csv", "-", "--quiet"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(run.out.ends_with(",2\n")) << run.out;
}

TEST(Solve, ASummaryOfAResumedRunHasTheSpeedOfThatRun) {
  const TemporaryFile summary("");
  const TemporaryFolder folder;
  const std::vector<std::string> options{"--checkpoint", folder.text() + "/kept", "--resume",
                                         "--summary",    summary.path(),          "--quiet"};
  ASSERT_EQ(tessera(with({"solve", "--set", "haskell:3,4"}, options)).code, 0);
  ASSERT_EQ(tessera(with({"solve", "--set", "haskell:3,4,1"}, options)).code, 0);
  const auto sums = json_lines(summary.content()).at(0);
  EXPECT_EQ(sums["boards"], 3);
  EXPECT_NEAR(sums["boards_per_second"].get<double>() * sums["seconds"].get<double>(), 1, 1e-6);
}

TEST(Solve, ASummaryOfUnsolvableBoardsHasNoSpeed) {
  const TemporaryFile boards("1 2 3/4 5 6/8 7 0\n1 2 3/4 5 6/7 0 8\n");
  const std::vector<std::string> both{"solve",   "--file",    boards.path(),
                                      "--quiet", "--summary", "-"};
  EXPECT_GT(json_lines(tessera(both).out).at(0)["boards_per_second"], 0);
  const Finished one = tessera({"solve", "1 2 3/4 5 6/8 7 0", "--quiet", "--summary", "-"});
  EXPECT_TRUE(json_lines(one.out).at(0)["boards_per_second"].is_null()) << one.out;
}

TEST(Solve, GivesNoAdviceToThreadsWithoutCpus) {
  const OneCpu one;
  const TemporaryFile summary("");
  const Finished run = tessera({"solve", "--set", "korf100:14", "--heuristic", "manhattan",
                                "--threads", "6", "--finish-iteration", "--schedule", "static",
                                "--frontier", "6", "--summary", summary.path()});
  EXPECT_NE(run.err.find("had a CPU for only "), std::string::npos) << run.err;
  EXPECT_EQ(run.err.find("advice: "), std::string::npos) << run.err;
  EXPECT_LT(json_lines(summary.content()).at(0)["cpu_share"], 0.9);
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

}  // namespace
}  // namespace tessera::cli
