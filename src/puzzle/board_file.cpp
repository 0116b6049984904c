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

// Some editors put it before UTF-8; it has no meaning.
std::string_view without_mark(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (text.starts_with(mark)) text.remove_prefix(mark.size());
  return text;
}

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
  const bool json = format == BoardFormat::json || (automatic && begins_with_bracket(first));
  if (json && read_list(text, boards)) return;
  if (json && (first.starts_with('{') || !automatic)) return read_objects(text, boards);
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
  const std::string plain = with_plain_blanks(without_mark(line));
  const std::string_view first = trimmed(plain);
  BoardCollector boards("", options_, number - 1);
  if (options_.format == BoardFormat::json || begins_with_bracket(first)) {
    if (first.empty()) return {};
    if (first.starts_with('{') || !read_list(plain, boards)) read_objects(plain, boards);
  } else {
    std::vector<TextLine> lines =
        split_lines(plain, "", csv_header_.empty() ? TextKind::lines : TextKind::csv, header_);
    if (lines.empty()) return {};
    if (csv_header_.empty() && csv_header(lines[0].text).separator != 0) {
      csv_header_ = lines[0].text;
      return {};
    }
    if (!csv_header_.empty()) {
      lines.insert(lines.begin(), {0, csv_header_});
      read_csv(lines, boards);
    } else {
      boards.add(lines[0].header.get(), 1, [&] {
        return parse_board_line(lines[0].text, boards.size(lines[0].header.get()));
      });
    }
  }
  std::vector<NamedBoard> found = boards.take();
  if (found.size() != 1) bad_input(counted(found.size(), "board") + " on a line, expected one");
  return std::move(found[0]);
}

std::vector<NamedBoard> parse_boards(std::string_view text, const std::string& name,
                                     const BoardFileOptions& options) {
  const std::string plain = with_plain_blanks(without_mark(text));
  BoardCollector boards(name, options);
  read_text(plain, options.format, boards);
  if (boards.found() == 0) {
    boards.fail(1, "no board in this file, expected at least one in lines, blocks or json");
  }
  return boards.take();
}

}  // namespace tessera
