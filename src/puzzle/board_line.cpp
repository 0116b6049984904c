// SPDX-License-Identifier: MIT
#include "puzzle/board_line.hpp"

#include <algorithm>
#include <boost/algorithm/string/case_conv.hpp>
#include <cctype>

#include "base/error.hpp"
#include "base/text.hpp"

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

// A row without header: the fields that are boards by themselves.
void add_csv_readings(std::string_view line, std::optional<Size> size, BoardReadings& found) {
  for (const char separator : csv_separators) {
    if (line.find(separator) == line.npos) continue;
    const std::vector<std::string> fields = csv_fields(line, separator);
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const BoardReadings readings = board_readings(fields[i], size);
      for (BoardReading reading : readings.boards) {
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
  if (colon == line.npos) return {"", line};
  return {std::string(trimmed(line.substr(0, colon))), line.substr(colon + 1)};
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

char header_separator(std::string_view line) {
  for (const char separator : csv_separators) {
    if (!header_columns(line, separator).empty()) return separator;
  }
  return 0;
}

// Tiles that are not quoted are fields of their own, where commas divide them.
NamedBoard parse_csv_row(std::string_view line, char separator,
                         const std::vector<std::string>& columns, std::optional<Size> size) {
  std::vector<std::string> fields = csv_fields(line, separator);
  if (fields.size() < columns.size()) {
    bad_input(counted(fields.size(), "field") + ", expected " + std::to_string(columns.size()) +
              " as the header has");
  }
  const std::size_t surplus = fields.size() - columns.size();
  NamedBoard named;
  std::string tiles;
  for (std::size_t column = 0, i = 0; column < columns.size(); ++column) {
    std::string text = fields[i++];
    if (columns[column] == "board") {
      for (std::size_t more = 0; more < surplus; ++more) text.append(",").append(fields[i++]);
      tiles = text;
    }
    if (columns[column] == "id") named.id = text;
    if (columns[column] == "goal") named.goal = text;
    if (columns[column] == "size" && !text.empty()) size = parse_size(text);
  }
  const BoardReading reading = only_reading(board_readings(tiles, size), tiles, size);
  named.board = reading.board;
  if (named.id.empty()) named.id = reading.id;
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
  const BoardReading reading = only_reading(line_readings(line, size), split_id(line).tiles, size);
  return {reading.id, reading.board, ""};
}

bool is_csv_header(std::string_view line) {
  return header_separator(line) != 0;
}

void read_csv(const std::vector<TextLine>& lines, BoardCollector& boards) {
  const TextLine& header = lines[0];
  const char separator = header_separator(header.text);
  const std::vector<std::string> columns = header_columns(header.text, separator);
  if (std::ranges::count(columns, "board") != 1) {
    boards.fail(header.number,
                "no column \"board\" in " + quote(header.text) + ", expected such as id,board");
  }
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const BoardHeader* const comments = lines[i].header.get();
    boards.add(comments, lines[i].number, [&] {
      return parse_csv_row(lines[i].text, separator, columns, boards.size(comments));
    });
  }
}

}  // namespace tessera
