// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <boost/algorithm/string/replace.hpp>
#include <cstdint>
#include <limits>

#include "program.hpp"

namespace tessera::cli {
namespace {

TEST(Generate, SolveReadsEveryFormatAndGoal) {
  for (const char* const size : {"3x3", "3x2", "2x4"}) {
    std::string answers;
    for (const char* const format : {"lines", "slash", "blocks", "grid", "csv", "json"}) {
      Running::Options options;
      options.input =
          tessera({"generate", size, "--count", "3", "--format", format, "--goal", "spiral"}).out;
      const Finished solved = tessera({"solve", "--file", "-", "--quiet"}, options);
      EXPECT_EQ(solved.code, 0) << solved.err;
      EXPECT_EQ(solved.out.find("unsolvable"), std::string::npos);
      if (answers.empty()) answers = solved.out;
      EXPECT_EQ(solved.out, answers) << format;
    }
  }
}

TEST(Generate, ARandomSeedIsPrinted) {
  const Finished drawn = tessera({"generate", "4x4", "--seed", "random"});
  ASSERT_TRUE(drawn.err.starts_with("# seed ")) << drawn.err;
  const std::string seed = drawn.err.substr(7, drawn.err.find('\n') - 7);
  EXPECT_EQ(tessera({"generate", "--size", "4", "--seed", seed}).out, drawn.out);
  EXPECT_EQ(tessera({"generate", "4x4", "--size", "3x3"}).code, 2);
}

TEST(Help, EveryCommandHasExamples) {
  const Finished general = tessera({"--help"});
  EXPECT_EQ(general.code, 0);
  for (const char* command : {"solve", "generate", "verify", "info"}) {
    EXPECT_NE(general.out.find(command), std::string::npos);
    const Finished run = tessera({command, "--help"});
    EXPECT_EQ(run.code, 0);
    EXPECT_EQ(run.err, "");
    EXPECT_NE(run.out.find("Examples:\n  "), std::string::npos) << command;
    EXPECT_NE(run.out.find(std::string("tessera ") + command), std::string::npos) << command;
  }
}

TEST(Help, ListsOptionsInGroupsAndExpertOnesOnDemand) {
  const std::string brief = tessera({"solve", "--help"}).out;
  const std::string all = tessera({"solve", "--help-all"}).out;
  std::size_t before = 0;
  for (const char* group : {"Boards:", "Search:", "Parallel:", "Limits:", "Output:", "Expert:"}) {
    const std::size_t at = all.find(std::string("\n") + group);
    ASSERT_NE(at, std::string::npos) << group;
    EXPECT_GT(at, before) << group;
    before = at;
    EXPECT_EQ(brief.find(group) != std::string::npos, group != std::string("Expert:")) << group;
  }
  EXPECT_GT(all.find("--split-depth"), before);
  EXPECT_EQ(brief.find("--split-depth"), std::string::npos);
  EXPECT_EQ(tessera({"help", "solve"}).out, brief);
}

TEST(Help, IsPrintedWithoutACommand) {
  const Finished run = tessera({});
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.out, tessera({"--help"}).out);
  EXPECT_EQ(run.err, "");
}

TEST(Options, LettersValuesAndWords) {
  const Finished named =
      tessera({"generate", "--size=2x2", "--count", "3", "--seed", "4", "--quiet"});
  EXPECT_EQ(named.code, 0);
  for (const std::vector<std::string>& same :
       {std::vector<std::string>{"generate", "2x2", "-qn3", "--seed=4"},
        {"generate", "-q", "-n=3", "--count", "2", "-n", "3", "--seed", "4", "--", "2x2"}}) {
    EXPECT_EQ(tessera(same).out, named.out) << same[1];
  }
  EXPECT_EQ(tessera({"solve", "--quiet", "--", "1", "2", "3", "0"}).code, 0);
  expect_refused(tessera({"solve", "-z"}), "option '-z' is unknown");
  expect_refused(tessera({"solve", "--no-threads"}), "did you mean --threads?");
  expect_refused(tessera({"solve", "-t", "--quiet"}), "-t: no value, expected N");
  expect_refused(tessera({"info", "--", "-q"}), "too many arguments, expected tessera info");
}

TEST(Options, AFlagIsSwitchedOffOverAConfigurationFile) {
  const TemporaryFile file("[solve]\nquiet = true\nall = true\n");
  for (const char* off : {"--no-all", "--all=false"}) {
    const Finished run =
        tessera({"solve", "--set", "haskell:3", "--config", file.path(), off, "--json", "-"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_FALSE(json_lines(run.out).at(0).contains("solutions")) << off;
  }
  const Finished loud =
      tessera({"solve", "--set", "haskell:3", "--config", file.path(), "--no-quiet"});
  EXPECT_NE(loud.err.find("backend"), std::string::npos);
  EXPECT_EQ(tessera({"solve", "--no-threads"}).code, 2);
}

TEST(Options, TheLastOfOppositeFlagsWins) {
  const auto is_quiet = [](const std::vector<std::string>& flags) {
    std::vector<std::string> command{"solve", "--set", "haskell:3", "--heuristic", "manhattan"};
    command.insert(command.end(), flags.begin(), flags.end());
    const Finished run = tessera(command);
    EXPECT_EQ(run.code, 0) << run.err;
    return run.err.empty();
  };
  EXPECT_TRUE(is_quiet({"--no-quiet", "--quiet"}));
  EXPECT_FALSE(is_quiet({"--quiet", "--no-quiet"}));
  EXPECT_TRUE(is_quiet({"--quiet=false", "--quiet"}));
  EXPECT_FALSE(is_quiet({"--quiet", "--quiet=false"}));
  EXPECT_TRUE(is_quiet({"--quiet", "--no-quiet", "--quiet"}));
  EXPECT_TRUE(is_quiet({"--quiet", "--quiet"}));
}

TEST(Options, AMisspelledVariableIsAWarning) {
  Running::Options options;
  options.environment["TESSERA_THREDS"] = "1";
  options.environment["TESSERA_ROOT"] = "/opt/tessera";
  const Finished run = tessera({"solve", "--set", "haskell:3"}, options);
  EXPECT_EQ(run.code, 0);
  EXPECT_TRUE(run.err.starts_with(
      "warning: TESSERA_THREDS sets no option, did you mean TESSERA_THREADS?\n"))
      << run.err;
  EXPECT_EQ(run.err.find("TESSERA_ROOT"), std::string::npos);
  EXPECT_EQ(tessera({"solve", "--set", "haskell:3", "--quiet"}, options).err, "");
}

TEST(Options, AliasesMeanTheSame) {
  EXPECT_EQ(tessera({"census", "3x3", "--dry-run", "--quiet"}).code, 0);
  const auto compared =
      json_lines(tessera({"compare", "--set", "haskell:1", "--heuristics", "manhattan", "--repeat",
                          "1", "--backends", "threads", "--workers", "2", "--threads-per-rank", "2",
                          "--quiet", "--json", "-"})
                     .out);
  EXPECT_EQ(compared.size(), 1U);
}

TEST(Help, VersionNamesRevisionCompilerAndMpi) {
  const Finished run = tessera({"--version"});
  EXPECT_EQ(run.code, 0);
  EXPECT_TRUE(run.out.starts_with("tessera 0."));
  EXPECT_NE(run.out.find("revision"), std::string::npos);
  EXPECT_NE(run.out.find("MPI"), std::string::npos);
}

TEST(ManPages, NeedAFolder) {
  const TemporaryFile file("");
  for (const std::string& folder : {file.path(), file.path() + "/pages"}) {
    expect_refused(tessera({"--man-pages", folder, "2026-01-01"}), folder + ": cannot be written");
  }
}

TEST(Info, TellsMachineLayoutAndChoice) {
  const Finished run = tessera({"info"});
  EXPECT_EQ(run.code, 0);
  for (const char* part :
       {"CPU", "memory", "1 rank on 1 host", "may use", "heuristic pdb:", "table cache"}) {
    EXPECT_NE(run.out.find(part), std::string::npos) << part;
  }
  const Finished list = tessera({"info", "--heuristics"});
  for (const char* name : {"zero", "misplaced", "manhattan", "linear-conflict", "inversion",
                           "walking", "escapes", "pairwise", "fringe", "lines", "pdb:PARTITION",
                           "max(A,B,...)", "519 MB", "sides up to 8"}) {
    EXPECT_NE(list.out.find(name), std::string::npos);
  }
}

TEST(Info, WritesJsonOfTheSame) {
  const auto info = json_lines(tessera({"info", "--threads", "3", "--quiet", "--json", "-"}).out);
  ASSERT_EQ(info.size(), 1U);
  EXPECT_EQ(info[0]["schema"], "tessera.info/1");
  ASSERT_EQ(info[0]["ranks"].size(), 1U);
  EXPECT_EQ(info[0]["ranks"][0]["threads"], 3);
  EXPECT_EQ(info[0]["auto"]["backend"], "threads");
  EXPECT_GT(info[0]["memory"]["free_bytes"], 0);
  // The same heuristics as the text.
  std::istringstream rows(tessera({"info", "--heuristics"}).out);
  std::string row;
  std::getline(rows, row);
  for (const auto& heuristic : info[0]["heuristics"]) {
    std::getline(rows, row);
    EXPECT_TRUE(row.starts_with(heuristic["name"].get<std::string>() + " ")) << row;
  }
  EXPECT_FALSE(std::getline(rows, row)) << row;
}

TEST(Generate, ASeedGivesTheSameBoards) {
  const auto boards = [](const char* seed) {
    return tessera({"generate", "--size", "4x4", "--count", "5", "--seed", seed}).out;
  };
  EXPECT_EQ(boards("7"), boards("7"));
  EXPECT_NE(boards("7"), boards("8"));
  EXPECT_TRUE(boards("7").starts_with("1: 14 6 4 2 5 11 13 1 3 12 15 10 8 0 9 7\n"));
}

TEST(Generate, EveryBoardCanBeSolved) {
  for (const char* goal : {"first", "last", "8 7 6 5 4 3 2 1 0"}) {
    const Finished boards = tessera({"generate", "--size", "3x3", "--count", "50", "--goal", goal});
    Running::Options options;
    options.input = boards.out;
    const Finished run =
        tessera({"solve", "--file", "-", "--goal", goal, "--quiet", "--json", "-"}, options);
    EXPECT_EQ(run.code, 0);
    const auto rows = json_lines(run.out);
    EXPECT_EQ(rows.size(), 50U);
    for (const auto& row : rows) EXPECT_EQ(row["status"], "solved");
  }
}

TEST(Verify, BelievesWhatReplays) {
  const TemporaryFile results("");
  ASSERT_EQ(tessera({"solve", "--set", "haskell", "--json", results.path()}).code, 0);
  const Finished run = tessera({"verify", results.path()});
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.out, "8 results checked, 0 wrong, 0 unanswered\n");
  EXPECT_EQ(tessera({"verify", results.path(), "--quiet"}).out, "");
  const TemporaryFile one(tessera({"solve", "1 2 0 3", "--quiet", "--json", "-"}).out);
  EXPECT_EQ(tessera({"verify", one.path()}).out, "1 result checked, 0 wrong, 0 unanswered\n");
  // A result file is a board file, too.
  EXPECT_EQ(tessera({"solve", "--file", results.path(), "--quiet"}).code, 0);
}

// As other programs and people write rows.
TEST(Verify, ReadsBoardsAndMovesInAnyForm) {
  auto row =
      json_lines(tessera({"solve", "1 2 3 4 0 6 7 5 8", "--quiet", "--json", "-"}).out).at(0);
  ASSERT_EQ(row["moves"], "UL");
  for (const nlohmann::json& board :
       {nlohmann::json("1 2 3/4 0 6/7 5 8"), nlohmann::json("[[1, 2, 3], [4, 0, 6], [7, 5, 8]]"),
        nlohmann::json("1234_6758"), nlohmann::json("1,2,3,4,,6,7,5,8"),
        nlohmann::json::parse("[[1,2,3],[4,null,6],[7,5,8]]")}) {
    row["board"] = board;
    for (const char* moves : {"UL", "ul", "U L", "U1L1", " u1 L "}) {
      row["moves"] = moves;
      const TemporaryFile file(row.dump() + "\n");
      const Finished run = tessera({"verify", file.path()});
      EXPECT_EQ(run.out, "1 result checked, 0 wrong, 0 unanswered\n") << row << run.err;
      const Finished page = tessera({"report", file.path(), "-o", "-"});
      EXPECT_EQ(page.code, 0) << page.err;
      EXPECT_NE(page.out.find("\"UL\""), std::string::npos) << row;
    }
  }
}

TEST(Verify, ReadsACsv) {
  const TemporaryFile results("");
  const std::vector<std::string> solve{"solve", "--set", "haskell:1-3", "--csv", results.path()};
  ASSERT_EQ(tessera(solve).code, 0);
  EXPECT_EQ(tessera({"verify", results.path()}).out, "3 results checked, 0 wrong, 0 unanswered\n");
  // As pandas writes it, with a column for rows without a length; and of other programs.
  const TemporaryFile other(
      "\xef\xbb\xbfid,board,length,optimal,status,moves\r\n"
      "a,1 2 3/4 0 6/7 5 8,2.0,True,solved,ul\r\n"
      "b,1 2 3/4 0 6/7 5 8,,False,limit,\r\n"
      "c,1 2 3/4 0 6/7 5 8,4.0,True,solved,UL\r\n"
      ",1 2 3/4 0 6/7 5 8,,,,UR\r\n"
      ",1 2 3/4 0 6/7 5 8,,,,U1 L\r\n");
  const Finished run = tessera({"verify", other.path()});
  EXPECT_EQ(run.out, "5 results checked, 2 wrong, 1 unanswered\n");
  EXPECT_NE(run.err.find(":4: board c has 2 moves, the file says 4\n"), std::string::npos);
  EXPECT_NE(run.err.find(":5: board 4 does not end at its goal\n"), std::string::npos) << run.err;
}

TEST(Verify, ReplaysWhatOptimizeWrites) {
  const TemporaryFile games(
      "board,status,moves\n1 2 3/4 0 6/7 5 8,,RLUL\n1 2 3/4 5 6/7 8 0,solved,\n");
  const std::string rows =
      tessera({"optimize", "--file", games.path(), "--csv", "-", "--quiet"}).out;
  ASSERT_NE(rows.find(",finished,"), std::string::npos);
  const auto verified = [](std::string text, const std::string& from, const std::string& to) {
    boost::algorithm::replace_all(text, from, to);
    const TemporaryFile file(text);
    return tessera({"verify", file.path()});
  };
  EXPECT_EQ(verified(rows, "", "").out, "2 results checked, 0 wrong, 0 unanswered\n");
  EXPECT_EQ(verified(rows, ",UL,", ",LU,").out, "2 results checked, 1 wrong, 0 unanswered\n");
  // Stopped: what it had then.
  const std::string stopped =
      boost::algorithm::replace_all_copy(rows, ",true,true,", ",false,true,");
  for (const std::string status : {",limit,", ",interrupted,"}) {
    EXPECT_EQ(verified(stopped, ",finished,", status).out,
              "2 results checked, 0 wrong, 2 unanswered\n");
  }
}

TEST(Verify, ExpectsEveryTileAlsoInOtherForms) {
  for (const nlohmann::json& board :
       {nlohmann::json("1 2 3/4 0 6/7 5 5"), nlohmann::json::parse("[1,2,3,4,0,6,7,5]"),
        nlohmann::json("1 2 3 4/5 6 7 0"), nlohmann::json::parse("[[1,2,3],[4,5,6],[7,8]]"),
        nlohmann::json::parse("[1,2,3,4,6,7,5,8]")}) {
    auto row =
        json_lines(tessera({"solve", "1 2 3 4 0 6 7 5 8", "--quiet", "--json", "-"}).out).at(0);
    row["board"] = board;
    const TemporaryFile file(row.dump() + "\n");
    for (const char* command : {"verify", "report"}) {
      std::vector<std::string> arguments{command, file.path()};
      if (arguments[0] == "report") arguments.insert(arguments.end(), {"-o", "-"});
      expect_refused(tessera(arguments), file.path() + ":1: ");
    }
  }
}

void expect_lie(const nlohmann::json& row, const std::string& expected) {
  const TemporaryFile file(row.dump() + "\n");
  const Finished run = tessera({"verify", file.path()});
  EXPECT_EQ(run.code, 1) << expected;
  ASSERT_EQ(complaints(run.err).size(), 1U);
  EXPECT_NE(run.err.find(expected), std::string::npos) << run.err;
  EXPECT_NE(run.err.find(file.path() + ":1: "), std::string::npos) << run.err;
}

TEST(Verify, ReplaysTheRowsOfOptimize) {
  const TemporaryFile games(
      "board,moves\n1 2 3/4 0 6/7 5 8,RLUL\n1 2 3/4 0 6/7 5 8,RLU\n1 2 3/4 0 6/8 5 7,RL\n");
  const auto rows =
      json_lines(tessera({"optimize", "--file", games.path(), "--json", "-", "--quiet"}).out);
  ASSERT_EQ(rows.size(), 3U);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i]["solves"], i == 0);
    const TemporaryFile file(rows[i].dump() + "\n");
    const Finished run = tessera({"verify", file.path()});
    EXPECT_EQ(run.out, "1 result checked, 0 wrong, 0 unanswered\n") << run.err;
    EXPECT_EQ(run.err, "1 result of optimize: also compared with the length before\n");
  }
  for (nlohmann::json older : {rows[0], rows[1]}) {
    older.erase("solves");
    const TemporaryFile file(older.dump() + "\n");
    EXPECT_EQ(tessera({"verify", file.path()}).out, "1 result checked, 0 wrong, 0 unanswered\n");
  }
  const std::vector<std::pair<nlohmann::json, std::string>> lies{
      {{{"moves", "LU"}}, "does not end at its goal"},
      {{{"length", 3}}, "has 2 moves, the file says 3"},
      {{{"length_before", 1}}, "has 2 moves, more than the 1 before"},
      {{{"solves", false}}, "ends at its goal, the file says that it does not"},
      {{{"status", "limit"}}, "has 2 moves, the file says optimal and limit"}};
  for (const auto& [lie, expected] : lies) {
    nlohmann::json row = rows[0];
    row.update(lie);
    expect_lie(row, expected);
  }
}

TEST(Verify, FindsEveryLie) {
  const Finished solved = tessera({"solve", "--set", "haskell:3", "--quiet", "--json", "-"});
  const Finished unsolvable = tessera({"solve", "2 1 3 0", "--quiet", "--json", "-"});
  auto row = json_lines(solved.out).at(0);
  row["length"] = 14;
  expect_lie(row, "has 16 moves, the file says 14");
  row = json_lines(solved.out).at(0);
  row["moves"] = row["moves"].get<std::string>().substr(1);
  expect_lie(row, "");
  row["moves"] = "Q";
  expect_lie(row, "not a letter");
  row["moves"] = nullptr;
  expect_lie(row, "has no moves");
  row = json_lines(solved.out).at(0);
  row["goal"] = "first";
  expect_lie(row, "does not end at its goal");
  row = json_lines(solved.out).at(0);
  row["lower_bound"] = 99;
  expect_lie(row, "has 16 moves, the file says at least 99");
  row["lower_bound"] = 14;
  expect_lie(row, "has 16 moves, the file says optimal and at least 14");
  row["lower_bound"] = -7;
  expect_lie(row, "the file says at least -7");
  row["lower_bound"] = 16;
  row["upper_bound"] = 18;
  expect_lie(row, "has 16 moves, the file says at most 18");
  row["upper_bound"] = nullptr;
  expect_lie(row, "has 16 moves, the file has no upper bound");
  row["upper_bound"] = 16;
  row["verified"] = false;
  expect_lie(row, "has 16 moves, the file says not verified");
  row["verified"] = true;
  row["lower_bound"] = nullptr;
  expect_lie(row, "has 16 moves, optimal, the file has no lower bound");
  row = json_lines(solved.out).at(0);
  row["lower_bound"] = 15.5;
  expect_lie(row, "has \"lower_bound\" '15.5', expected a whole number or null");
  row["lower_bound"] = 16;
  row["length"] = "16";
  expect_lie(row, R"(has "length" '"16"', expected a whole number)");
  row["length"] = 16;
  row["optimal"] = "yes";
  expect_lie(row, R"(has "optimal" '"yes"', expected true, false or null)");
  row = json_lines(solved.out).at(0);
  row["optimal"] = false;
  expect_lie(row, "has 16 moves, the file says not optimal and at least 16");
  row["optimal"] = true;
  row["status"] = "limit";
  expect_lie(row, "has 16 moves, the file says optimal and limit");
  row["status"] = "solved";
  row["solvable"] = false;
  expect_lie(row, "is solvable, the file says unsolvable");
  row["solvable"] = "no";
  expect_lie(row, R"(has "solvable" '"no"', expected true, false or null)");
  row = json_lines(unsolvable.out).at(0);
  row["lower_bound"] = 3;
  expect_lie(row, "is unsolvable, the file has bounds");
  row["lower_bound"] = nullptr;
  row["optimal"] = true;
  expect_lie(row, "is unsolvable, the file says optimal");
  row["optimal"] = false;
  row["verified"] = true;
  expect_lie(row, "is unsolvable, the file says verified");
  row["verified"] = false;
  row["length"] = 3;
  expect_lie(row, "is unsolvable, the file has moves");
  row["status"] = "limit";
  row["length"] = nullptr;
  expect_lie(row, "is unsolvable, the file says solvable");
  row["status"] = "unsolvable";
  row["board"] = {1, 2, 3, 0};
  expect_lie(row, "is solvable, the file says unsolvable");
  row["status"] = "limit";
  row["solvable"] = true;
  row["verified"] = true;
  expect_lie(row, "has no moves, the file says verified");
  row["verified"] = false;
  row["upper_bound"] = 8;
  expect_lie(row, "has no moves, the file says at most 8");
  row["length"] = 8;
  expect_lie(row, "has no moves, the file says 8");
  row["upper_bound"] = row["length"] = nullptr;
  row["optimal"] = true;
  expect_lie(row, "has no moves, the file says optimal");
}

TEST(Verify, FindsBoundsThatContradictTheAnswer) {
  const std::vector<std::string> board{"solve",       "--set",     "korf100:12", "--quiet",
                                       "--heuristic", "manhattan", "--threads",  "1",
                                       "--json",      "-"};
  const auto whole = json_lines(tessera(board).out).at(0);  // 45 moves
  auto row = whole;
  row["nodes"]["expanded"] = 5;
  expect_lie(row, "nodes expanded in its bounds, the file says 5 in all");
  row = whole;
  row["iterations"][0]["generated"] = 1'000'000'000;
  expect_lie(row, "nodes generated in its bounds, the file says");
  row = whole;
  row["iterations"] = nlohmann::json::array();
  expect_lie(row, "has 0 nodes expanded in its bounds, the file says");
  row.erase("iterations");
  EXPECT_EQ(tessera({"verify", TemporaryFile(row.dump()).path()}).code, 0);
  row = whole;
  row["iterations"][0]["expanded"] = -1;
  expect_lie(row, "has a negative number of nodes");
  row = whole;
  row["iterations"].back()["complete"] = false;
  expect_lie(row, "is solved, but bound 45 is not complete");
  row = whole;
  row["iterations"][0]["complete"] = false;
  expect_lie(row, "has bounds after 35, which is not complete");
  row = whole;
  row["iterations"][1]["bound"] = 35;
  expect_lie(row, "has bound 35 after 35");
  row = whole;
  row["iterations"].back()["bound"] = 47;
  expect_lie(row, "has 45 moves, the file has a bound of 47");
  // Their sum exceeds 64 bits.
  row = whole;
  for (auto& iteration : row["iterations"]) {
    iteration["expanded"] = std::numeric_limits<std::int64_t>::max();
  }
  expect_lie(row, "nodes expanded in its bounds, the file says");

  std::vector<std::string> limited = board;
  limited.insert(limited.end(), {"--node-limit", "20000"});
  row = json_lines(tessera(limited).out).at(0);
  ASSERT_EQ(row["status"], "limit");
  row["iterations"].back()["complete"] = true;
  expect_lie(row, "has no solution within");
  row = json_lines(tessera(limited).out).at(0);
  row["lower_bound"] = row["lower_bound"].get<int>() - 2;
  expect_lie(row, "has no solution within");
  row["lower_bound"] = 1000;
  expect_lie(row, "the file says at least 1000");
  row["lower_bound"] = nullptr;
  expect_lie(row, "has searched bounds, the file has no lower bound");
}

TEST(Verify, RefusesWhatIsNoResult) {
  for (const char* content : {"", "1 2 3 0\n", "{}\n", "{\"schema\":\"tessera.result/1\"}\n"}) {
    const TemporaryFile file(content);
    const Finished run = tessera({"verify", file.path()});
    EXPECT_EQ(run.code, 2) << content;
    EXPECT_EQ(complaints(run.err).size(), 1U);
  }
}

}  // namespace
}  // namespace tessera::cli
