// SPDX-License-Identifier: MIT
#include "puzzle/board_file.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/refusal.hpp"
#include "puzzle/goal.hpp"
#include "puzzle/random_board.hpp"

namespace tessera {
namespace {

std::string file_complaint(const std::string& text, BoardFileOptions options = {}) {
  const Error error = refused([&] { return parse_boards(text, "f", options); });
  EXPECT_EQ(error.kind(), ErrorKind::input);
  return error.what();
}

TEST(BoardFile, LinesWithCommentsAndIds) {
  const auto boards = parse_boards("# two boards\n\n1 2 3 0  # easy\nb7: 3,2,1,0\r\n", "f", {});
  ASSERT_EQ(boards.size(), 2U);
  EXPECT_EQ(boards[0].id, "1");
  EXPECT_EQ(boards[1].id, "b7");
  EXPECT_EQ(to_string(boards[1].board), "3 2 1 0");
}

TEST(BoardFile, BlocksWithOneOrTwoNumbersInTheHeader) {
  const auto boards =
      parse_boards("# one\n2\n1 2\n3 0\n#\n3 2\n1 2 3\n4 5 0\n# last\n2\n0 1 # row\n2 3", "f", {});
  ASSERT_EQ(boards.size(), 3U);
  EXPECT_EQ(boards[1].board.size(), (Size{3, 2}));
  EXPECT_EQ(to_string(boards[2].board), "0 1 2 3");
  EXPECT_EQ(boards[2].id, "3");
}

TEST(BoardFile, LinesMayFollowTheirNumber) {
  for (const BoardFormat format :
       {BoardFormat::automatic, BoardFormat::lines, BoardFormat::slash}) {
    EXPECT_EQ(parse_boards("2\n1 2/3 0\n3 1/2 0\n", "f", {format, {}, {}}).size(), 2U);
  }
  // As many boards as each has tiles.
  std::string nine = "9\n";
  for (int i = 0; i < 9; ++i) nine += "1 2 3 4 0 6 7 5 8\n";
  EXPECT_EQ(parse_boards(nine, "f", {}).size(), 9U);
  EXPECT_EQ(parse_boards("1\n123406758\n", "f", {}).size(), 1U);
}

TEST(BoardFile, JsonLines) {
  const auto boards = parse_boards(
      "{\"id\":\"a\",\"size\":\"3x2\",\"board\":[1,2,3,4,5,0]}\n\n{\"id\":9,\"board\":[1,2,3,0],"
      "\"goal\":\"first\"}",
      "f", {});
  ASSERT_EQ(boards.size(), 2U);
  EXPECT_EQ(boards[0].id, "a");
  EXPECT_EQ(boards[1].id, "9");
  EXPECT_EQ(boards[1].goal, "first");
}

TEST(BoardFile, ACommentGivesSizeAndGoalOfTheBoardsBehindIt) {
  const auto boards = parse_boards(
      "1 2 3 0\n# size 4x2, goal first\n1 0 2 3 4 5 6 7\n# size 2x4, goal 7 6 5 4 3 2 1 0\n"
      "1 0 2 3 4 5 6 7\n# size 8x2 is no header\n1 0 2 3 4 5 6 7\n",
      "f", {});
  ASSERT_EQ(boards.size(), 4U);
  EXPECT_EQ(boards[0].board.size(), (Size{2, 2}));
  EXPECT_EQ(boards[0].goal, "");
  EXPECT_EQ(boards[1].board.size(), (Size{4, 2}));
  EXPECT_EQ(boards[1].goal, "first");
  for (const std::size_t i : {std::size_t{2}, std::size_t{3}}) {
    EXPECT_EQ(boards[i].board.size(), (Size{2, 4}));
    EXPECT_EQ(boards[i].goal, "7 6 5 4 3 2 1 0");
  }
}

TEST(BoardFile, ASizeCommentKeepsTheGoal) {
  for (const char* comments : {"# goal: spiral\n# size 3x3\n", "# size 3x3\n# goal: spiral\n",
                               "# size 4x4, goal spiral\n# size 3x3\n"}) {
    const auto boards = parse_boards(comments + std::string("1 2 3 8 4 0 7 6 5\n"), "f", {});
    EXPECT_EQ(boards.at(0).goal, "spiral") << comments;
  }
}

TEST(BoardFile, RowsForTextsThatWereNoBoardsAreSkipped) {
  const auto boards = parse_boards(
      "{\"schema\":\"tessera.result/1\",\"id\":\"x\",\"size\":null,\"goal\":null,\"board\":null,"
      "\"status\":\"error\"}\n{\"id\":\"y\",\"size\":null,\"goal\":null,\"board\":[1,2,3,0]}\n",
      "f", {});
  ASSERT_EQ(boards.size(), 1U);
  EXPECT_EQ(boards[0].id, "y");
}

TEST(BoardFile, OtherCommentsSayNothing) {
  for (const char* comment :
       {"# size 8x2 is no header", "# size 8, goal first", "# size 88, goal last", "# size",
        "# sizes 8x2, goal first", "# a size 8x2, goal first", "#"}) {
    const auto boards =
        parse_boards(std::string(comment) + "\n1 0 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n", "f", {});
    ASSERT_EQ(boards.size(), 1U);
    EXPECT_EQ(boards[0].board.size(), (Size{4, 4})) << comment;
    EXPECT_EQ(boards[0].goal, "") << comment;
  }
}

TEST(BoardFile, ASizeCommentNeedsNoExactForm) {
  for (const char* comment : {"#size 8x2, goal first", "# Size 8X2, Goal first",
                              "# size 8x2 goal first", "#  size  8x2 ,goal  first "}) {
    const auto boards =
        parse_boards(std::string(comment) + "\n1 0 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n", "f", {});
    EXPECT_EQ(boards.at(0).board.size(), (Size{8, 2})) << comment;
    EXPECT_EQ(boards.at(0).goal, "first") << comment;
  }
  EXPECT_EQ(parse_boards("# size 4x2\n1 0 2 3 4 5 6 7\n", "f", {}).at(0).goal, "");
}

TEST(BoardFile, EveryFormatReadsWhatItWrites) {
  Random random(4);
  for (const Size size : {Size{4, 4}, Size{3, 2}, Size{8, 8}}) {
    for (const BoardFormat format : {BoardFormat::lines, BoardFormat::blocks, BoardFormat::json}) {
      std::string text;
      std::vector<Board> written;
      for (int i = 0; i < 5; ++i) {
        written.push_back(random_board(Goal().board(size), random));
        text += format_board({std::to_string(i + 1), written.back(), ""}, format);
      }
      const auto read = parse_boards(text, "f", {BoardFormat::automatic, size, {}});
      ASSERT_EQ(read.size(), written.size());
      for (std::size_t i = 0; i < read.size(); ++i) {
        EXPECT_EQ(read[i].board, written[i]);
        EXPECT_EQ(read[i].id, std::to_string(i + 1));
      }
    }
  }
}

TEST(BoardFile, EveryComplaintHasItsPlace) {
  EXPECT_EQ(file_complaint("\n# size 9x9, goal last\n1 2 3 0\n").substr(0, 16), "f:2: size '9x9' ");
  EXPECT_EQ(file_complaint("# size 3x3, goal frist\n1 0 2 3 4 5 6 7 8\n"),
            "f:1: goal 'frist' is unknown, did you mean first?");
  EXPECT_EQ(file_complaint("# size 3x3, goal middle\n1 0 2 3 4 5 6 7 8\n"),
            "f:1: goal 'middle' is unknown, expected last, first, spiral, snake, columns or the "
            "tiles of a board");
  EXPECT_EQ(file_complaint("1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 1\n"),
            "f:4: tile 1 appears twice and there is no blank (0), expected each of 0..15 once");
  EXPECT_EQ(file_complaint("# size 8x2, goal last\n# 1\n2\n1 2\n3 0\n"),
            "f:3: board is 2x2, expected 8x2");
  EXPECT_EQ(file_complaint("1 2 3 0\n1 2 2 0\n"),
            "f:2: tile 2 appears twice, expected each of 0..3 once");
  EXPECT_EQ(file_complaint("\n\n1 2 y! 0\n"),
            "f:3: 'y!' is not a number, expected tiles such as 1 2 3 0");
  EXPECT_EQ(file_complaint("1 2 3 0\n", {BoardFormat::automatic, Size{3, 3}, {}}),
            "f:1: 4 tiles, expected 9 for size 3x3");
  EXPECT_EQ(file_complaint("2\n1 2\n3\n"), "f:3: 1 tile, expected a row of 2");
  EXPECT_EQ(file_complaint("2\n1 2\n"), "f:1: 2 tiles, expected 4 for size 2x2");
  EXPECT_EQ(file_complaint("2\n1 2\n3 y\n"), "f:3: 'y' is not a number, expected a tile");
  EXPECT_EQ(file_complaint("# x\n2\n1 2 # y\n\n2 0\n"),
            "f:5: tile 2 appears twice, expected each of 0..3 once");
  EXPECT_EQ(file_complaint("2\n1 2\n3 0\n#\n2\n0 4\n1 2\n"),
            "f:6: tile 4 is out of range, expected each of 0..3 once");
  EXPECT_EQ(file_complaint("1 1\n0\n"),
            "f:1: size '1x1' is not valid, expected WxH such as 4x4, each 2 or more, with at most "
            "64 cells");
  EXPECT_EQ(file_complaint("2\n1 2\n3 0\n1 2 3\n"),
            "f:4: '1 2 3' is not a block header, expected N or W H");
  EXPECT_EQ(file_complaint("{\"id\":1}\n"), "f:1: no \"board\", expected an array of tiles");
  EXPECT_EQ(file_complaint("{\"board\":[1,2,3,0]}\n{\"board\":[1,\"2\",3,0]}\n"),
            "f:2: '\"2\"' is not a whole number, expected a tile");
  EXPECT_NE(file_complaint("{\"board\":[1,2,3,0]}\n{]\n").find("f:2: not a JSON object"),
            std::string::npos);
  EXPECT_EQ(file_complaint(""),
            "f:1: no board in this file, expected at least one in lines, blocks or json");
  EXPECT_EQ(file_complaint("# nothing\n"),
            "f:1: no board in this file, expected at least one in lines, blocks or json");
  EXPECT_EQ(file_complaint(std::string("1 2 3 0\n\0\x01", 10)),
            "f:2: not a text file, expected boards in lines, blocks or json");
  EXPECT_EQ(file_complaint(std::string(10 << 20, '1')),
            "f:1: line of more than 65536 bytes, expected a board");
}

// Some editors begin UTF-8 with it.
TEST(BoardFile, AByteOrderMarkSaysNothing) {
  const std::string mark = "\xEF\xBB\xBF";
  for (const std::string text : {"1 2 3 0\n", "2\n1 2\n3 0\n", "{\"board\":[1,2,3,0]}\n"}) {
    const auto boards = parse_boards(mark + text, "f", {});
    ASSERT_EQ(boards.size(), 1U) << text;
    EXPECT_EQ(to_string(boards[0].board), "1 2 3 0");
    EXPECT_EQ(boards[0].id, "1");
  }
  EXPECT_EQ(file_complaint(mark),
            "f:1: no board in this file, expected at least one in lines, blocks or json");
}

TEST(BoardFile, IdsAreExactOrRefused) {
  const auto with_id = [](const std::string& id) {
    return "{\"board\":[1,2,3,0]}\n{\"board\":[1,2,3,0],\"id\":" + id + "}";
  };
  for (const char* id : {"18446744073709551615", "-9223372036854775808", "0"}) {
    EXPECT_EQ(parse_boards(with_id(id), "f", {})[1].id, id);
  }
  for (const char* id : {"18446744073709551616", "-9223372036854775809", "1.5", "1e3"}) {
    EXPECT_EQ(file_complaint(with_id(id)),
              "f:2: \"id\" is a fraction or needs more than 64 bits, expected a string or a whole "
              "number");
  }
}

TEST(BoardFile, AGoalInJsonMayBeAnArray) {
  const auto with_goal = [](const std::string& goal) {
    return "{\"board\":[1,2,3,0],\"goal\":" + goal + "}";
  };
  for (const char* goal : {"[0,1,2,3]", "[[0,1],[2,3]]", "[[null,1],[2,3]]", "\"first\""}) {
    const NamedBoard board = parse_boards(with_goal(goal), "f", {}).at(0);
    EXPECT_EQ(parse_goal(board.goal, Size{2, 2}).board({2, 2}), ordered_board({2, 2}, 0)) << goal;
  }
  EXPECT_EQ(file_complaint(with_goal("[0,1.5]")),
            "f:1: \"goal\": '1.5' is not a whole number, expected a tile");
  EXPECT_EQ(file_complaint(with_goal("[]")), "f:1: \"goal\": no tiles, expected those of a board");
  EXPECT_EQ(file_complaint(with_goal("1")),
            "f:1: \"goal\" is '1', expected a name or an array of tiles");
}

TEST(BoardFile, AKeyThatAppearsTwiceIsRefused) {
  EXPECT_EQ(file_complaint("{\"board\":[1,2,3,0],\"id\":1,\"board\":[1,2,0,3]}"),
            "f:1: 'board' appears twice, expected it once");
  EXPECT_EQ(parse_boards("{\"board\":[1,2,3,0],\"a\":{\"b\":1},\"c\":{\"b\":2}}", "f", {}).size(),
            1U);
}

TEST(BoardFile, DeepJsonIsNoDanger) {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  EXPECT_EQ(file_complaint("{\"board\":[" + deep + "]}"),
            "f:1: array is not a whole number, expected a tile");
  EXPECT_EQ(file_complaint("{\"board\":[1,2,3,0],\"id\":" + deep + "}"),
            "f:1: \"id\" is array, expected a string or a number");
  EXPECT_NE(
      file_complaint("{\"board\":" + std::string(2 << 20, ' ') + "[1,2,3,0]}").find("f:1: line of"),
      std::string::npos);
}

TEST(BoardFile, KeepsGoingWhereAsked) {
  std::vector<std::string> complaints;
  const auto boards = parse_boards(
      "1 2 3 0\n1 1 1 0\n3 2 1 0\n", "f",
      {BoardFormat::automatic, {}, [&](const std::string& c) { complaints.push_back(c); }});
  ASSERT_EQ(boards.size(), 2U);
  EXPECT_EQ(boards[1].id, "3");  // numbered by its place, good or bad
  ASSERT_EQ(complaints.size(), 1U);
  EXPECT_TRUE(complaints[0].starts_with("f:2: "));
}

TEST(BoardFile, AMissingFileIsAnInputError) {
  EXPECT_THROW((void)read_boards("/nonexistent/boards.txt", {}), Error);
  EXPECT_THROW((void)read_boards("/", {}), Error);
}

}  // namespace
}  // namespace tessera
