// SPDX-License-Identifier: MIT
#include "puzzle/board_collector.hpp"

#include <algorithm>
#include <boost/algorithm/string/case_conv.hpp>

#include "base/error.hpp"
#include "base/text.hpp"
#include "puzzle/goal.hpp"

namespace tessera {
namespace {

// A board takes some hundred bytes; a result row, which also contains a board, some ten thousand.
constexpr std::size_t longest_line = 65536;
constexpr std::size_t longest_json_line = 1U << 20;

bool is_size(std::string_view text) {
  const std::size_t x = text.find('x');
  return x != std::string_view::npos && parse_integer(text.substr(0, x)) &&
         parse_integer(text.substr(x + 1));
}

bool takes(std::string_view& rest, std::string_view word) {
  if (!rest.starts_with(word)) return false;
  rest = trimmed(rest.substr(word.size()));
  return true;
}

// `size WxH`, `size WxH, goal GOAL`. Throws Error(input) for an invalid size or goal.
bool read_size_comment(std::string_view rest, BoardHeader& header) {
  if (!takes(rest, "size ")) return false;
  const std::string_view size = rest.substr(0, rest.find_first_of(", \t"));
  if (!is_size(size)) return false;
  rest = trimmed(rest.substr(size.size()));
  (void)takes(rest, ",");
  if (!rest.empty() && !takes(rest, "goal ")) return false;
  header.size = parse_size(size);
  header.solvable_spirally.reset();
  if (rest.empty()) return true;
  (void)parse_goal(rest, header.size);
  header.goal = rest;
  return true;
}

// `goal GOAL`, `goal: GOAL`, `goal = GOAL`. What is no goal is another comment.
bool read_goal_comment(std::string_view rest, BoardHeader& header) {
  if (!takes(rest, "goal")) return false;
  (void)(takes(rest, ":") || takes(rest, "=") || takes(rest, "is "));
  try {
    header.goal = to_string(parse_goal(rest, header.size));
  } catch (const Error&) {
    return false;
  }
  return true;
}

bool read_school_comment(std::string_view rest, BoardHeader& header) {
  if (!takes(rest, "this puzzle is ")) return false;
  if (rest != "solvable" && rest != "unsolvable") return false;
  header.solvable_spirally = rest == "solvable";
  return true;
}

void expect_text(std::string_view line, const std::string& place, std::size_t longest) {
  if (line.size() > longest) {
    bad_input(place + "line of more than " + std::to_string(longest) + " bytes, expected a board");
  }
  for (const char c : line) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\t' && c != '\r') || byte == 0x7f) {
      bad_input(place + "not a text file, expected boards in lines, blocks or json");
    }
  }
}

// The line break of old Macintosh files.
void expect_no_carriage_return(std::string_view content, const std::string& place) {
  if (content.find('\r') == content.npos) return;
  bad_input(place + "a carriage return within the line, expected lines that end with LF or CRLF");
}

}  // namespace

std::size_t comment_start(std::string_view line, bool& quoted) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (line[i] == '#' && !quoted) return i;
  }
  return line.npos;
}

std::vector<TextLine> split_lines(std::string_view text, const std::string& name, TextKind kind,
                                  std::shared_ptr<const BoardHeader>& header) {
  const bool json = kind == TextKind::json;
  std::vector<TextLine> lines;
  int number = 0;
  bool quoted = false;
  bool after_comment = false;
  bool after_gap = false;
  while (!text.empty()) {
    const std::string_view raw = take_line(text);
    const std::string place = line_place(name, ++number);
    expect_text(raw, place, json ? longest_json_line : longest_line);
    const std::size_t comment = json                    ? raw.npos
                                : kind == TextKind::csv ? comment_start(raw, quoted)
                                                        : raw.find('#');
    const std::string_view before_comment = raw.substr(0, comment);
    const std::string_view content = trimmed(before_comment);
    if (!json) expect_no_carriage_return(trimmed(raw), place);
    if (!content.empty()) {
      // Tabs may separate the fields of a CSV, of which the first and the last may be empty.
      const bool is_row = kind == TextKind::csv;
      lines.push_back(
          {number, is_row ? before_comment : content, after_comment, after_gap, header});
      after_comment = false;
      after_gap = false;
      continue;
    }
    after_gap = true;
    if (comment == raw.npos) continue;
    after_comment = true;
    const std::string lower = boost::to_lower_copy(std::string(trimmed(raw.substr(comment + 1))));
    BoardHeader changed = header ? *header : BoardHeader{};
    const bool says_more = with_error_prefix(place, [&] {
      return read_size_comment(lower, changed) || read_goal_comment(lower, changed) ||
             read_school_comment(lower, changed);
    });
    if (says_more) header = std::make_shared<const BoardHeader>(changed);
  }
  return lines;
}

void BoardCollector::finish(const BoardHeader* header, NamedBoard& board) const {
  if (options_.size) expect_size(board.board.size(), *options_.size);
  if (header != nullptr) {
    if (header->size) expect_size(board.board.size(), *header->size);
    if (!header->goal.empty()) board.goal = header->goal;
    // Where what the generator says is wrong, its goal is another one.
    if (board.goal.empty() && header->solvable_spirally) {
      const Goal spiral(Goal::Kind::spiral);
      const bool reaches = solvable(board.board, spiral.board(board.board.size()));
      if (reaches == *header->solvable_spirally) board.goal = to_string(spiral);
    }
  }
  if (board.id.empty()) board.id = std::to_string(found_);
  // Output lines are distinguished by their ids.
  if (!is_printable(board.id)) {
    bad_input("id " + quote(board.id) + " holds control characters, expected printable text");
  }
}

}  // namespace tessera
