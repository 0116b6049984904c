// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "program.hpp"

namespace tessera::cli {
namespace {

constexpr const char* goal = "1 2 3/4 5 6/7 8 0";

TEST(Moves, PrintsTheBoardAndBothLengths) {
  const Finished run = tessera({"moves", goal, "r2 D L"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(
      run.out,
      "# from 1 2 3 4 5 6 7 8 0\n# 4 moves (3 in metric multi): RRDL\n1: 1 2 3 5 0 6 4 7 8\n");
  EXPECT_EQ(tessera({"moves", goal, "RRDL", "--metric", "multi", "--notation", "counts"}).out,
            "# from 1 2 3 4 5 6 7 8 0\n# 3 moves (4 in metric single): R2 D L\n"
            "1: 1 2 3 5 0 6 4 7 8\n");
  // Without quotes.
  EXPECT_EQ(tessera({"moves", "1", "2", "3", "4", "5", "6", "7", "8", "0", "R2", "D", "L"}).out,
            run.out);
  EXPECT_NE(tessera({"moves", goal, "RL"}).out.find("2 moves (2 in metric multi), to the goal: RL"),
            std::string::npos);
  EXPECT_NE(tessera({"moves", goal, ""}).out.find("0 moves"), std::string::npos);
}

TEST(Moves, TakesTheGoalOfBoard) {
  const auto row = json_lines(tessera({"moves", R"({"board":[1,0,2,3,4,5,6,7,8],"goal":"first"})",
                                       "R", "--quiet", "--json", "-"})
                                  .out)
                       .at(0);
  EXPECT_EQ(row["goal"], "first");
  EXPECT_EQ(row["end"], (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
  const Finished run = tessera({"moves", goal, "R", "--goal", "junk"});
  EXPECT_EQ(run.code, 2);
  EXPECT_TRUE(run.err.starts_with("tessera: --goal: goal 'junk' is unknown")) << run.err;
}

// As analyse and optimize do; it searches nothing.
TEST(Moves, TakesHeuristicAndLimits) {
  const Finished run = tessera({"moves", goal, "r2 D L", "--heuristic", "manhattan", "--time-limit",
                                "1s", "--node-limit", "5", "--memory", "1GiB"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out, tessera({"moves", goal, "r2 D L"}).out);
  const Finished misspelled = tessera({"moves", goal, "r2 D L", "--heuristic", "manhatten"});
  EXPECT_EQ(misspelled.code, 2);
  EXPECT_NE(misspelled.err.find("did you mean manhattan?"), std::string::npos);
}

TEST(Moves, TheBlanksDirectionIsTheOpposite) {
  const std::string tile = tessera({"moves", goal, "RRDL"}).out;
  const std::string blank = tessera({"moves", goal, "LLUR", "--moves-of", "blank"}).out;
  EXPECT_NE(blank.find(": LLUR\n"), std::string::npos);
  EXPECT_EQ(blank.substr(blank.rfind("1: ")), tile.substr(tile.rfind("1: ")));
}

TEST(Moves, ChangesSequences) {
  const auto changed = [](const std::string& option) {
    const Finished run =
        tessera({"moves", "1 2 3/4 5 6/7 8 0", "RRDLLR", option, "--json", "-", "--quiet"});
    EXPECT_EQ(run.code, 0) << run.err;
    return json_lines(run.out).at(0);
  };
  const auto same = changed("--quiet");
  EXPECT_EQ(same["moves"], "RRDLLR");
  EXPECT_EQ(same["lengths"]["single"], 6);
  EXPECT_EQ(same["lengths"]["multi"], 4);
  const auto inverse = changed("--invert");
  EXPECT_EQ(inverse["moves"], "LRRULL");
  EXPECT_EQ(inverse["board"], same["end"]);
  EXPECT_EQ(inverse["end"], same["board"]);
  const auto simple = changed("--simplify");
  EXPECT_EQ(simple["moves"], "RRDL");
  EXPECT_EQ(simple["end"], same["end"]);
  const auto mirrored = changed("--reflect");
  EXPECT_EQ(mirrored["moves"], "DDRUUD");
  EXPECT_EQ(mirrored["goal"], "last");
  const auto turned = changed("--rotate");
  EXPECT_EQ(turned["moves"], "LLURRL");
  EXPECT_EQ(turned["goal"], "first");
}

TEST(Moves, SolveReadsEveryFormat) {
  for (const char* const format : {"lines", "slash", "blocks", "grid", "csv", "json"}) {
    for (const char* const board : {goal, "1 2 3/4 5 0"}) {
      Running::Options options;
      const Finished moved = tessera({"moves", board, "RRDL", "--format", format});
      EXPECT_EQ(moved.code, 0) << moved.err;
      options.input = moved.out;
      const Finished solved = tessera({"solve", "--file", "-", "--quiet"}, options);
      EXPECT_EQ(solved.out, "1: 4 moves, optimal, verified: RULL\n") << format << solved.err;
    }
  }
}

TEST(Moves, RefusesWhatTheBoardDoesNotAllow) {
  expect_refused(tessera({"moves", goal, "R3"}), "MOVES: move 3 'R' leaves the board");
  expect_refused(tessera({"moves", goal, "L3", "--moves-of", "blank"}), "MOVES: move 3 'L' leaves");
  expect_refused(tessera({"moves", goal, "RQ"}), "MOVES: character 2 'Q' is not a move");
  expect_refused(tessera({"moves", goal}), "expected tessera moves BOARD MOVES");
  expect_refused(tessera({"moves", "1 2 3", "R"}), "BOARD: 3 tiles");
}

TEST(Notation, CountsAndTheBlanksDirection) {
  const std::string board = "1 2 3/4 5 6/0 7 8";
  const std::vector<std::string> solve{"solve", board, "--quiet"};
  EXPECT_EQ(tessera(with(solve, {"--notation", "counts"})).out,
            "1: 2 moves, optimal, verified: L2\n");
  EXPECT_EQ(tessera(with(solve, {"--moves-of", "blank"})).out,
            "1: 2 moves, optimal, verified: RR\n");
  const Finished both = tessera(with(
      solve, {"--moves-of", "blank", "--notation", "counts", "--json", "-", "--metric", "multi"}));
  EXPECT_EQ(json_lines(both.out).at(0)["moves"], "LL");
  EXPECT_EQ(json_lines(both.out).at(0)["lengths"]["single"], 2);
  EXPECT_EQ(json_lines(both.out).at(0)["lengths"]["multi"], 1);
  EXPECT_NE(tessera({"solve", board}).err.find("length: 2 moves (1 in metric multi)\n"),
            std::string::npos);
  EXPECT_NE(tessera({"solve", "--set", "haskell:1-2"}).err.find("   board  moves  multi "),
            std::string::npos);
}

TEST(Scramble, IsOneMoreSourceOfBoards) {
  for (const char* const size : {"4x4", "3x2"}) {
    const Finished run = tessera({"solve", "--scramble", "r2 D L", "--size", size, "--quiet"});
    EXPECT_EQ(run.out, "1: 4 moves, optimal, verified: RULL\n") << run.err;
  }
  EXPECT_EQ(
      tessera({"solve", "--scramble", "LLUR", "--moves-of", "blank", "--goal", goal, "--quiet"})
          .out,
      "1: 4 moves, optimal, verified: LDRR\n");
  const Finished estimate = tessera({"estimate", "--scramble", "RDRDL", "--size", "3x3"});
  EXPECT_EQ(estimate.code, 0) << estimate.err;
  expect_refused(tessera({"solve", "--scramble", "R"}), "--scramble: no size, expected --size WxH");
  expect_refused(tessera({"solve", "--scramble", "R3", "--size", "3x3"}),
                 "--scramble: move 3 'R' leaves the board");
  expect_refused(tessera({"solve", goal, "--scramble", "R"}), "BOARD and --scramble: two sources");
}

TEST(AllSolutions, AreListedCountedAndVerified) {
  const std::vector<std::string> solve{"solve",   "--set",       "haskell:5",
                                       "--quiet", "--heuristic", "manhattan"};
  const std::string answer = "5: 30 moves, optimal, verified, 2 optimal solutions: ";
  const std::string first = "DRRRDLDRUULLDRRUULLLDRRDRUULLL\n";
  const std::string second = "DRRRDLDLLURRURULLLDDDRRRUUULLL\n";
  const Finished all = tessera(with(solve, {"--all", "--threads", "2"}));
  EXPECT_EQ(all.out, answer + first + first + second) << all.err;
  EXPECT_EQ(tessera(with(solve, {"--all", "--backend", "serial"})).out, all.out);
  EXPECT_EQ(tessera(with(solve, {"--all", "--engine", "iddfs-pruned"})).out, all.out);
  const Finished one = tessera({"solve", "--set", "haskell:5", "--all", "--max-solutions", "1"});
  EXPECT_EQ(one.out, answer + first + first);
  EXPECT_NE(one.err.find("1 of 2 solutions are listed; --max-solutions lists more\n"),
            std::string::npos);
  EXPECT_EQ(tessera(with(solve, {"--all", "--max-solutions", "0"})).out, answer + first);
  EXPECT_EQ(tessera(with(solve, {"--good-moves"})).out, answer + first + "good moves: D (2)\n");

  const TemporaryFile rows(
      tessera(with(solve, {"--all", "--good-moves", "--notation", "counts", "--json", "-"})).out);
  const auto row = json_lines(rows.content()).at(0);
  EXPECT_EQ(row["solutions"], 2);
  EXPECT_EQ(row["all_moves"], nlohmann::json({first.substr(0, 30), second.substr(0, 30)}));
  EXPECT_EQ(row["good_moves"], nlohmann::json({{"D", 2}}));
  EXPECT_EQ(tessera({"verify", rows.path()}).code, 0);
  auto wrong = row;
  wrong["all_moves"][1] = "DRRR";
  EXPECT_NE(tessera({"verify", TemporaryFile(wrong.dump()).path()})
                .err.find("a solution 2 in its list that is none of 30 moves"),
            std::string::npos);
  const auto flaw = [&](const char* field, const nlohmann::json& value) {
    auto changed = row;
    changed[field] = value;
    return tessera({"verify", "--quiet", TemporaryFile(changed.dump()).path()}).err;
  };
  EXPECT_NE(flaw("good_moves", {{"D", 3}}).find("other numbers of solutions"), std::string::npos);
  EXPECT_NE(flaw("good_moves", {{"D", 1}, {"R", 1}}).find("other good moves"), std::string::npos);
  for (const nlohmann::json& none : {nlohmann::json::object(), nlohmann::json({{"D", 0}})}) {
    EXPECT_NE(flaw("good_moves", none).find("other numbers of solutions"), std::string::npos);
  }
  EXPECT_NE(flaw("all_moves", {row["moves"], row["moves"]}).find("twice"), std::string::npos);
  EXPECT_EQ(flaw("solutions", nullptr), "");  // an absent field is not checked
  EXPECT_NE(flaw("solutions", -1).find("has \"solutions\" '-1', expected a whole number"),
            std::string::npos);
  EXPECT_NE(flaw("solutions", 3).find("the file says 3"), std::string::npos);
}

TEST(AllSolutions, InMetricMultiARunIsOneMove) {
  const Finished run = tessera({"solve", "1 2 3/4 5 6/0 7 8", "--metric", "multi", "--good-moves",
                                "--heuristic", "zero", "--quiet", "--json", "-"});
  EXPECT_EQ(json_lines(run.out).at(0)["good_moves"], nlohmann::json({{"LL", 1}})) << run.err;
  EXPECT_TRUE(json_lines(run.out).at(0)["all_moves"].is_null());
}

// `generate` takes a number of moves, `solve` the moves.
TEST(Moves, ScramblesInTheEnvironmentHaveTwoNames) {
  Running::Options options;
  options.environment["TESSERA_SCRAMBLE"] = "6";
  options.environment["TESSERA_SCRAMBLE_MOVES"] = "R D";
  const Arguments typed{"generate", "--size", "3x3", "--scramble", "6", "--seed", "1"};
  EXPECT_EQ(tessera({"generate", "3x3", "--seed", "1"}, options).out, tessera(typed).out);
  const Finished run = tessera({"solve", "--size", "3x3", "--quiet"}, options);
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out, "1: 2 moves, optimal, verified: UL\n");
}

}  // namespace
}  // namespace tessera::cli
