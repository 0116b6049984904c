// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "puzzle/board_collector.hpp"
#include "puzzle/board_text.hpp"

namespace tessera {

/// All readings of a line as one board: tiles, `id: tiles`, or fields of a CSV, one of which is a
/// board.
[[nodiscard]] BoardReadings line_readings(std::string_view line, std::optional<Size> size);

/// The only one. Throws Error(input).
[[nodiscard]] NamedBoard parse_board_line(std::string_view line, std::optional<Size> size);

/// The line of a CSV that names its columns: one is `board`, or the first is `id`.
struct CsvHeader {
  char separator = 0;                ///< comma, semicolon, tab or bar; 0: the line is no header
  std::vector<std::string> columns;  ///< in lower case
  std::ptrdiff_t line = 0;           ///< of a text, from 1
};
[[nodiscard]] CsvHeader csv_header(std::string_view line);

/// The rows of a text of JSON lines, or of a CSV whose first line names the columns; without that
/// line, empty ones and comments. Keeps a view of the text.
class TextRows {
 public:
  explicit TextRows(std::string_view text) : rest_(text) {}

  struct Row {
    std::string_view text;  ///< several lines if a field in quotes has them
    std::ptrdiff_t line;    ///< its first, from 1
  };
  [[nodiscard]] std::optional<Row> next();
  /// Of a CSV, once a row was read.
  [[nodiscard]] const CsvHeader& header() const { return header_; }
  [[nodiscard]] bool is_csv() const { return header_.separator != 0; }

 private:
  std::string_view rest_;
  std::ptrdiff_t next_line_ = 1;
  bool is_first_ = true;  // row
  CsvHeader header_;
};

/// The fields of a row by column. Tiles that are not quoted are fields of their own, where commas
/// divide them. Throws Error(input) if there are fewer than columns, or if a quote
/// is not closed.
[[nodiscard]] std::map<std::string, std::string> csv_row(std::string_view line,
                                                         const CsvHeader& header);

/// Reads a CSV whose first line names the columns: `board` and optionally `id`, `size`, `goal`;
/// others are ignored.
void read_csv(const std::vector<TextLine>& lines, BoardCollector& boards);

/// Reads boards in lines, grids and blocks: those of `format`, or all of them mixed if it is
/// `automatic`. A first line may say how many boards follow.
void read_rows(std::span<const TextLine> lines, BoardFormat format, BoardCollector& boards);

}  // namespace tessera
