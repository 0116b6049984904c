// SPDX-License-Identifier: MIT
#include <string>

#include "base/text.hpp"
#include "puzzle/board_file.hpp"
#include "puzzle/board_json.hpp"

namespace tessera {
namespace {

// The tiles, with `row_end` after each row but the last.
std::string tiles_by_rows(const Board& board, char row_end) {
  std::string text;
  for (int cell = 0; cell < board.size().cells(); ++cell) {
    if (cell > 0) text += board.size().column(cell) == 0 ? row_end : ' ';
    text += std::to_string(board.tile(cell));
  }
  return text;
}

// In quotes where some reader of CSV needs them.
std::string field(const std::string& text) {
  return csv_field(text, ",;\"#\n\r \t");
}

}  // namespace

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
      return field(board.id) + "," + to_string(size) + "," + field(board.goal) + "," +
             field(to_string(board.board)) + "\n";
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
