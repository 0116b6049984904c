// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "base/temporary_folder.hpp"
#include "program.hpp"
#include "puzzle/board.hpp"

namespace tessera::cli {
namespace {

TEST(Games, BoardOfTheCommandLineKeepsItsIdAndGoal) {
  const Finished run =
      tessera({"analyse", R"({"id":"x","board":[1,0,2,3,4,5,6,7,8],"goal":"first"})", "--moves",
               "R", "--quiet"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out, "x: 1 move, 1 optimal, 0 more than optimal, 0 mistakes\n");
}

TEST(Analyse, NamesEachMistakeAndABetterContinuation) {
  const Finished run = tessera({"analyse", "1 2 3/4 0 6/7 5 8", "--moves", "R L U L"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out,
            "1: 4 moves, 2 optimal, 2 more than optimal, 1 mistake\n"
            "  move 1 (R): 2 became 3; better UL\n");
  const Finished blank = tessera(
      {"analyse", "1 2 3/4 0 6/7 5 8", "--moves", "lrdr", "--moves-of", "blank", "--window", "2"});
  EXPECT_EQ(blank.out,
            "1: 4 moves, 2 optimal, 2 more than optimal, 1 mistake\n"
            "  move 1 (L): 2 became 3; better DR\n"
            "  moves lost in each 2 moves: 2 0 0\n");
}

TEST(Analyse, TakesAScramble) {
  EXPECT_EQ(tessera({"analyse", "--scramble", "R,D", "--size", "3x3", "--moves", "u, L"}).out,
            "1: 2 moves, 2 optimal, 0 more than optimal, 0 mistakes\n");
  const Finished run = tessera({"analyse", "--scramble", "R", "--size", "3x3"});
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.err.find("--moves: missing"), std::string::npos) << run.err;
}

TEST(Games, MayHaveNoMoves) {
  for (const std::vector<std::string>& board : {std::vector<std::string>{"1 2 3/4 5 6/7 8 0"},
                                                {"--scramble", "", "--size", "3x3"},
                                                {"--scramble=", "--size", "3x3"}}) {
    std::vector<std::string> arguments{"analyse", "--moves", ""};
    arguments.insert(arguments.end(), board.begin(), board.end());
    const Finished analysis = tessera(arguments);
    EXPECT_EQ(analysis.code, 0) << analysis.err;
    EXPECT_EQ(analysis.out, "1: 0 moves, 0 optimal, 0 more than optimal, 0 mistakes\n");
    arguments[0] = "optimize";
    const Finished shorter = tessera(arguments);
    EXPECT_EQ(shorter.code, 0) << shorter.err;
    EXPECT_NE(shorter.out.find("0 moves"), std::string::npos) << shorter.out;
  }
}

TEST(Analyse, ReadsTheRowsOfSolve) {
  const TemporaryFolder folder;
  const std::string rows = folder.path() / "rows.jsonl";
  ASSERT_EQ(tessera({"solve", "--set", "haskell:1-4", "--engine", "greedy", "--json", rows}).code,
            0);
  const Finished run =
      tessera({"analyse", "--file", rows, "--heuristic", "manhattan", "--json", "-", "--quiet"});
  ASSERT_EQ(run.code, 0) << run.err;
  const auto lines = json_lines(run.out);
  ASSERT_EQ(lines.size(), 4U);
  // The program's rows have the moves of the tiles whatever is printed; others have those that are
  // named.
  const Finished blank = tessera({"analyse", "--file", rows, "--heuristic", "manhattan", "--json",
                                  "-", "--quiet", "--moves-of", "blank"});
  ASSERT_EQ(blank.code, 0) << blank.err;
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(json_lines(blank.out).at(i)["moves"], lines[i]["moves"]);
  }
  const std::string board = R"({"board": "1 2 3/4 0 6/7 5 8", "moves": )";
  for (const std::string& text : {board + R"("DR", "version": {"major": 1}})",
                                  std::string("board,moves,version\n1 2 3/4 0 6/7 5 8,DR,2\n")}) {
    const TemporaryFile own(text);
    EXPECT_EQ(tessera({"analyse", "--file", own.path(), "--moves-of", "blank", "--quiet"}).out,
              "1: 2 moves, 2 optimal, 0 more than optimal, 0 mistakes\n");
  }
  const std::vector<int> optimal{3, 8, 16, 17};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(lines[i]["optimal_length"], optimal[i]);
    EXPECT_TRUE(lines[i]["solves"]);
    EXPECT_EQ(lines[i]["distances"].size(), lines[i]["length"].get<std::size_t>() + 1);
    // Every other move of a mistake's pair brings the board nearer again.
    EXPECT_EQ(lines[i]["length"].get<std::size_t>(), optimal[i] + 2 * lines[i]["mistakes"].size());
  }
}

TEST(Analyse, SaysInWhichMetricItCountsRowsOfTheOther) {
  const TemporaryFolder folder;
  const std::string rows = folder.path() / "rows.jsonl";
  const std::string csv = folder.path() / "rows.csv";
  ASSERT_EQ(
      tessera({"solve", "8 6 7/2 5 4/3 0 1", "--metric", "multi", "--json", rows, "--csv", csv})
          .code,
      0);
  for (const std::string& file : {rows, csv}) {
    const Finished single = tessera({"analyse", "--file", file});
    EXPECT_EQ(complaints(single.err), (std::vector<std::string>{})) << single.err;
    EXPECT_NE(single.err.find("note: solutions in metric multi are counted in metric single; "
                              "--metric multi counts them as their rows do\n"),
              std::string::npos)
        << single.err;
    const Finished multi = tessera({"analyse", "--file", file, "--metric", "multi"});
    EXPECT_EQ(multi.err.find("note: solutions"), std::string::npos) << multi.err;
    EXPECT_EQ(multi.out, "1: 20 moves, 20 optimal, 0 more than optimal, 0 mistakes\n");
  }
}

// A line of --stream that is no board has a row without board.
TEST(Analyse, SkipsRowsWithoutBoard) {
  const TemporaryFile boards("1 2 3 4 0 6 7 5 8\n1 2 3 4 5 5 7 8 0\n");
  const Finished solved = tessera({"solve", "--file", boards.path(), "--stream", "--quiet"});
  const TemporaryFile rows(solved.out);
  const Finished run = tessera({"analyse", "--file", rows.path()});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out, "1: 2 moves, 2 optimal, 0 more than optimal, 0 mistakes\n");
  EXPECT_NE(run.err.find("note: skipped, as they have no moves: 2\n"), std::string::npos);
}

TEST(Analyse, ReadsAColumnOfMovesInACsv) {
  const TemporaryFile games(
      "# from a spreadsheet\n"
      "ID;Board;Comment;Moves\n"
      "mine;1 2 3 4 0 6 7 5 8;too long;R L U L\n"
      "\n"
      "given up;1 2 3 4 0 6 7 5 8;;\n"
      ";1 2 3 4 0 6 7 5 8;;\n"
      ";\"1 2 3/4 0 6/7 5 8\";\"\";u1 l1\n");
  const Finished run = tessera({"analyse", "--file", games.path()});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out,
            "mine: 4 moves, 2 optimal, 2 more than optimal, 1 mistake\n"
            "  move 1 (R): 2 became 3; better UL\n"
            "4: 2 moves, 2 optimal, 0 more than optimal, 0 mistakes\n");
  EXPECT_NE(run.err.find("note: skipped, as they have no moves: given up, 3\n"), std::string::npos)
      << run.err;
  // A row of a board that is its goal.
  const TemporaryFile solved("board,status,moves\n1 2 3/4 5 6/7 8 0,solved,\n");
  EXPECT_EQ(tessera({"optimize", "--file", solved.path(), "--quiet"}).out.substr(0, 10),
            "1: 0 moves");
  // Tiles may be divided by the columns' commas.
  const TemporaryFile commas("moves,board\nUL,1,2,3,4,0,6,7,5,8\n");
  EXPECT_EQ(tessera({"optimize", "--file", commas.path(), "--quiet"}).code, 0);
  const TemporaryFolder folder;
  const std::string rows = folder.path() / "rows.csv";
  ASSERT_EQ(tessera({"solve", "--set", "haskell:1-2", "--csv", rows, "--quiet"}).code, 0);
  for (const char* mover : {"tile", "blank"})
    EXPECT_EQ(tessera({"analyse", "--file", rows, "--heuristic", "manhattan", "--quiet",
                       "--moves-of", mover})
                  .out,
              "1: 3 moves, 3 optimal, 0 more than optimal, 0 mistakes\n"
              "2: 8 moves, 8 optimal, 0 more than optimal, 0 mistakes\n");

  for (const auto& [text, expected] :
       {std::pair{"1 2 3/4 0 6/7 5 8 UL\n", ":1: expected JSON with \"board\" and \"moves\", or"},
        {"id,board\n1,1 2 3/4 0 6/7 5 8\n", ":1: expected JSON with"},
        {"board,moves\n1 2 3/4 0 6/7 5 8\n", ":2: 1 field, expected 2"},
        {"board,moves,moves\n1 2 3/4 0 6/7 5 8,UL,U\n", ":2: the header has several columns"},
        {"id,board,moves\n\"a\nb\",1 2 3/4 0 6/7 5 8,UL\nu,2 1 3/4 5 6/7 8 0,RL\n",
         ":4: board u is unsolvable"}}) {
    const TemporaryFile wrong(text);
    const Finished refused = tessera({"analyse", "--file", wrong.path()});
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find(expected), std::string::npos) << refused.err;
  }
}

TEST(Analyse, ABadGameEndsItBeforeAnyOther) {
  const TemporaryFile games("board,moves\n1 2 3/4 0 6/7 5 8,UL\n1 2 3/4 0 6/7 8 5,UL\n");
  expect_refused(tessera({"analyse", "--file", games.path()}), "board 2 is unsolvable");
}

TEST(Analyse, ALimitLeavesBrackets) {
  const std::string board =
      "1 2 3 4 5 6/7 8 9 10 11 12/13 14 15 16 17 18/19 20 21 22 23 24/25 26 27 28 29 30/"
      "35 34 33 32 31 0";
  const Finished run = tessera({"analyse", board, "--moves", "RLRL", "--node-limit", "1000",
                                "--heuristic", "manhattan", "--json", "-", "--quiet"});
  EXPECT_EQ(run.code, 4);
  const auto row = json_lines(run.out).at(0);
  EXPECT_TRUE(row["optimal_length"].is_null());
  EXPECT_GT(row["brackets"][0][0], 0);
}

TEST(Analyse, ALimitEndsTheBuildingOfTables) {
  const TemporaryFolder tables;
  const Finished run =
      tessera({"analyse", "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", "--goal", "first", "--moves",
               "R", "--heuristic", "pdb:6-6-3", "--pdb-dir", tables.text(), "--time-limit", "1ms"});
  EXPECT_EQ(run.code, 4);
  EXPECT_EQ(run.err, "tessera: stopped by a limit or signal while tables were being built\n");
}

TEST(Games, BadInputIsOneLine) {
  const std::string board = "1 2 3/4 0 6/7 5 8";
  for (const auto& [arguments, expected] :
       {std::pair<std::vector<std::string>, std::string>{{board}, "--moves: missing"},
        {{board, "--moves", "RX"}, "character 2 'X'"},
        {{board, "--moves", "LLL"}, "move 2"},
        {{"--moves", "L"}, "expected one of BOARD"},
        {{"1 2 2/4 0 6/7 5 8", "--moves", "L"}, "twice"},
        {{board, "--moves", "L", "--heuristic", "manhattan,walking"}, "expected one"}}) {
    for (const std::string command : {"analyse", "optimize"}) {
      const Finished run = tessera(with({command}, arguments));
      EXPECT_EQ(run.code, 2) << run.err;
      EXPECT_EQ(complaints(run.err).size(), 1U) << run.err;
      EXPECT_NE(run.err.find(expected), std::string::npos) << run.err;
    }
  }
  const TemporaryFile row(R"({"board":"1 2 3 4 5 6 7 0 8","size":"3x3","moves":"L"})");
  for (const std::string command : {"analyse", "optimize"}) {
    const Finished run = tessera({command, "--file", row.path(), "--size", "4x4"});
    EXPECT_EQ(run.code, 2) << run.err;
    EXPECT_NE(run.err.find(":1: board is 3x3, expected 4x4"), std::string::npos) << run.err;
  }
}

TEST(Optimize, ShortensAndKeepsTheEnd) {
  const std::string start = "1 2 3 4 5/6 7 8 9 10/11 12 0 13 14/15 16 17 18 19/20 21 22 23 24";
  const std::string moves = "URDLURDLLURDLURDRRULLDRULDRULLDRUULDDR";
  const std::vector<std::string> arguments{"optimize", start, "--moves", moves,
                                           "--json",   "-",   "--quiet"};
  const Finished run = tessera(arguments);
  ASSERT_EQ(run.code, 0) << run.err;
  const auto row = json_lines(run.out).at(0);
  EXPECT_EQ(row["length_before"], moves.size());
  EXPECT_LT(row["length"], moves.size());
  const Board board = parse_board(start, {});
  EXPECT_EQ(replayed(board, row["moves"].get<std::string>()), replayed(board, moves));
}

TEST(Games, CommentsOfACsvAreNoMoves) {
  const TemporaryFile rows(
      "id,board,moves # of a \"game\na,1 2 3/4 0 6/7 5 8,UL # one \" alone\n"
      "b,1 2 3/4 0 6/7 5 8,\"U # two\"\nc,1 2 3/4 0 6/7 5 8,UL\n");
  EXPECT_EQ(tessera({"solve", "--file", rows.path(), "--quiet"}).out,
            "a: 2 moves, optimal, verified: UL\nb: 2 moves, optimal, verified: UL\n"
            "c: 2 moves, optimal, verified: UL\n");
  const Finished verified = tessera({"verify", rows.path()});
  EXPECT_EQ(verified.out, "3 results checked, 1 wrong, 0 unanswered\n");
  EXPECT_NE(verified.err.find(":3: board b has a move"), std::string::npos) << verified.err;
}

TEST(Games, TabsMaySeparateEmptyFields) {
  const TemporaryFile rows(
      "id\tboard\tmoves\na\t1 2 3/4 0 6/7 5 8\tUL\n\t1 2 3/4 0 6/7 5 8\tUL\t# c\n\t\t\n"
      "c\t1 2 3/4 0 6/7 5 8\t\n");
  EXPECT_EQ(tessera({"solve", "--file", rows.path(), "--quiet"}).out,
            "a: 2 moves, optimal, verified: UL\n2: 2 moves, optimal, verified: UL\n"
            "c: 2 moves, optimal, verified: UL\n");
  EXPECT_EQ(tessera({"verify", rows.path()}).out, "3 results checked, 0 wrong, 1 unanswered\n");
  const Finished analysed = tessera({"analyse", "--file", rows.path(), "--quiet"});
  EXPECT_EQ(analysed.out,
            "a: 2 moves, 2 optimal, 0 more than optimal, 0 mistakes\n"
            "2: 2 moves, 2 optimal, 0 more than optimal, 0 mistakes\n");
}

TEST(Analyse, MistakesWhereDistancesAreUnknownAreALeastNumber) {
  const std::vector<std::string> game{"analyse",      "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3",
                                      "--goal",       "first",
                                      "--moves",      "DDRU",
                                      "--heuristic",  "manhattan",
                                      "--node-limit", "10",
                                      "--window",     "2"};
  const Finished run = tessera(game);
  EXPECT_EQ(run.code, 4);
  EXPECT_TRUE(std::regex_match(
      run.out,
      std::regex("1: 4 moves, (at least \\d+|\\d+ to \\d+) necessary, some left at the end, "
                 "at least 0 mistakes\n  moves lost in each 2 moves: \\? \\? \\?\n")))
      << run.out;
  const std::string row = tessera(with(game, {"--csv", "-", "--quiet"})).out;
  EXPECT_NE(row.find(",DDRU,4,,false,,manhattan,"), std::string::npos) << row;
}

TEST(Games, AreWrittenAsCsvThatIsReadAgain) {
  const TemporaryFile games(
      "id,board,status,moves\n\"a, b\",\"1 2 3\n4 0 6\n7 5 8\",,RLUL\n2,1 2 3/4 0 6/7 5 8,,UL\n"
      "none,1 2 3/4 5 6/7 8 0,solved,\n");
  const auto csv = [&](const std::string& command) {
    return tessera({command, "--file", games.path(), "--csv", "-", "--quiet"}).out;
  };
  const std::string analysed = csv("analyse");
  EXPECT_TRUE(analysed.starts_with(
      "id,size,goal,metric,board,moves,length,optimal_length,solves,mistakes,heuristic,seconds,"
      "version\n\"a, b\",3x3,last,single,1 2 3 4 0 6 7 5 8,RLUL,4,2,true,1,"))
      << analysed;
  const std::string shortened = csv("optimize");
  EXPECT_TRUE(shortened.starts_with(
      "id,size,goal,metric,board,length_before,length,moves,lengths_single,lengths_multi,optimal,"
      "solves,window,status,seconds,version\n"
      "\"a, b\",3x3,last,single,1 2 3 4 0 6 7 5 8,4,2,UL,2,2,true,true,"))
      << shortened;
  for (const std::string& rows : {analysed, shortened}) {
    const TemporaryFile again(rows);
    const Finished run = tessera({"optimize", "--file", again.path()});
    EXPECT_EQ(run.code, 0);
    EXPECT_EQ(run.err.find("skipped"), std::string::npos) << run.err;
    EXPECT_NE(run.out.find("none: 0 moves instead of 0"), std::string::npos) << run.out;
  }
}

// Moves of a person, for whom 5x5 is no harder than 4x4.
TEST(Optimize, DividesTheTimeAmongAllGames) {
  const std::string row =
      "1 13 2 17 24/20 11 7 14 6/8 4 9 21 15/10 23 12 5 18/19 16 3 0 22,"
      "D3 R2 D L U4 L D2 R U L D2 R U L D2 R U2 R U L U L D2 R U L D R D L U2 L D3 R U2 "
      "L D2 R U2 R D L U R2 D L U R2 D L4 U R D R U L U R2 D L U R2 D L U R U L2 D R2 U "
      "L D3 L2 U R2 D L U3 L D2 R U L D2 R U2 R D L U L D R U L U L D3 R U2 L D2 R U2 R "
      "U R D L D R U2 L2 D2 R U2 R D L2 U R2 D L U L D2 R U2 L2 D R D L U R U L D R D L "
      "U2 R D R U L2"
      "\n";
  const TemporaryFile games("board,moves\n" + row + row);
  const Finished run = tessera(
      {"optimize", "--file", games.path(), "--time-limit", "10s", "--json", "-", "--quiet"});
  const auto rows = json_lines(run.out);
  ASSERT_EQ(rows.size(), 2U);
  for (const auto& game : rows) EXPECT_LT(game["length"], game["length_before"]);
}

TEST(Analyse, CountsTheGamesWhoseOptimumIsNotKnown) {
  const TemporaryFile games(
      "board,moves\n1 2 3/4 0 6/7 5 8,R\n1 2 3/4 0 6/7 5 8,UL\n1 2 3/4 0 6/7 5 8,UL\n");
  const auto last_line = [&](const std::vector<std::string>& more) {
    return tessera(with({"analyse", "--file", games.path(), "--heuristic", "zero"}, more)).err;
  };
  EXPECT_EQ(last_line({}), "3 games: optimal: 2 unfinished: 1\n");
  EXPECT_EQ(last_line({"--node-limit", "1"}), "3 games: unknown: 2 unfinished: 1\n");
}

TEST(Optimize, AnUnsuitableHeuristicOfALaterGameEndsItBeforeAnyOther) {
  const TemporaryFile games(
      "board,moves\n1 2 3/4 0 6/7 5 8,UL\n1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15,L\n");
  const Finished run =
      tessera({"optimize", "--file", games.path(), "--heuristic", "pdb:4-4", "--json", "-"});
  EXPECT_EQ(run.out, "");
  expect_refused(run, games.path() + ":3: ");
}

TEST(Optimize, SaysThatTheGoalIsNotReached) {
  const auto remarks = [](const std::string& moves) {
    return tessera({"optimize", "1 2 3/4 0 6/7 5 8", "--moves", moves}).err;
  };
  EXPECT_NE(remarks("RL").find("do not lead to the goal (last)"), std::string::npos);
  EXPECT_EQ(remarks("UL").find("do not lead"), std::string::npos);
}

TEST(Optimize, LimitsEachBoard) {
  const std::string generated =
      tessera({"generate", "8x8", "--count", "2", "--format", "json"}).out;
  const TemporaryFile boards(generated);
  const TemporaryFile rows("");
  tessera({"solve", "--file", boards.path(), "--engine", "greedy", "--json", rows.path()});
  const Finished run = tessera(
      {"optimize", "--file", rows.path(), "--board-time-limit", "10ms", "--json", "-", "--quiet"});
  EXPECT_EQ(run.code, 4);
  const auto shortened = json_lines(run.out);
  ASSERT_EQ(shortened.size(), 2U);
  for (const auto& row : shortened) EXPECT_EQ(row["status"], "limit");
}

TEST(Optimize, ReadsOnlyWhatItNeedsOfARow) {
  const std::string nested = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  const TemporaryFile rows(R"({"board":[1,2,3,4,0,5,7,8,6],"moves":"LR","more":)" + nested + "}\n");
  EXPECT_EQ(tessera({"optimize", "--file", rows.path()}).code, 0);
  const TemporaryFile moves(R"({"board":[1,2,3,4,0,5,7,8,6],"moves":)" + nested + "}\n");
  expect_refused(tessera({"optimize", "--file", moves.path()}), "\"moves\" is array");
}

TEST(Analyse, MemoryIsChecked) {
  const TemporaryFolder tables;
  const Finished run =
      tessera({"analyse", "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", "--goal", "first", "--moves",
               "R", "--heuristic", "pdb:7-8", "--memory", "1MiB", "--pdb-dir", tables.text()});
  EXPECT_EQ(run.code, 5) << run.err;
  EXPECT_TRUE(std::filesystem::is_empty(tables.text()));
}

TEST(Optimize, InMetricMultiItBuildsNoTables) {
  const TemporaryFolder tables;
  const Finished run = tessera({"optimize", "1 2 3/4 0 6/7 5 8", "--moves", "RLURDL", "--metric",
                                "multi", "--json", "-", "--quiet"},
                               {.environment = {{"TESSERA_PDB_DIR", tables.text()}}});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(std::filesystem::is_empty(tables.text()));
}

}  // namespace
}  // namespace tessera::cli
