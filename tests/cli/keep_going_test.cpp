// SPDX-License-Identifier: MIT
// Bad boards among good ones, with --keep-going.
#include <gtest/gtest.h>

#include "program.hpp"

namespace tessera::cli {
namespace {

Finished solved_except_bad(const TemporaryFile& file, std::vector<std::string> options = {}) {
  options.insert(options.begin(),
                 {"solve", "--file", file.path(), "--keep-going", "--quiet", "--json", "-"});
  Finished run = tessera(options);
  EXPECT_EQ(run.code, 2);
  return run;
}

TEST(KeepGoing, SolvesTheOtherBoards) {
  const TemporaryFile file("1 2 3 0\n1 1 1 1\n1 2 0 3\n2 3 x 0\n");
  const Finished run = solved_except_bad(file);
  const auto rows = json_lines(run.out);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[1]["id"], "3");
  EXPECT_EQ(complaints(run.err).size(), 2U);
  EXPECT_NE(run.err.find(file.path() + ":2: "), std::string::npos);
  EXPECT_NE(run.err.find(file.path() + ":4: "), std::string::npos);
}

TEST(KeepGoing, SolvesTheBoardsThatTheOptionsSuit) {
  const TemporaryFile file("1 2 3 4 5 6 7 0 8\n1 2 0 3\n1 2 3 4 5 0 7 8 6\n");
  const TemporaryFile checkpoint("");
  for (const char* resume : {"--quiet", "--resume"}) {
    const Finished run = solved_except_bad(
        file, {"--heuristic", "pdb:4-4", "--checkpoint", checkpoint.path(), resume});
    const auto rows = json_lines(run.out);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[1]["id"], "3");
    EXPECT_EQ(
        complaints(run.err),
        std::vector<std::string>{"tessera: board 2: partition 4-4 has 8 tiles, expected 3 on 2x2"});
  }
  EXPECT_EQ(complaints(tessera({"estimate", "--file", file.path(), "--keep-going", "--heuristic",
                                "pdb:4-4", "--quiet"})
                           .err)
                .size(),
            1U);
  // What suits none of them is the options' fault.
  const TemporaryFile same("1 2 3 0\n1 2 0 3\n");
  const Finished none = solved_except_bad(same, {"--heuristic", "pdb:4-4"});
  EXPECT_EQ(none.err, "tessera: partition 4-4 has 8 tiles, expected 3 on 2x2\n");
  EXPECT_EQ(none.out, "");
}

TEST(KeepGoing, ReportsEachBadBoardInEveryFormat) {
  struct Case {
    const char* text;
    std::vector<int> bad_lines;
    std::vector<std::string> ids;
  };
  for (const Case& each : {
           Case{
               "1 2 3 4 5 6 7 0 8\n1 2 3 4 5 6 7 0\n1 2 3 4 5 6 7 7 0\nx: a b c\n\ny:\n1 2 3 4 5 6 "
               "7 8 9 10 11 12 13 14 0 15\nz: 1 2 3 4 5 6 0 7 8\n",
               {2, 3, 4, 6, 7},
               {"1", "z"}},
           Case{"1 2 3\n4 5 6\n7 0 8\n\n1 2 3\n4 5 6\n7 0\n\n1 2 3\n4 4 6\n7 0 8\n\n1 2 3\n4 a "
                "b\n7 0 8\n\n1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 0 15\n\n1 2 3\n4 0 5\n7 8 6\n",
                {7, 10, 14, 17},
                {"1", "6"}},
           Case{"# a\n3\n1 2 3\n4 5 6\n7 0 8\n# b\n3\n1 2 3\n4 5 6\n7 0\n# c\n3\n1 2 3\n4 a 6\n7 0 "
                "8\n# d\n3\n# e\n3\n1 2 3\n4 0 5\n7 8 6\n",
                {10, 14, 17},
                {"1", "5"}},
           Case{"{\"id\":\"a\",\"board\":[1,2,3,4,5,6,7,0,8]}\n{\"board\":[1,2,3]}\n{\"board\":[1,"
                "2,3,4,4,6,7,0,8]}\n{\"board\":\"x\"}\n{\"id\"\nboard\n{\"board\":[]}\n{\"id\":"
                "\"b\",\"board\":[1,2,3,4,0,5,7,8,6]}\n",
                {2, 3, 4, 5, 6, 7},
                {"a", "b"}},
           Case{"id,board\na,1 2 3 4 5 6 7 0 8\nb,1 2 3\nc,\nd\ne,\"1 2 3\nf,1 2 3 4 0 5 7 8 6\n",
                {3, 4, 5, 6},
                {"a", "f"}},
       }) {
    const TemporaryFile file(each.text);
    const Finished run = solved_except_bad(file, {"--size", "3x3"});
    std::vector<std::string> ids;
    for (const auto& row : json_lines(run.out)) ids.push_back(row["id"]);
    EXPECT_EQ(ids, each.ids) << each.text;
    EXPECT_EQ(complaints(run.err).size(), each.bad_lines.size()) << run.err;
    for (const int line : each.bad_lines) {
      const std::string place = file.path() + ":" + std::to_string(line) + ": ";
      EXPECT_NE(run.err.find(place), std::string::npos) << place << run.err;
    }
  }
}

TEST(KeepGoing, TakesNoRowsOfABadGridForASmallerBoard) {
  const TemporaryFile file("1 2 3\n4 5 6\n7 0\n\n1 2 3\n4 5 6\n7 0 8\n");
  const Finished run = solved_except_bad(file);
  EXPECT_EQ(json_lines(run.out).size(), 1U);
  EXPECT_NE(run.err.find(":3: 2 tiles, expected a row of 3"), std::string::npos) << run.err;
}

TEST(KeepGoing, SolvesBoardsAfterABadHead) {
  const TemporaryFile file("# a\n2\n1 2\n0 3\n# b\nx\n1 2\n3 0\n# c\n2\n1 2\n3 0\n");
  const Finished run = solved_except_bad(file);
  EXPECT_EQ(json_lines(run.out).size(), 2U);
  ASSERT_EQ(complaints(run.err).size(), 1U) << run.err;
  EXPECT_NE(run.err.find(file.path() + ":6: 'x' is not a block header"), std::string::npos);
}

TEST(KeepGoing, FollowsAndShortensTheOtherGames) {
  const TemporaryFile file(
      "board,moves\n"
      "1 2 3/4 0 6/7 5 8,UL\n"
      "1 2 3/4 0 6/7 5 8,UX\n"
      "2 1 3/4 0 6/7 5 8,UL\n"  // unsolvable
      "1 2 3/4 0 6/7 5 8,RLUL\n");
  const Finished analysed = tessera({"analyse", "--file", file.path(), "--keep-going"});
  EXPECT_EQ(analysed.code, 2);
  EXPECT_EQ(analysed.out,
            "1: 2 moves, 2 optimal, 0 more than optimal, 0 mistakes\n"
            "4: 4 moves, 2 optimal, 2 more than optimal, 1 mistake\n"
            "  move 1 (R): 2 became 3; better UL\n");
  const std::vector<std::string> complaints_of_both = complaints(analysed.err);
  ASSERT_EQ(complaints_of_both.size(), 2U) << analysed.err;
  EXPECT_TRUE(complaints_of_both[0].starts_with("tessera: " + file.path() + ":3: moves: "));
  EXPECT_EQ(complaints_of_both[1],
            "tessera: " + file.path() + ":4: board 3 is unsolvable: no moves lead to the goal");

  // A game may end anywhere when it is shortened.
  const Finished shortened =
      tessera({"optimize", "--file", file.path(), "--keep-going", "--quiet"});
  EXPECT_EQ(shortened.code, 2);
  EXPECT_EQ(complaints(shortened.err).size(), 1U) << shortened.err;
  EXPECT_EQ(std::ranges::count(shortened.out, '\n'), 3) << shortened.out;

  const TemporaryFile mixed(R"({"board":"1 2 3/4 0 6/7 5 8","moves":"UL"})"
                            "\ngarbage\n"
                            R"({"board":"1 2 3/4 0 6/7 5 8","moves")"
                            "\n"
                            R"({"board":"1 2 3/4 0 6/7 5 8","moves":"RLUL"})"
                            "\n");
  const TemporaryFile unclosed(
      "board,moves\n1 2 3/4 0 6/7 5 8,UL\n\"1 2 3/4 0 6/7 5 8,UL\n1 2 3/4 0 6/7 5 8,UL\n");
  for (const TemporaryFile* rows : {&mixed, &unclosed}) {
    const Finished run = tessera({"analyse", "--file", rows->path(), "--keep-going", "--quiet"});
    EXPECT_EQ(run.code, 2);
    EXPECT_EQ(count_of(" more than optimal", run.out), 2U) << run.out << run.err;
    EXPECT_EQ(complaints(run.err).size(), rows == &mixed ? 2U : 1U) << run.err;
  }

  const TemporaryFile bad("board,moves\n1 2 3/4 0 6/7 5 8,UX\n");
  for (const char* command : {"analyse", "optimize"}) {
    const TemporaryFile earlier("a row of an earlier run\n");
    const Finished none =
        tessera({command, "--file", bad.path(), "--keep-going", "--json", earlier.path()});
    EXPECT_EQ(none.code, 2);
    EXPECT_EQ(earlier.content(), "");
    EXPECT_EQ(none.out, "");
    EXPECT_EQ(complaints(none.err).size(), 1U) << none.err;
  }
}

}  // namespace
}  // namespace tessera::cli
