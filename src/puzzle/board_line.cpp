// SPDX-License-Identifier: MIT
#include "puzzle/board_line.hpp"

#include <algorithm>
#include <boost/algorithm/string/case_conv.hpp>
#include <cctype>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "puzzle/cells.hpp"

namespace tessera {
namespace {

constexpr std::string_view csv_separators = ",;\t|";

// Splits at `separator` outside quotes; a quote within quotes is doubled.
std::vector<std::string> csv_fields(std::string_view line, char separator) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"') {
      if (quoted && line.substr(i + 1).starts_with('"')) fields.back() += line[++i];
      else quoted = !quoted;
    } else if (c == separator && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  for (std::string& field : fields) field = std::string(trimmed(field));
  return fields;
}

bool has_open_quote(std::string_view line) {
  return std::ranges::count(line, '"') % 2 != 0;
}

// How many tiles a field lists; 0 if it is no list of tiles.
std::size_t tiles_in(std::string_view field) {
  std::size_t tiles = 0;
  for (const CellRow& row : split_cells(field, {})) {
    if (!std::ranges::all_of(row.cells, [](auto cell) { return tile_number(cell).has_value(); })) {
      return 0;
    }
    tiles += row.cells.size();
  }
  return tiles > 1 ? tiles : 0;
}

// A row without header: the fields that are boards by themselves. Beside a field that lists as many
// tiles or more but is no board, the fields are rows of a board with a mistake.
void add_csv_readings(std::string_view line, std::optional<Size> size, BoardReadings& found) {
  for (const char separator : csv_separators) {
    if (line.find(separator) == line.npos) continue;
    const std::vector<std::string> fields = csv_fields(line, separator);
    std::vector<BoardReadings> readings;
    std::size_t most_tiles = 0;  // of fields that are no boards
    for (const std::string& field : fields) {
      readings.push_back(board_readings(field, size));
      if (readings.back().boards.empty()) most_tiles = std::max(most_tiles, tiles_in(field));
    }
    for (std::size_t i = 0; i < fields.size(); ++i) {
      for (BoardReading reading : readings[i].boards) {
        if (static_cast<std::size_t>(reading.board.size().cells()) <= most_tiles) continue;
        if (i > 0) reading.id = fields[0];
        if (std::ranges::find(found.boards, reading) == found.boards.end()) {
          found.boards.push_back(std::move(reading));
        }
      }
    }
  }
}

struct NamedText {
  std::string id;
  std::string_view tiles;
};

NamedText split_id(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == line.npos || line.starts_with('{')) return {"", line};
  return {std::string(trimmed(line.substr(0, colon))), line.substr(colon + 1)};
}

// A line, or several if a field in quotes has them.
std::string_view take_csv_row(std::string_view& text) {
  bool quoted = false;
  const std::string_view first = take_line(text);
  (void)comment_start(first, quoted);
  const std::string_view after_first = text;
  std::string_view line = first;
  while (quoted && !text.empty()) {
    line = take_line(text);
    (void)comment_start(line, quoted);
  }
  if (quoted) {  // up to the end of the file: a mistake in this line
    text = after_first;
    return first;
  }
  return {first.data(), line.data() + line.size()};
}

// The columns of a header, in lower case; empty if the line is none.
std::vector<std::string> header_columns(std::string_view line, char separator) {
  std::vector<std::string> columns = csv_fields(line, separator);
  for (std::string& column : columns) boost::to_lower(column);
  const bool words = std::ranges::all_of(columns, [](const std::string& column) {
    return column.empty() || std::isalpha(static_cast<unsigned char>(column[0])) != 0;
  });
  const bool known = std::ranges::find(columns, "board") != columns.end() ||
                     (columns.size() > 1 && columns[0] == "id");
  return words && known ? columns : std::vector<std::string>{};
}

NamedBoard parse_csv_row(std::string_view line, const CsvHeader& header, std::optional<Size> size) {
  std::map<std::string, std::string> row = csv_row(line, header);
  if (!row["size"].empty()) size = parse_size(row["size"]);
  NamedBoard named = only_reading(board_readings(row["board"], size), row["board"], size);
  if (!row["id"].empty()) named.id = row["id"];
  named.goal = row["goal"];
  return named;
}

}  // namespace

BoardReadings line_readings(std::string_view line, std::optional<Size> size) {
  const auto [id, tiles] = split_id(line);
  BoardReadings readings = board_readings(tiles, size);
  if (readings.boards.empty()) add_csv_readings(tiles, size, readings);
  for (BoardReading& reading : readings.boards) {
    if (!id.empty()) reading.id = id;
  }
  return readings;
}

NamedBoard parse_board_line(std::string_view line, std::optional<Size> size) {
  return only_reading(line_readings(line, size), split_id(line).tiles, size);
}

std::optional<TextRows::Row> TextRows::next() {
  while (!rest_.empty()) {
    const std::string_view text = is_csv() ? take_csv_row(rest_) : take_line(rest_);
    const auto line = std::exchange(next_line_, next_line_ + 1 + std::ranges::count(text, '\n'));
    const std::string_view content = trimmed(text);
    if (content.empty() || content.starts_with('#')) continue;
    if (std::exchange(is_first_, false)) {
      header_ = csv_header(content);
      header_.line = line;
      if (is_csv()) continue;
    }
    return Row{text, line};
  }
  return {};
}

CsvHeader csv_header(std::string_view line) {
  bool quoted = false;
  line = line.substr(0, comment_start(line, quoted));
  for (const char separator : csv_separators) {
    std::vector<std::string> columns = header_columns(line, separator);
    if (!columns.empty()) return {.separator = separator, .columns = std::move(columns)};
  }
  return {};
}

std::map<std::string, std::string> csv_row(std::string_view line, const CsvHeader& header) {
  bool quoted = false;
  line = line.substr(0, comment_start(line, quoted));
  if (quoted) bad_input("a quote is not closed");
  for (const std::string& column : header.columns) {
    if (!column.empty() && std::ranges::count(header.columns, column) > 1) {
      bad_input("the header has several columns " + quote(column) + ", expected one");
    }
  }
  std::vector<std::string> fields = csv_fields(line, header.separator);
  const std::size_t columns = header.columns.size();
  while (fields.size() > columns && fields.back().empty()) fields.pop_back();
  const auto wrong_count = [&] {
    bad_input(counted(fields.size(), "field") + ", expected " + std::to_string(columns) +
              " as the header has");
  };
  if (fields.size() < columns) wrong_count();
  std::map<std::string, std::string> row;
  std::size_t surplus = fields.size() - columns;
  for (std::size_t column = 0, i = 0; column < columns; ++column) {
    std::string& text = row[header.columns[column]];
    text = fields[i++];
    if (header.columns[column] != "board" || surplus == 0) continue;
    const std::string first = text;
    bool has_rows = false;  // several tiles in a field
    for (; surplus > 0; --surplus) {
      has_rows = has_rows || split_fields(fields[i]).size() > 1;
      text.append(",").append(fields[i++]);
    }
    const auto is_board = [](const std::string& tiles) {
      return !board_readings(tiles, {}).boards.empty();
    };
    if (!has_rows && is_board(first) && !is_board(text)) wrong_count();
  }
  return row;
}

void read_csv(const std::vector<TextLine>& lines, BoardCollector& boards) {
  const CsvHeader header = csv_header(lines[0].text);
  if (std::ranges::count(header.columns, "board") == 0) {
    boards.fail(lines[0].number, "no column \"board\" in " + quote(trimmed(lines[0].text)) +
                                     ", expected a header such as id,board");
  }
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::size_t at = i;
    const TextLine& first = lines[at];
    std::string row(first.text);
    bool open = has_open_quote(row);
    while (open && i + 1 < lines.size()) {
      row.append("\n").append(lines[++i].text);
      open ^= has_open_quote(lines[i].text);
    }
    if (open) {  // up to the end of the file: a mistake in this line
      row = first.text;
      i = at;
    }
    const BoardHeader* const comments = first.header.get();
    boards.add(comments, first.number,
               [&] { return parse_csv_row(row, header, boards.size(comments)); });
  }
}

}  // namespace tessera
