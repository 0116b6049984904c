// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <cstdint>
#include <limits>

#include "program.hpp"

namespace tessera::cli {
namespace {

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
      "# a \"comment\r\n"
      ",\"1 2 3\r\n4 0 6\r\n7 5 8\",,,,UR\r\n"
      ",1 2 3/4 0 6/7 5 8,,,,U1 L\r\n");
  const Finished run = tessera({"verify", other.path()});
  EXPECT_EQ(run.out, "5 results checked, 2 wrong, 1 unanswered\n");
  EXPECT_NE(run.err.find(":4: board c has 2 moves, the file says 4\n"), std::string::npos);
  EXPECT_NE(run.err.find(":6: board 4 does not end at its goal\n"), std::string::npos) << run.err;
}

TEST(Verify, ARowOfACsvWithoutStatusClaimsNothingAboutTheGoal) {
  const TemporaryFile rows("board,moves\n1 2 3/4 5 6/8 7 0,\n1 2 3/4 5 6/7 0 8,\n");
  const Finished run = tessera({"verify", rows.path()});
  EXPECT_EQ(run.out, "2 results checked, 0 wrong, 2 unanswered\n") << run.err;
  EXPECT_EQ(run.code, 0);
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
    expect_refused(tessera({"verify", file.path()}), file.path() + ":1: ");
    expect_refused(tessera({"report", file.path(), "-o", "-"}), file.path() + ":1: ");
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

TEST(Verify, ListsOfASolvedBoardHoldOneEmptySolution) {
  auto row =
      json_lines(
          tessera({"solve", "1 2 3 0", "--all", "--good-moves", "--quiet", "--json", "-"}).out)
          .at(0);
  EXPECT_EQ(tessera({"verify", TemporaryFile(row.dump()).path()}).code, 0);
  row["good_moves"] = {{"U", 1}};
  expect_lie(row, "other numbers of solutions");
  row["all_moves"] = nullptr;
  expect_lie(row, "other numbers of solutions");
}

TEST(Verify, SolutionsAreThoseOfTheirLists) {
  const auto whole = json_lines(tessera({"solve", "8 6 7/2 5 4/3 0 1", "--all", "--good-moves",
                                         "--quiet", "--json", "-"})
                                    .out)
                         .at(0);
  ASSERT_EQ(whole["solutions"], 40);
  const auto without = [&](std::initializer_list<const char*> keys) {
    auto row = whole;
    for (const char* key : keys) row[key] = nullptr;
    return row;
  };
  auto row = without({"good_moves"});
  row["solutions"] = 39;
  auto& list = row["all_moves"];
  list.erase(std::ranges::find(list, row["moves"]));
  expect_lie(row, "has moves that are not in its list");
  row = without({"all_moves", "good_moves"});
  row["solutions"] = 0;
  expect_lie(row, "has other numbers of solutions in its lists, the file says 0");
  for (const char* move : {"XYZ", "U", "RR", ""}) {
    row = without({"all_moves"});
    row["good_moves"] = {{move, 40}};
    expect_lie(row, fmt::format("has a good move '{}' that is none of its board", move));
  }
  row = without({"all_moves"});
  row["good_moves"] = {{whole["moves"].get<std::string>()[0] == 'R' ? "L" : "R", 40}};
  expect_lie(row, "begins with none of its good moves");
}

// An id or a comment may hold half a pair of brackets, and so may what a message quotes.
TEST(Verify, ABracketEndsNoLine) {
  Running::Options lines;
  lines.input =
      "{\"id\":\"hard (4x4\",\"board\":\"1 2 3/4 0 6/7 5 8\"}\n"
      "{\"board\":\"2 1 3/4 5 6/7 8 0\",\"heuristic\":\"max(manhatan\"}\n"
      "{\"board\":\"1 2 3/4 5 6/7 0 8\"}\n";
  const TemporaryFile rows("# two (or three\n" +
                           tessera({"solve", "--file", "-", "--stream"}, lines).out);
  EXPECT_EQ(tessera({"verify", rows.path()}).out, "3 results checked, 0 wrong, 1 unanswered\n");
  const Finished games = tessera({"analyse", "--file", rows.path()});
  EXPECT_NE(games.err.find("2 games: optimal: 2\n"), std::string::npos) << games.err;
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
  row["lengths"]["multi"] = 17;
  expect_lie(row, "moves in metric multi, the file says 17");
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
  for (const auto& wrong : {nlohmann::json(9.0), nlohmann::json("9"), nlohmann::json(0x1p65)}) {
    row = whole;
    row["nodes"]["expanded"] = wrong;
    expect_lie(row, "has \"expanded\" '" + wrong.dump() + "', expected a whole number or null");
    row = whole;
    row["iterations"][0]["generated"] = wrong;
    expect_lie(row, "has \"generated\" '");
  }
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

  const auto limited = with(board, {"--node-limit", "20000"});
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
  const TemporaryFile good(tessera({"solve", "1 2 3 0", "--quiet", "--json", "-"}).out);
  const TemporaryFile empty("\n");
  expect_refused(tessera({"verify", good.path(), empty.path()}),
                 empty.path() + ": no result in this file");
  const std::string row = good.content();
  for (const std::string& text :
       {"{\n" + row.substr(1), row.substr(0, row.size() - 2) + ",\"seconds\":1e999}",
        R"({"id":"\ud800",)" + row.substr(1)}) {
    expect_refused(tessera({"verify", TemporaryFile(text).path()}),
                   ":1: is not JSON, expected an object on each line");
  }
}

}  // namespace
}  // namespace tessera::cli
