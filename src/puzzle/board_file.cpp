// SPDX-License-Identifier: MIT
#include "puzzle/board_file.hpp"

#include <unistd.h>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "puzzle/board_collector.hpp"
#include "puzzle/board_json.hpp"
#include "puzzle/board_line.hpp"
#include "puzzle/cells.hpp"

namespace tessera {
namespace {

// Result files of millions of rows are smaller.
constexpr std::uint64_t most_text_bytes = std::uint64_t{4} << 30;

// The first line with content, without comment.
std::string_view first_content(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    const std::string_view content = trimmed(line.substr(0, line.find('#')));
    if (!content.empty()) return content;
  }
  return {};
}

void read_text(std::string_view text, BoardFormat format, BoardCollector& boards) {
  const bool automatic = format == BoardFormat::automatic;
  const std::string_view first = first_content(text);
  const bool json = format == BoardFormat::json || (automatic && begins_with_object(first));
  const bool may_be_list = json || (automatic && begins_with_bracket(first));
  if (may_be_list && read_list(text, boards)) return;
  if (json) return read_objects(text, boards);
  const bool csv = (automatic || format == BoardFormat::csv) && csv_header(first).separator != 0;
  const std::vector<TextLine> lines =
      split_lines(text, boards.name(), csv ? TextKind::csv : TextKind::lines);
  if (lines.empty()) return;
  if (csv) read_csv(lines, boards);
  else read_rows(lines, format, boards);
}

}  // namespace

std::string file_name(const std::string& path) {
  return path == "-" ? "<stdin>" : path;
}

std::string read_text_file(const std::string& path) {
  const std::string text = path == "-"
                               ? read_descriptor(STDIN_FILENO, file_name(path), most_text_bytes)
                               : read_file(path, most_text_bytes, Pipes::read);
  return std::string(without_mark(text));
}

std::vector<NamedBoard> read_boards(const std::string& path, const BoardFileOptions& options) {
  return parse_boards(read_text_file(path), file_name(path), options);
}

std::optional<NamedBoard> BoardLines::read(std::string_view line, int number) {
  const std::string plain = with_plain_blanks(line);
  const std::string_view first = trimmed(plain);
  BoardCollector boards("", options_, number - 1);
  const bool json = options_.format == BoardFormat::json || begins_with_object(first);
  if (json && first.empty()) return {};
  const bool is_list = (json || begins_with_bracket(first)) && read_list(plain, boards);
  if (json && !is_list) read_objects(plain, boards);
  else if (!is_list && !read_text(plain, boards)) return {};
  std::vector<NamedBoard> found = boards.take();
  if (found.size() != 1) bad_input(counted(found.size(), "board") + " on a line, expected one");
  return std::move(found[0]);
}

bool BoardLines::read_text(std::string_view line, BoardCollector& boards) {
  const bool is_csv = !csv_header_.empty();
  std::vector<TextLine> lines =
      split_lines(line, "", is_csv ? TextKind::csv : TextKind::lines, header_);
  if (lines.empty()) return false;
  const TextLine& first = lines[0];
  if (is_csv) {
    lines.insert(lines.begin(), {0, csv_header_});
    read_csv(lines, boards);
  } else if (csv_header(first.text).separator != 0) {
    csv_header_ = first.text;
    return false;
  } else {
    boards.add(first.header.get(), 1,
               [&] { return parse_board_line(first.text, boards.size(first.header.get())); });
  }
  return true;
}

std::vector<NamedBoard> parse_boards(std::string_view text, const std::string& name,
                                     const BoardFileOptions& options) {
  const std::string plain = with_plain_blanks(text);
  BoardCollector boards(name, options);
  read_text(plain, options.format, boards);
  if (boards.found() == 0) {
    boards.fail(1, "no board in this file, expected at least one in lines, blocks or json");
  }
  return boards.take();
}

}  // namespace tessera
