// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/temporary_folder.hpp"
#include "program.hpp"

namespace tessera::cli {
namespace {

TEST(Estimate, CountsTheMovesOfMetricMulti) {
  const Finished run =
      tessera({"estimate", "2 3 4 5 11 6/1 7 9 10 0 12/13 8 14 15 16 17", "--metric", "multi",
               "--heuristic", "runs", "--threads", "1", "--quiet", "--json", "-"});
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(json_lines(run.out).at(0)["upper_bound"], 6);  // 12 single moves
}

TEST(Estimate, KeepsToATimeLimit) {
  const TemporaryFolder folder;
  const auto estimate = [&](const std::string& heuristic) {
    return tessera({"estimate", "--set", "korf100:1-3", "--heuristic", heuristic, "--pdb-dir",
                    folder.text(), "--time-limit", "20ms", "--quiet"});
  };
  const Finished tables = estimate("pdb:6-6-3");
  EXPECT_EQ(tables.code, 4);
  EXPECT_EQ(tables.err, "tessera: stopped by a limit or signal, 0 of 3 estimates done\n");
  // The board in progress is estimated, from a smaller sample.
  const Finished boards = estimate("manhattan");
  EXPECT_EQ(boards.code, 4);
  EXPECT_EQ(boards.err, "tessera: stopped by a limit or signal, 1 of 3 estimates done\n");
  EXPECT_NE(boards.out.find("board 1:"), std::string::npos) << boards.out;
}

TEST(Estimate, TellsBoundsNodesAndTime) {
  const Finished run =
      tessera({"estimate", "--set", "korf100:12", "--heuristic", "manhattan", "--json", "-"});
  ASSERT_EQ(run.code, 0) << run.err;
  const auto rows = json_lines(run.out);
  ASSERT_EQ(rows.size(), 1U);
  const auto& row = rows[0];
  EXPECT_EQ(row["schema"], "tessera.estimate/1");
  EXPECT_EQ(row["id"], "12");
  EXPECT_GT(row["expanded_per_second"], 1e5);
  EXPECT_GT(row["seconds"], 0);
  EXPECT_EQ(row["request"]["ntasks"], 1);
  EXPECT_GT(row["sampled"], 1000);
  EXPECT_LE(row["sampled"], 400'000);
  ASSERT_EQ(row["bounds"][0]["bound"], 35);
  const Finished solved = tessera({"solve", "--set", "korf100:12", "--heuristic", "manhattan",
                                   "--finish-iteration", "--quiet", "--json", "-"});
  const auto iterations = json_lines(solved.out).at(0)["iterations"];
  for (std::size_t i = 0; i < iterations.size(); ++i) {
    const auto& bound = row["bounds"][i];
    EXPECT_EQ(bound["bound"], iterations[i]["bound"]);
    const double ratio = bound["expanded"].get<double>() / iterations[i]["expanded"].get<double>();
    EXPECT_NEAR(ratio, 1, 0.6) << bound["bound"];
    EXPECT_LE(bound["expanded_low"], bound["expanded"]);
    EXPECT_GE(bound["expanded_high"], bound["expanded"]);
  }
  EXPECT_NE(run.err.find("#SBATCH --nodes=1 --ntasks=1 --cpus-per-task="), std::string::npos);
  EXPECT_NE(run.err.find("probably the last"), std::string::npos);
  // With an incumbent the last bound, most of the work, is not searched.
  EXPECT_GT(row["seconds_with_incumbent"], 0);
  EXPECT_LT(row["seconds_with_incumbent"].get<double>(), row["seconds"].get<double>() / 2);
  EXPECT_NE(run.err.find("(--incumbent)"), std::string::npos);
}

TEST(Estimate, TakesEachBoardWithEachHeuristic) {
  const Finished run = tessera({"estimate", "--set", "korf100:1,12", "--heuristics",
                                "manhattan,walking", "--sample", "900", "--json", "-"});
  ASSERT_EQ(run.code, 0) << run.err;
  std::vector<std::string> rows;
  for (const auto& row : json_lines(run.out)) {
    rows.push_back(row["id"].get<std::string>() + " " + row["heuristic"].get<std::string>());
  }
  EXPECT_EQ(rows,
            (std::vector<std::string>{"1 manhattan", "1 walking", "12 manhattan", "12 walking"}));
  // Boards are not added up: each would count twice.
  EXPECT_EQ(run.err.find("in all:"), std::string::npos) << run.err;
}

TEST(Estimate, KeepsToTheBoundAndTheSampleAsked) {
  const Finished run = tessera({"estimate", "--set", "korf100:1,12", "--heuristic", "manhattan",
                                "--last-bound", "45", "--sample", "900", "--quiet", "--json", "-"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  for (const auto& row : json_lines(run.out)) {
    EXPECT_EQ(row["bounds"].back()["bound"], 45);
    EXPECT_EQ(row["probable_bound"], 45);
    EXPECT_LE(row["sampled"], 900);
  }
}

// A bound of the other parity is none: its tree is that of the bound before, which would count
// twice.
TEST(Estimate, HasNoRowForABoundThatIsNeverSearched) {
  const auto nodes_to = [](const char* last) {
    const Finished run =
        tessera({"estimate", "--set", "korf100:1", "--heuristic", "manhattan", "--last-bound", last,
                 "--sample", "900", "--quiet", "--json", "-"});
    EXPECT_EQ(run.code, 0) << run.err;
    const auto row = json_lines(run.out).at(0);
    EXPECT_EQ(row["bounds"].back()["bound"], 45);
    return row["bounds"].size();
  };
  EXPECT_EQ(nodes_to("45"), nodes_to("46"));
}

// Both need 6 to 8 moves more than a random board of their Manhattan distance.
TEST(Estimate, AlsoSamplesBoundsAboveTheProbableOne) {
  const Finished run = tessera(
      {"estimate", "--set", "korf100:60,88", "--heuristic", "manhattan", "--quiet", "--json", "-"});
  ASSERT_EQ(run.code, 0) << run.err;
  const std::map<std::string, std::pair<int, double>> known = {{"60", {66, 6'713'097'939}},
                                                               {"88", {65, 16'357'998'249}}};
  const auto rows = json_lines(run.out);
  ASSERT_EQ(rows.size(), 2U);
  for (const auto& row : rows) {
    const auto& [length, expanded] = known.at(row["id"]);
    EXPECT_LT(row["probable_bound"], length);
    const auto last = std::ranges::find_if(
        row["bounds"], [bound = length](const auto& each) { return each["bound"] == bound; });
    ASSERT_NE(last, row["bounds"].end());
    EXPECT_GT((*last)["expanded"], expanded / 1.5) << row["id"];
    EXPECT_LT((*last)["expanded"], expanded * 1.5) << row["id"];
    EXPECT_LT((*last)["expanded_low"], expanded) << row["id"];
    EXPECT_GT((*last)["expanded_high"], expanded) << row["id"];
  }
}

// However few nodes are sampled: its time and the suggested job depend on it.
TEST(Estimate, AlwaysHasTheProbableRow) {
  const std::vector<std::string> boards = {"7 3 5/8 2 6/1 4 0", "1 8 2/0 4 3/7 6 5",
                                           "5 1 7 3/9 2 11 4/13 6 15 8/0 10 14 12"};
  for (const std::string& board : boards) {
    for (const char* metric : {"single", "multi"}) {
      for (const char* nodes : {"1", "30", "200"}) {
        const Finished run =
            tessera({"estimate", board, "--metric", metric, "--heuristic",
                     std::string(metric) == "single" ? "manhattan" : "runs", "--incumbent", "none",
                     "--sample", nodes, "--threads", "1", "--json", "-"});
        ASSERT_EQ(run.code, 0) << run.err;
        EXPECT_EQ(count_of("probably the last", run.err), 1U)
            << board << metric << nodes << run.err;
      }
    }
  }
}

TEST(Estimate, AddsUpTheBoardsOfASet) {
  const std::vector<std::string> arguments{"estimate",  "--set",    "korf100:1,12", "--heuristic",
                                           "manhattan", "--sample", "20000"};
  const Finished run = tessera(with(arguments, {"--json", "-"}));
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(json_lines(run.out).size(), 2U);
  const std::size_t total = run.err.find("in all: 2 boards to search, ");
  ASSERT_NE(total, std::string::npos) << run.err;
  EXPECT_NE(run.err.find("suggested for all of them", total), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("#SBATCH", total), std::string::npos) << run.err;
  const Finished quiet = tessera(with(arguments, {"--quiet"}));
  EXPECT_NE(quiet.out.find("in all: 2 boards"), std::string::npos) << quiet.out;
  EXPECT_EQ(quiet.out.find("#SBATCH"), std::string::npos) << quiet.out;
  const Finished one = tessera({"estimate", "--set", "korf100:12", "--sample", "900"});
  EXPECT_EQ(one.out.find("in all: 1"), std::string::npos) << one.out;
}

// The search begins with beam searches, so the bounds to come end at what they find.
TEST(Estimate, EndsAtTheSolutionThatBeamSearchFinds) {
  const std::vector<std::string> arguments{"estimate",  "--set",  "korf50:40", "--heuristic",
                                           "manhattan", "--json", "-"};
  const Finished run = tessera(arguments);
  ASSERT_EQ(run.code, 0) << run.err;
  const auto row = json_lines(run.out).at(0);
  const int upper = row["upper_bound"];
  EXPECT_GE(upper, 82);  // the optimum
  EXPECT_LE(upper, 102);
  EXPECT_EQ(upper % 2, 0);
  EXPECT_EQ(row["probable_bound"], upper);
  EXPECT_EQ(row["bounds"].back()["bound"], upper);
  EXPECT_NE(run.err.find("found a solution of " + std::to_string(upper) + " moves"),
            std::string::npos)
      << run.err;
  EXPECT_LT(row["seconds_with_incumbent"], row["seconds"]);

  for (const std::vector<std::string>& without :
       {std::vector<std::string>{"--incumbent", "none"}, {"--last-bound", "70"}}) {
    const Finished guess = tessera(with(arguments, without));
    ASSERT_EQ(guess.code, 0) << guess.err;
    EXPECT_TRUE(json_lines(guess.out).at(0)["upper_bound"].is_null());
    EXPECT_EQ(guess.err.find("found a solution"), std::string::npos) << guess.err;
  }
}

TEST(Estimate, ASolvedBoardNeedsNoSearch) {
  const Finished run = tessera({"estimate", "1 2 3 4 5 6 7 8 0", "--json", "-"});
  ASSERT_EQ(run.code, 0) << run.err;
  const auto row = json_lines(run.out).at(0);
  EXPECT_TRUE(row["bounds"].empty());
  EXPECT_EQ(row["probable_bound"], 0);
  EXPECT_EQ(row["seconds"], 0);
  EXPECT_EQ(row["seconds_with_incumbent"], 0);
  EXPECT_TRUE(row["request"].is_null());
  EXPECT_NE(run.err.find("already solved: 0 moves, no search needed\n"), std::string::npos);
  EXPECT_EQ(run.err.find("SBATCH"), std::string::npos) << run.err;
  EXPECT_EQ(run.err.find("bound"), std::string::npos) << run.err;
}

TEST(Estimate, TakesEveryMetricAndRule) {
  for (const std::vector<std::string>& options : {std::vector<std::string>{"--metric", "multi"},
                                                  {"--prune", "fsm:10"},
                                                  {"--heuristic", "max(walking,linear-conflict)"},
                                                  {"--backend", "serial"}}) {
    const Finished run = tessera(with({"estimate", "8 6 7 2 5 4 3 0 1", "--quiet"}, options));
    EXPECT_EQ(run.code, 0) << options[1] << run.err;
    EXPECT_NE(run.out.find("bound"), std::string::npos);
  }
}

TEST(Estimate, EndsOnBoardsThatNeedNoSearch) {
  for (const char* board : {"1 2 3 0", "1 2 0 3", "1 2 3 4 5 6 7 8 0", "1 2 3 4 5 6 7 0 8"}) {
    const Finished run = tessera({"estimate", board, "--quiet"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_LT(run.seconds, 20);
  }
}

TEST(Estimate, ComplainsAsSolveDoes) {
  EXPECT_EQ(tessera({"estimate"}).code, 2);
  EXPECT_EQ(tessera({"estimate", "1 2 3 3"}).code, 2);
  EXPECT_EQ(tessera({"estimate", "1 2 3 0", "--sample", "0"}).code, 2);
  EXPECT_EQ(tessera({"estimate", "1 2 3 0", "--heuristic", "manhatan"}).code, 2);
  const Finished unsolvable = tessera({"estimate", "2 1 3 0", "--heuristic", "manhattan"});
  EXPECT_EQ(unsolvable.code, 0);
  EXPECT_NE(unsolvable.out.find("unsolvable"), std::string::npos);
}

TEST(DryRun, TellsMemoryAndSearchesNothing) {
  const Finished run = tessera(
      {"solve", "--set", "korf100:88", "--heuristic", "manhattan", "--threads", "2", "--dry-run"});
  EXPECT_EQ(run.code, 0);
  EXPECT_NE(run.out.find("at most 96.0 MiB in all"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("#SBATCH"), std::string::npos);
  EXPECT_LT(run.seconds, 30);  // its search takes minutes
}

TEST(DryRun, CountsTheBeamsMemory) {
  const std::vector<std::string> beam{
      "solve",        "--set",     "korf100:88", "--heuristic", "manhattan",
      "--engine",     "beam",      "--threads",  "2",           "--incumbent",
      "beam:1000000", "--dry-run", "--quiet",    "--json",      "-"};
  const Finished run = tessera(beam);
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_GT(json_lines(run.out).at(0)["memory_bytes"], 300 << 20) << run.out;
  const Finished refused = tessera(with(beam, {"--memory", "200MiB"}));
  EXPECT_EQ(refused.code, 5);
  EXPECT_NE(refused.err.find("a beam search of width 1000000 needs "), std::string::npos);
}

TEST(Estimate, RunsTheBeamThatTheSearchWould) {
  const auto row =
      json_lines(tessera({"estimate", "--set", "korf50:1", "--heuristic", "manhattan",
                          "--incumbent", "beam:500", "--sample", "1000", "--quiet", "--json", "-"})
                     .out)
          .at(0);
  EXPECT_GE(row["upper_bound"], 95) << row;
}

TEST(Estimate, RefusesEnginesWithoutAModel) {
  for (const char* engine : {"astar", "greedy", "bfs", "iddfs", "iddfs-pruned"}) {
    const Finished run = tessera({"estimate", "8 6 7 2 5 4 3 0 1", "--engine", engine});
    EXPECT_EQ(run.code, 2) << engine;
    EXPECT_EQ(run.out, "") << engine;
    EXPECT_EQ(complaints(run.err).size(), 1U) << run.err;
    EXPECT_NE(run.err.find(std::string("--engine ") + engine + ": "), std::string::npos) << run.err;
  }
}

// Of memory only, as far as the search would go: no bounds, no request.
TEST(DryRun, TellsWhatBoardsMayFill) {
  for (const char* engine : {"astar", "greedy", "bfs"}) {
    const Finished run = tessera({"solve", "8 6 7 2 5 4 3 0 1", "--engine", engine, "--memory",
                                  "10MiB", "--dry-run", "--json", "-"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_NE(run.err.find("memory: at most 10.0 MiB in all"), std::string::npos) << run.err;
    EXPECT_EQ(run.err.find("SBATCH"), std::string::npos) << run.err;
    EXPECT_EQ(run.err.find("expanded"), std::string::npos) << run.err;
    const auto row = json_lines(run.out).at(0);
    EXPECT_EQ(row["memory_bytes"], 10 << 20);
    EXPECT_TRUE(row["bounds"].empty());
    EXPECT_TRUE(row["probable_bound"].is_null());
    EXPECT_TRUE(row["request"].is_null());
  }
  // Most of this machine.
  const Finished run =
      tessera({"solve", "8 6 7 2 5 4 3 0 1", "--engine", "astar", "--dry-run", "--json", "-"});
  EXPECT_GT(json_lines(run.out).at(0)["memory_bytes"], 96 << 20);
}

TEST(DryRun, RefusesWhatTheSearchWould) {
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--heuristic", "manhattan", "--memory", "1MiB"},
        {"--engine", "astar", "--memory", "1KiB"},
        {"--engine", "astar", "--all"}}) {
    const auto arguments = with({"solve", "8 6 7 2 5 4 3 0 1", "--threads", "1"}, options);
    const Finished run = tessera(arguments);
    EXPECT_NE(run.code, 0);
    const Finished plan = tessera(with(arguments, {"--dry-run"}));
    EXPECT_EQ(plan.code, run.code) << plan.out;
    EXPECT_EQ(plan.err, run.err);
    EXPECT_EQ(plan.err.find("1 search threads"), std::string::npos) << plan.err;
    EXPECT_EQ(plan.out, "");
  }
}

TEST(DryRun, MakesNoTables) {
  Running::Options options;
  options.environment["TESSERA_PDB_DIR"] = "/dev/null/tables";
  const Finished run =
      tessera({"solve", "--set", "korf100:1", "--heuristic", "pdb:7-8", "--dry-run"}, options);
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.out.find("not built yet, and without them nothing can be sampled: "
                         "tessera pdb build --size 4x4 --partition 7-8 --pdb-dir /dev/null/tables "
                         "builds them\n"),
            std::string::npos)
      << run.out;
  const Finished json = tessera({"solve", "--set", "korf100:1", "--heuristic", "pdb:7-8",
                                 "--dry-run", "--quiet", "--json", "-"},
                                options);
  ASSERT_EQ(json_lines(json.out).size(), 1U) << json.out;
  EXPECT_TRUE(json_lines(json.out)[0]["seconds"].is_null());
  // Not the tables of the default goal.
  const Finished other =
      tessera({"solve", "--set", "korf100:1", "--heuristic", "pdb:4-4-4-3", "--dry-run"}, options);
  EXPECT_NE(other.out.find("--partition 4-4-4-3 --goal first "), std::string::npos) << other.out;
  EXPECT_NE(run.out.find("tables of 274.9 MiB"), std::string::npos) << run.out;
}

TEST(TimeLeft, IsToldOfTheBoundThatALimitCut) {
  const Finished run =
      tessera({"solve", "--set", "korf100:88", "--heuristic", "linear-conflict", "--threads", "1",
               "--node-limit", "40000000", "--quiet", "--json", "-"});
  ASSERT_EQ(run.code, 4) << run.err;
  const auto row = json_lines(run.out).at(0);
  ASSERT_FALSE(row["iterations"].back()["complete"]);
  ASSERT_TRUE(row["seconds_left"].is_number()) << row;
  EXPECT_GT(row["seconds_left"], 0);
  EXPECT_LT(row["seconds_left"], 1000);
}

}  // namespace
}  // namespace tessera::cli
