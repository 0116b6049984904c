// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>

#include "base/error.hpp"
#include "base/text.hpp"
#include "puzzle/board_file.hpp"
#include "puzzle/board_json.hpp"

namespace tessera {
namespace {

struct FormatName {
  std::string_view name;
  BoardFormat format;
};
constexpr FormatName format_names[] = {
    {"auto", BoardFormat::automatic}, {"lines", BoardFormat::lines}, {"slash", BoardFormat::slash},
    {"blocks", BoardFormat::blocks},  {"grid", BoardFormat::grid},   {"csv", BoardFormat::csv},
    {"json", BoardFormat::json}};

// The tiles, with `row_end` after each row but the last.
std::string tiles_by_rows(const Board& board, char row_end) {
  std::string text;
  for (int cell = 0; cell < board.size().cells(); ++cell) {
    if (cell > 0) text += board.size().column(cell) == 0 ? row_end : ' ';
    text += std::to_string(board.tile(cell));
  }
  return text;
}

// In quotes where a reader of CSV needs them.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",;\"\n\r \t") == text.npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

BoardFormat parse_board_format(std::string_view text) {
  const auto* const known = std::ranges::find(format_names, text, &FormatName::name);
  if (known != std::end(format_names)) return known->format;
  std::vector<std::string> names;
  for (const FormatName& format : format_names) names.emplace_back(format.name);
  bad_input("format " + unknown_name(text, names));
}

std::string format_board_header(Size size, const std::string& goal, BoardFormat format) {
  if (format == BoardFormat::csv) return "id,size,goal,board\n";
  const bool usual = size.width == size.height && goal == "last";
  if (format == BoardFormat::json || usual) return {};
  return "# size " + to_string(size) + ", goal " + goal + "\n";
}

std::string format_board(const NamedBoard& board, BoardFormat format) {
  const Size size = board.board.size();
  const std::string id = board.id.empty() ? "" : board.id + ": ";
  switch (format) {
    case BoardFormat::json:
      return format_board_json(board) + "\n";
    case BoardFormat::slash:
      return id + tiles_by_rows(board.board, '/') + "\n";
    case BoardFormat::csv:
      return csv_field(board.id) + "," + to_string(size) + "," + csv_field(board.goal) + "," +
             csv_field(to_string(board.board)) + "\n";
    case BoardFormat::grid:
      return tiles_by_rows(board.board, '\n') + "\n\n";
    case BoardFormat::blocks:
      return "# " + board.id + "\n" + std::to_string(size.width) +
             (size.width == size.height ? "" : " " + std::to_string(size.height)) + "\n" +
             tiles_by_rows(board.board, '\n') + "\n";
    case BoardFormat::automatic:
    case BoardFormat::lines:
      break;
  }
  return id + to_string(board.board) + "\n";
}

}  // namespace tessera
