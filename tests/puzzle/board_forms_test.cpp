// SPDX-License-Identifier: MIT
// Boards as people write them.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <numeric>
#include <random>

#include "base/error.hpp"
#include "base/places.hpp"
#include "base/refusal.hpp"
#include "base/text.hpp"
#include "puzzle/board_file.hpp"
#include "puzzle/board_text.hpp"
#include "puzzle/goal.hpp"
#include "puzzle/random_board.hpp"

namespace tessera {
namespace {

using Tiles = std::vector<std::string>;

Tiles read_all(const std::string& text, const BoardFileOptions& options = {}) {
  Tiles boards;
  for (const NamedBoard& named : parse_boards(text, "f", options)) {
    boards.push_back(to_string(named.board.size()) + ": " + to_string(named.board));
  }
  return boards;
}

std::string refusal(const std::string& text, const BoardFileOptions& options = {}) {
  const Error error = refused([&] { return read_all(text, options); });
  EXPECT_EQ(error.kind(), ErrorKind::input);
  return error.what();
}

std::string tile_refusal(const std::string& text, std::optional<Size> size = {}) {
  return refused([&] { return parse_board(text, size); }).what();
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

// The example cells of the tables of docs/formats.md, one text for each list of code spans; where
// the examples are files, one per row.
std::vector<std::string> examples(bool files) {
  std::ifstream page(test_data("../../docs/formats.md"));
  std::vector<std::string> texts;
  std::string line;
  while (std::getline(page, line) && !line.starts_with("<!-- examples:")) {
  }
  int table = 0;
  while (std::getline(page, line) && !line.starts_with("Goals have names")) {
    if (line == "| form | example |") ++table;
    if (!line.starts_with("| ") || line.starts_with("| form") || line.starts_with("| ---"))
      continue;
    if ((table == 2) != files) continue;
    replace_all(line, "\\|", "\x01");
    std::string cell = line.substr(line.find('|', 1) + 1);
    cell = cell.substr(0, cell.rfind('|'));
    replace_all(cell, "\x01", "|");
    replace_all(cell, "<br>", "\n");
    std::string text;
    for (const std::string& span : split_list(cell, '\n')) {
      const std::string example =
          span.starts_with('`') ? span.substr(1, span.rfind('`') - 1) : std::string();
      text += example + "\n";
    }
    texts.push_back(text);
  }
  return texts;
}

TEST(BoardForms, EveryExampleOfABoardIsRead) {
  const auto texts = examples(false);
  ASSERT_EQ(texts.size(), 11U);
  for (const std::string& text : texts) {
    const bool rows_on_lines = text.starts_with("1 2 3\n");
    std::vector<std::string> boards;
    if (rows_on_lines) boards.push_back(text);
    else boards = split_list(text, '\n');
    for (const std::string& board : boards) {
      if (board.empty()) continue;
      EXPECT_EQ(read_all(board), Tiles{"3x3: 1 2 3 4 0 6 7 5 8"}) << board;
      EXPECT_EQ(read_all("# size 3x3\r\n\xC2\xA0" + board + " \r\n"),
                Tiles{"3x3: 1 2 3 4 0 6 7 5 8"})
          << board;
      if (board.find(':') != board.npos) continue;
      EXPECT_EQ(to_string(parse_board(board, {})), "1 2 3 4 0 6 7 5 8") << board;
      EXPECT_EQ(to_string(parse_goal(board, {}).board({3, 3})), "1 2 3 4 0 6 7 5 8") << board;
    }
  }
}

TEST(BoardForms, EveryExampleOfAFileIsRead) {
  const auto texts = examples(true);
  ASSERT_EQ(texts.size(), 11U);
  for (std::string text : texts) {
    const Tiles expected{"3x3: 1 2 3 4 0 6 7 5 8", "3x3: 1 2 3 4 5 6 7 0 8"};
    EXPECT_EQ(read_all(text), expected) << text;
    replace_all(text, "\n", "\r\n");
    EXPECT_EQ(read_all("\xEF\xBB\xBF" + text + "\r\n\r\n"), expected) << text;
  }
}

TEST(BoardForms, RowsGiveTheSize) {
  EXPECT_EQ(read_all("1 2 3 4/5 6 7 0"), Tiles{"4x2: 1 2 3 4 5 6 7 0"});
  EXPECT_EQ(read_all("1 2 3 4\n5 6 7 0\n"), Tiles{"4x2: 1 2 3 4 5 6 7 0"});
  EXPECT_EQ(read_all("0 1\n2 3\n4 5\n"), Tiles{"2x3: 0 1 2 3 4 5"});
  EXPECT_EQ(read_all("1 2 3 4 5 6 7 8/9 10 11 12 13 14 15 0"),
            Tiles{"8x2: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0"});
  EXPECT_EQ(read_all("[[1,2],[3,4],[5,0]]"), Tiles{"2x3: 1 2 3 4 5 0"});
  EXPECT_EQ(read_all("[\n  1,\n  2,\n  3,\n  0\n]\n"), Tiles{"2x2: 1 2 3 0"});
  EXPECT_EQ(read_all("1;2;3/4;5;0"), Tiles{"3x2: 1 2 3 4 5 0"});
  EXPECT_EQ(read_all("1;2;3\n4;5;\n"), Tiles{"3x2: 1 2 3 4 5 0"});
  EXPECT_EQ(read_all("| 1 | 2 | 3 |\n| 4 | 5 |   |\n"), Tiles{"3x2: 1 2 3 4 5 0"});
  EXPECT_EQ(read_all("123\n450\n"), Tiles{"3x2: 1 2 3 4 5 0"});
  EXPECT_EQ(read_all("1\t2\t3\n4\t\t5\n"), Tiles{"3x2: 1 2 3 4 0 5"});
  EXPECT_EQ(read_all("4 3\n1 2 3 4\n5 6 7 8\n9 10 11 _\n"),
            Tiles{"4x3: 1 2 3 4 5 6 7 8 9 10 11 0"});
  EXPECT_EQ(read_all("{\"board\":[[1,2,3],[4,5,0]]}"), Tiles{"3x2: 1 2 3 4 5 0"});
  EXPECT_EQ(read_all("{\n  \"board\": [\n    [1, 2],\n    [3, 0]\n  ]\n}\n"),
            Tiles{"2x2: 1 2 3 0"});
  EXPECT_EQ(tile_refusal("1 2 3/4 5 0", Size{2, 3}), "board is 3x2, expected 2x3");
  EXPECT_EQ(tile_refusal("1 2 3/4 5/6 7 0"), "row 2 has 2 tiles, expected 3 as row 1 has");
  EXPECT_EQ(to_string(parse_board("3\n1 2 3\n4 5 6\n7 8 0\n", {})), "1 2 3 4 5 6 7 8 0");
  // Lines that are no rows, as numpy prints a long list.
  EXPECT_EQ(read_all("[1 2 3 4 5\n 6 7 8 0]"), Tiles{"3x3: 1 2 3 4 5 6 7 8 0"});
  EXPECT_EQ(to_string(parse_board("[1 2 3 4 5\n 6 7 8 0]", {})), "1 2 3 4 5 6 7 8 0");
  EXPECT_EQ(to_string(parse_board("```\n[1, 2, 3, 4, 5,\n 6, 7, 8, 0]\n```", {})),
            "1 2 3 4 5 6 7 8 0");
  EXPECT_EQ(tile_refusal("1 2 3 4 5\n6 7 8 0"), "row 2 has 4 tiles, expected 5 as row 1 has");
  EXPECT_EQ(tile_refusal("3\n1 2 0"), "row 2 has 3 tiles, expected 1 as row 1 has");
}

TEST(BoardForms, AWordOrNothingInBracketsOrQuotesIsACell) {
  for (const char* const text :
       {"[1,2,3,4,' ',6,7,5,8]", "1 2 3 4 '' 6 7 5 8", "1 2 3 4 \" \" 6 7 5 8",
        "1 2 3 4 [] 6 7 5 8", "1 2 3 4 ( ) 6 7 5 8", "[1,2,3,4,\"_\",6,7,5,8]",
        "1,2,3,4,\"_\",6,7,5,8", "[[1,2,3],[4,'x',6],[7,5,8]]", "[[1,2,3],[4,'',6],[7,5,8]]",
        "1 2 3/4 [0] 6/7 5 8", "['1','2','3','4','','6','7','5','8']",
        "\"\"\"1 2 3\n4 0 6\n7 5 8\"\"\"", "''1 2 3/4 0 6/7 5 8''", "'123' '4_6' '758'",
        "[123][4_6][758]", "'1 2 3' '4 0 6' '7 5 8'"}) {
    EXPECT_EQ(to_string(parse_board(text, {})), "1 2 3 4 0 6 7 5 8") << text;
    EXPECT_EQ(read_all(text), Tiles{"3x3: 1 2 3 4 0 6 7 5 8"}) << text;
  }
  EXPECT_EQ(to_string(parse_board("```\n1 2 3\n4 _ 6\n7 5 8\n```", {})), "1 2 3 4 0 6 7 5 8");
  EXPECT_EQ(read_all("{\"board\":[1,2,3,4,\"_\",6,7,5,8]}"), Tiles{"3x3: 1 2 3 4 0 6 7 5 8"});
  EXPECT_EQ(tile_refusal("[1,2,3,' ',5,6,4]").substr(0, 24), "7 tiles do not form a sq");
  // Not if the same kind encloses rows.
  for (const char* const text : {"[[1,2],[3]]", "[1 2],[3]", "(1,2),(3)", "{{1,2},{3}}",
                                 "\"1 2\",\"3\"", "['1 2','3']", "[[1,2],[3],[4,5]]"}) {
    EXPECT_EQ(tile_refusal(text), "row 2 has 1 tile, expected 2 as row 1 has") << text;
  }
  EXPECT_EQ(to_string(parse_board("[\t3], [1\t2]", {})), "0 3 1 2");
  EXPECT_EQ(to_string(parse_board("\"\" 1\"\", \"\"2\"\", \"\"3\"\", \"\" 0\"\"", {})), "1 2 3 0");
  EXPECT_EQ(to_string(parse_board("1\"2\"3\"0", {})), "1 2 3 0");
  for (const char* const text : {"[]", "()", "[[]]", "''", "\"\""}) {
    EXPECT_EQ(tile_refusal(text), "no tiles, expected a list such as 1 2 3 0") << text;
  }
}

TEST(BoardForms, BoardsInBracesAreNoObjects) {
  for (const char* const text :
       {"{1,2,3,4,0,6,7,5,8}", "{{1,2,3},{4,0,6},{7,5,8}}", "{ {1, 2, 3}, {4, _, 6}, {7, 5, 8} }",
        "{1 2 3}{4 0 6}{7 5 8}", "(1 2 3) (4 0 6) (7 5 8)", "[1 2 3] [4 0 6] [7 5 8]"}) {
    EXPECT_EQ(to_string(parse_board(text, {})), "1 2 3 4 0 6 7 5 8") << text;
    EXPECT_EQ(read_all(text), Tiles{"3x3: 1 2 3 4 0 6 7 5 8"}) << text;
    const auto board = BoardLines({}).read(text, 1);
    ASSERT_TRUE(board) << text;
    EXPECT_EQ(to_string(board->board), "1 2 3 4 0 6 7 5 8") << text;
  }
  EXPECT_EQ(read_all("{1,2,3,0}\n{3,2,1,0}\n"), (Tiles{"2x2: 1 2 3 0", "2x2: 3 2 1 0"}));
  EXPECT_EQ(read_all("{{1,2,3,0},{3,2,1,0}}"), (Tiles{"2x2: 1 2 3 0", "2x2: 3 2 1 0"}));
  for (const char* const text : {"{id: 3}\n", "{'board': [1,2,3,0]}\n", "[{'board': [1,2,3,0]}]"}) {
    EXPECT_EQ(refusal(text).substr(0, 21), "f:1: not a JSON objec") << text;
  }
}

TEST(BoardForms, AHeadMayStandBeforeDividedRows) {
  for (const char* const text : {"3/1 2 3/4 0 6/7 5 8", "3 3/1 2 3/4 0 6/7 5 8",
                                 "3 -1|1 2 3|4 0 6|7 5 8", "8 -1;1 2 3;4 0 6;7 5 8"}) {
    EXPECT_EQ(to_string(parse_board(text, {})), "1 2 3 4 0 6 7 5 8") << text;
    EXPECT_EQ(read_all(text), Tiles{"3x3: 1 2 3 4 0 6 7 5 8"}) << text;
  }
  EXPECT_EQ(read_all("3 2/1 2 3/4 5 0"), Tiles{"3x2: 1 2 3 4 5 0"});
  // In a CSV it is an id.
  EXPECT_EQ(parse_boards("3;1 2 3/4 0 6/7 5 8\n1;1 2 3/4 5 6/7 0 8\n", "f", {})[0].id, "3");
  EXPECT_EQ(parse_boards("3;[[1,2,3],[4,0,6],[7,5,8]]\n", "f", {})[0].id, "3");
  EXPECT_EQ(tile_refusal("2 3/1 2 3/4 5 0"), "row 2 has 3 tiles, expected 2 as row 1 has");
  EXPECT_EQ(to_string(parse_board("\xEF\xBB\xBF"
                                  "1 2 3 0",
                                  {})),
            "1 2 3 0");
}

TEST(BoardForms, AGridMayBeFollowedByABoardOfAnotherForm) {
  const std::string grid = "1 2 3\n4 5 6\n7 0 8\n";
  const std::string tiles = "3x3: 1 2 3 4 5 6 7 0 8";
  const std::string larger = "4x4: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15";
  EXPECT_EQ(read_all(grid + "1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 0 15\n"), (Tiles{tiles, larger}));
  EXPECT_EQ(read_all("1 2 3 4\n5 6 0 7\n" + grid), (Tiles{"4x2: 1 2 3 4 5 6 0 7", tiles}));
  EXPECT_EQ(read_all(grid + "1 2 3 4 5 6 7 0 8\n"), (Tiles{tiles, tiles}));
  EXPECT_EQ(read_all(grid + "123456708\n"), (Tiles{tiles, tiles}));
  EXPECT_EQ(read_all(grid + "1 2 3/4 5 6/7 0 8\n"), (Tiles{tiles, tiles}));
  EXPECT_EQ(read_all(grid + "3\n" + grid), (Tiles{tiles, tiles}));
}

TEST(BoardForms, OneCharacterPerTile) {
  const Tiles last{"4x4: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0"};
  for (const char* text :
       {"123456789ABCDEF_", "123456789ABCDEF0", "123456789abcdef.", "1234/5678/9ABC/DEF0",
        "1 2 3 4 5 6 7 8 9 A B C D E F 0", "1234\n5678\n9abc\ndefx\n", "\"123456789ABCDEF0\"",
        "7: 123456789ABCDEF0"}) {
    EXPECT_EQ(read_all(text), last) << text;
  }
  EXPECT_EQ(read_all("123456789ABC_DEF"), Tiles{"4x4: 1 2 3 4 5 6 7 8 9 10 11 12 0 13 14 15"});
  EXPECT_EQ(read_all("12345678_\n123456_78\n"),
            (Tiles{"3x3: 1 2 3 4 5 6 7 8 0", "3x3: 1 2 3 4 5 6 0 7 8"}));
  // On 6x6, X is a tile too.
  EXPECT_EQ(parse_board("123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ0", {}).tile(32), 33);
}

TEST(BoardForms, TwoReadingsAreRefusedWithBoth) {
  for (const std::string& text :
       {refusal("9 1 2 3 4 5 6 7 8 0"), tile_refusal("9 1 2 3 4 5 6 7 8 0")}) {
    EXPECT_NE(text.find("two readings: id '9' and a board of 3x3"), text.npos) << text;
    EXPECT_NE(text.find("or a board of 10 tiles"), text.npos) << text;
  }
  EXPECT_EQ(read_all("9 1 2 3 4 5 6 7 8 0", {BoardFormat::automatic, Size{5, 2}, {}}),
            Tiles{"5x2: 9 1 2 3 4 5 6 7 8 0"});
  EXPECT_EQ(
      parse_boards("9 1 2 3 4 5 6 7 8 0", "f", {BoardFormat::automatic, Size{3, 3}, {}})[0].id,
      "9");
  EXPECT_NE(refusal("a,1230,2031\n").find("f:1: two readings: id 'a' and a board of 2x2"),
            std::string::npos);
  EXPECT_EQ(refusal("a,1230,2031\n").find('\n'), std::string::npos);
  for (const char* const two : {"123406758,123456708", "123406758;123456708", "1230 2031"}) {
    EXPECT_NE(refusal(two).find("f:1: two readings: id '1"), std::string::npos) << refusal(two);
  }
  EXPECT_EQ(parse_boards("123456788,123456708", "f", {})[0].id, "123456788");  // no board
}

TEST(BoardForms, AnIdMayStandBeforeASingleBoard) {
  EXPECT_EQ(to_string(parse_board("9: 1 2 3 4 5 6 7 8 0", {})), "1 2 3 4 5 6 7 8 0");
  EXPECT_EQ(to_string(parse_board("a: 1 2 3/4 5 6/7 8 _", {})), "1 2 3 4 5 6 7 8 0");
  EXPECT_EQ(parse_named_board("9: 1 2 3 4 5 6 7 8 0", {}).id, "9");
  EXPECT_EQ(parse_named_board("1 2 3 4 5 6 7 8 0", {}).id, "1");
  const NamedBoard row =
      parse_named_board(R"({"id":"x","board":[0,1,2,3,4,5,6,7,8],"goal":"first"})", {});
  EXPECT_EQ(row.id + " " + row.goal, "x first");
  EXPECT_EQ(tile_refusal("9: 1 2 3 4 5 6 7 8 8"),
            "'9:' is not a number, expected tiles such as 1 2 3 0");
}

TEST(BoardForms, AnEmptyCellAtAnEndMakesABoardOfAKnownSize) {
  EXPECT_EQ(to_string(parse_board(",1,2,3,4,5,6,7,8", {})), "0 1 2 3 4 5 6 7 8");
  EXPECT_EQ(to_string(parse_board("1,2,3,4,5,6,7,8,", {})), "1 2 3 4 5 6 7 8 0");
  EXPECT_EQ(to_string(parse_board("1,2,3,4,5,6,7,8,", Size{4, 2})), "1 2 3 4 5 6 7 0");
  EXPECT_EQ(tile_refusal(",1,2,3,4,5,6,7,8,").substr(0, 13), "two readings:");
}

TEST(BoardForms, QuotedFieldsOfCsvHaveLinesAndNumberSigns) {
  const auto boards = parse_boards(
      "source,board\n\"sheet #1\",\"1 2\n3 0\"  # a comment\nown,\"2 1\n3 0\"\n", "f", {});
  ASSERT_EQ(boards.size(), 2U);
  EXPECT_EQ(to_string(boards[0].board), "1 2 3 0");
  EXPECT_EQ(to_string(boards[1].board), "2 1 3 0");
}

// The first four are a board, too.
TEST(BoardForms, RowsOfABoardInACsvNeedNoQuotes) {
  const auto boards = parse_boards("id,board\n1,3 1 2 0,4 5 6 7,8 9 10 11,12 13 14 15\n", "f", {});
  EXPECT_EQ(to_string(boards.at(0).board), "3 1 2 0 4 5 6 7 8 9 10 11 12 13 14 15");
}

// Not 1 2/3 0 with other fields.
TEST(BoardForms, RowsWithAMistakeAreNoFieldsOfACsv) {
  for (const char* text :
       {"1 2 3 4|5 6 7 8|9 10 11 12|13 14 15 15\n", "1 2 3 4;5 6 7 8;9 10 11 12;13 14 15 15\n",
        "1 2 3 4, 5 6 7 8, 9 10 11 12, 13 14 15\n", "0 1 2 3;4 5 6 7;8 9 10 11;12 13 14 14\n",
        "x: 1 2 3 4|5 6 7 8|9 10 11 12|13 14 15 15\n", "a,1 2 3 4 0 6 7 5 5,1032\n"}) {
    EXPECT_TRUE(refusal(text).starts_with("f:1: ")) << text << refusal(text);
    EXPECT_FALSE(tile_refusal(text).empty()) << text;
  }
  EXPECT_EQ(parse_boards("a;1 2 3 4 0 6 7 5 8;2\n", "f", {})[0].id, "a");
}

TEST(BoardForms, WhatIsNoBoardIsRefusedWithItsLine) {
  EXPECT_EQ(refusal("1 2 3\n4 5 6\n7 8 8\n"),
            "f:3: tile 8 appears twice and there is no blank (0), expected each of 0..8 once");
  EXPECT_EQ(refusal("# a\n1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 15\n"),
            "f:5: tile 15 appears twice and there is no blank (0), expected each of 0..15 once");
  EXPECT_EQ(refusal("1 2 3 4 b 5 7 8 6\n"), "f:1: 'b' is tile 11, expected each of 0..8 once");
  EXPECT_EQ(refusal("hello\n"), "f:1: 'hello' is not a number, expected tiles such as 1 2 3 0");
  EXPECT_EQ(refusal("1 2 3 4 5 6 7 8\n"),
            "f:1: 8 tiles do not form a square, expected --size WxH or a square number of tiles "
            "from 4 to 64; if the blank is missing, write it as 0");
  EXPECT_EQ(refusal("1 2 3\n4 5\n6 7 0\n"), "f:2: 2 tiles, expected a row of 3");
  EXPECT_NE(refusal("4 4 9\n1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 0\n")
                .find("f:1: '4 4 9' is not a block header"),
            std::string::npos);
  for (const char* text : {",,", ",,\n,,\n", "[]", "/", "-", "\"\"", ",\n1 2 3 0"}) {
    EXPECT_TRUE(refusal(text).starts_with("f:1: ")) << refusal(text);
  }
  EXPECT_EQ(refusal("3\n1 2 3\n4 5 6\n"), "f:1: 6 tiles, expected 9 for size 3x3");
  EXPECT_EQ(refusal("3\n1 2 3 0\n3 2 1 0\n"),
            "f:1: the first line announces 3 boards, but the file holds 2");
  EXPECT_EQ(refusal("id,tiles\n1,1230\n"),
            "f:1: no column \"board\" in 'id,tiles', expected a header such as id,board");
  EXPECT_EQ(refusal("id,board\n1,1230\n2\n"), "f:3: 1 field, expected 2 as the header has");
  EXPECT_EQ(refusal("id,board,length\n1,1 2 3 0,2,3\n"),
            "f:2: 4 fields, expected 3 as the header has");
  EXPECT_EQ(refusal("id,board\n1,3 1 2 0,4 5 6 7,8 9 10 11,12 13 14 14\n"),
            "f:2: tile 14 appears twice, expected each of 0..15 once");
  EXPECT_EQ(refusal("id,board\n1,\"12\n30\n"), "f:2: a quote is not closed");
  EXPECT_EQ(refusal("id,board,board\n1,1230,1230\n"),
            "f:2: the header has several columns 'board', expected one");
  for (const char* text : {"id,board\n\"a\n1\",1230\n", "\na\t1: 1230\n",
                           "\n{\"id\":\"a\\n1\",\"board\":[1,2,3,0]}\n"}) {
    EXPECT_EQ(refusal(text), "f:2: id 'a?1' holds control characters, expected printable text");
  }
  for (const char* text : {"id,board\r1,1230\r2,1230\r", "1 2 3 0\r2 1 3 0\r"}) {
    EXPECT_EQ(refusal(text),
              "f:1: a carriage return within the line, expected lines that end with LF or CRLF");
  }
  EXPECT_EQ(refusal("[[1,2,3,0],\n[1,2,2,0]]"),
            "f:2: tile 2 appears twice, expected each of 0..3 once");
}

TEST(BoardForms, GoalsOfCommentsAndHeads) {
  const auto goal = [](const std::string& text) { return parse_boards(text, "f", {}).at(0).goal; };
  const std::string rows = "3\n1 2 3\n8 0 4\n7 5 6\n";
  EXPECT_EQ(goal("# goal: spiral\n" + rows), "spiral");
  EXPECT_EQ(goal("# Goal = Snail\n" + rows), "spiral");
  EXPECT_EQ(goal("# goal 1 2 3 8 0 4 7 6 5\n" + rows), "1 2 3 8 0 4 7 6 5");
  EXPECT_EQ(goal("# goal of this file\n" + rows), "");
  EXPECT_EQ(goal("# This puzzle is unsolvable\n" + rows), "spiral");
  EXPECT_EQ(goal("# This puzzle is solvable\n" + rows), "");
  EXPECT_EQ(goal("8\n-1\n1 2 3\n4 5 6\n7 0 8\n"), "last");
  EXPECT_EQ(goal("8\n0\n1 2 3\n4 5 6\n7 0 8\n"), "first");
  EXPECT_EQ(goal("8\n4\n1 2 3\n4 5 6\n7 0 8\n"), "1 2 3 4 0 5 6 7 8");
  EXPECT_EQ(goal("15 -1\n1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 0 15\n"), "last");
}

// ---- any board in any form

class AnyForm {
 public:
  AnyForm(const Board& board, Random& random) : board_(board), random_(random) {}

  std::string text() {
    const bool characters = board_.size().cells() <= 36 && chance(4);
    shows_largest_ = !characters && chance(6);
    const std::string blank =
        one_of(characters ? Tiles{"0", "_", ".", "-"} : Tiles{"0", "_", "__", ".", "-", "x", "X"});
    const std::string cell_end =
        characters ? one_of({"", " "}) : one_of({" ", ",", ", ", "  ", "\t", " ,", "\xC2\xA0"});
    const bool nested = chance(4);
    const std::string row_end =
        nested ? one_of({",", " ", ", ", "\n"})
               : one_of({"/", "|", " / ", "\n", "|\n", characters ? "/" : ";"});
    const bool quotes = !characters && chance(6);
    std::string all;
    for (int row = 0; row < board_.size().height; ++row) {
      std::string line;
      for (int column = 0; column < board_.size().width; ++column) {
        std::string cell = tile(row * board_.size().width + column, blank, characters);
        if (quotes) cell = "\"" + cell + "\"";
        line += (column > 0 ? cell_end : "") + cell;
      }
      all += (row > 0 ? row_end : "") + (nested ? "[" + line + "]" : line);
    }
    if (nested) all = "[" + all + "]";
    if (chance(3)) all = " " + all + " ";
    return all + one_of({"", "\n", "\r\n"});
  }

 private:
  bool chance(std::uint64_t one_in) { return random_.below(one_in) == 0; }
  std::string one_of(const Tiles& texts) { return texts[random_.below(texts.size())]; }
  std::string tile(int cell, const std::string& blank, bool character) const {
    const int number = board_.tile(cell);
    if (number == 0 && !character && shows_largest_) return std::to_string(board_.size().cells());
    if (number == 0) return blank;
    if (!character) return std::to_string(number);
    return std::string(1, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[number]);
  }

  const Board& board_;
  Random& random_;
  bool shows_largest_ = false;
};

TEST(BoardForms, AnyBoardInAnyFormIsReadAsItWas) {
  Random random(31);
  for (int i = 0; i < 20'000; ++i) {
    const Size size{2 + static_cast<int>(random.below(7)), 2 + static_cast<int>(random.below(7))};
    Board board = random_board(Goal().board(size), random);
    const std::string text = AnyForm(board, random).text();
    const Tiles expected{to_string(size) + ": " + to_string(board)};
    ASSERT_EQ(
        Tiles{to_string(parse_board(text, {}).size()) + ": " + to_string(parse_board(text, {}))},
        expected)
        << text;
    ASSERT_EQ(read_all(text), expected) << text;
  }
}

// A line of numbers with blanks has a reader of its own, one with commas takes the general one.
TEST(BoardForms, PlainLinesAreReadAsTheGeneralReaderReadsThem) {
  Random random(33);
  for (int i = 0; i < 20'000; ++i) {
    const auto count = 1 + static_cast<int>(random.below(18));
    std::vector<int> numbers(static_cast<std::size_t>(count), 0);
    std::iota(numbers.begin(), numbers.end(), random.below(8) == 0 ? 1 : 0);
    std::shuffle(numbers.begin(), numbers.end(), std::mt19937(static_cast<unsigned>(i)));
    if (random.below(4) == 0) numbers.insert(numbers.begin(), static_cast<int>(random.below(20)));
    if (random.below(8) == 0) numbers.back() = static_cast<int>(random.below(70));
    std::string plain;
    for (const int number : numbers) plain += std::to_string(number) + " ";
    plain.pop_back();
    std::string general = plain;
    std::ranges::replace(general, ' ', ',');
    for (const std::optional<Size> size : {std::optional<Size>(), {Size{3, 3}}, {Size{5, 2}}}) {
      const BoardReadings fast = board_readings(plain, size);
      const BoardReadings slow = board_readings(general, size);
      ASSERT_EQ(fast.boards, slow.boards) << plain;
      ASSERT_EQ(fast.needs_size, slow.needs_size) << plain;
    }
  }
}

TEST(BoardForms, EveryFormatIsReadBackForEverySize) {
  Random random(32);
  for (int width = 2; width <= 32; ++width) {
    for (int height = 2; width * height <= Size::max_cells; ++height) {
      const Size size{width, height};
      for (const Goal::Kind kind : Goal::named) {
        const std::string goal = to_string(Goal(kind));
        for (const BoardFormat format :
             {BoardFormat::lines, BoardFormat::slash, BoardFormat::blocks, BoardFormat::grid,
              BoardFormat::csv, BoardFormat::json}) {
          std::string text = format_board_header(size, goal, format);
          std::vector<Board> boards;
          for (int i = 1; i <= 3; ++i) {
            boards.push_back(random_board(Goal(kind).board(size), random));
            text += format_board({std::to_string(i), boards.back(), goal}, format);
          }
          for (const BoardFormat reader : {BoardFormat::automatic, format}) {
            SCOPED_TRACE(text);
            const auto read = parse_boards(text, "f", {reader, {}, {}});
            ASSERT_EQ(read.size(), 3U) << text;
            for (std::size_t i = 0; i < 3; ++i) {
              ASSERT_EQ(read[i].board, boards[i]) << text;
              ASSERT_EQ(read[i].id, std::to_string(i + 1)) << text;
              ASSERT_EQ(read[i].goal.empty() ? "last" : read[i].goal, goal) << text;
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace tessera
