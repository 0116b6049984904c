// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "puzzle/board.hpp"

namespace tessera {

/// The format of boards in a file; docs/formats.md has an example of each.
///   lines:  one board per line, `#` starts a comment, an optional `id:` before the tiles
///   slash:  the same, with `/` after each row
///   blocks: the n-puzzle school format: `#` comments, a line `N` or `W H`, then the rows
///   grid:   rows alone, with blank lines or comments between boards
///   csv:    a line that names the columns `board` and others, then one board per line
///   json:   JSON lines, {"id":..., "size":"4x4", "board":[...]}, as in result files
///
/// All but json accept comments: `# size 8x2, goal first` gives the size of the boards that follow
/// it and their goal, which may also be the tiles of a board, or be left out; `# goal: spiral`
/// gives the goal. All other comments are ignored.
enum class BoardFormat { automatic, lines, slash, blocks, grid, csv, json };
inline constexpr const char* board_format_names[] = {"auto", "lines", "slash", "blocks",
                                                     "grid", "csv",   "json"};

struct NamedBoard {
  std::string id;  ///< as given, else the board's number in its file, from 1
  Board board;
  std::string goal;  ///< from the json line or the header comment, else empty
  int line = 0;      ///< where it begins in its file, from 1
};

/// One board as parse_board() reads it, with the id and the goal that the text gives it.
[[nodiscard]] NamedBoard parse_named_board(std::string_view text, std::optional<Size> size);

struct BoardFileOptions {
  BoardFormat format = BoardFormat::automatic;
  std::optional<Size> size;  ///< boards of another size are an error
  /// Called with "FILE:LINE: what is wrong" for each bad board; if not set, the first bad board
  /// throws Error(input).
  std::function<void(const std::string&)> on_bad_board;
};

/// Reads all boards of a file, or standard input for `-`. Throws Error(input) if it cannot be read,
/// is binary or contains no boards.
[[nodiscard]] std::vector<NamedBoard> read_boards(const std::string& path,
                                                  const BoardFileOptions& options);

/// The same from text; messages call the file `name`.
[[nodiscard]] std::vector<NamedBoard> parse_boards(std::string_view text, const std::string& name,
                                                   const BoardFileOptions& options);

class BoardCollector;
struct BoardHeader;

/// Reads boards one by one from lines that arrive one by one.
class BoardLines {
 public:
  /// Of a format with a board on each line.
  explicit BoardLines(BoardFileOptions options) : options_(std::move(options)) {}

  /// The board on a line; without an id of its own, its id is `number`. Empty if the line is blank,
  /// a comment or the header of a CSV. Throws Error(input), whose message names no place.
  [[nodiscard]] std::optional<NamedBoard> read(std::string_view line, int number);

 private:
  /// False if no board is on it.
  bool read_text(std::string_view line, BoardCollector& boards);

  BoardFileOptions options_;
  std::shared_ptr<const BoardHeader> header_;  // what comments have said
  std::string csv_header_;
};

/// The line that precedes boards of this size and goal (as from to_string(Goal)), so that they can
/// be read back without options: a comment, or the header of a CSV; empty if they need none, and
/// for json, whose lines contain both.
[[nodiscard]] std::string format_board_header(Size size, const std::string& goal,
                                              BoardFormat format);

/// One board in the given format, with a final newline. `automatic` means `lines`.
[[nodiscard]] std::string format_board(const NamedBoard& board, BoardFormat format);

/// Reads a whole text file, or standard input for `-`, without its byte order mark. Throws
/// Error(input).
[[nodiscard]] std::string read_text_file(const std::string& path);

/// The name of a file in messages.
[[nodiscard]] std::string file_name(const std::string& path);

}  // namespace tessera
