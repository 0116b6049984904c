// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/puzzle/board.hpp"

namespace tessera {

/// How boards stand in a file.
///   lines:  a board a line, `#` starts a comment, an optional `id:` before the tiles
///   blocks: the n-puzzle school format: `#` comments, a line `N` or `W H`, then the rows
///   json:   JSON lines, {"id":..., "size":"4x4", "board":[...]}; result files are such files
///
/// In lines and blocks a comment line of exactly the form `# size 8x2, goal first` gives the size
/// and the goal of the boards that follow it; the goal may also be the tiles of a board. Any other
/// comment says nothing.
enum class BoardFormat { automatic, lines, blocks, json };

/// Throws Error(input).
[[nodiscard]] BoardFormat parse_board_format(std::string_view text);

struct NamedBoard {
  std::string id;  ///< as given, else the board's number in its file, from 1
  Board board;
  std::string goal;  ///< as a json line or the comment before it gives it, else empty
};

struct BoardFileOptions {
  BoardFormat format = BoardFormat::automatic;
  std::optional<Size> size;  ///< boards of another size are an error
  /// Called with "FILE:LINE: what is wrong" for each bad board; where absent the first one throws
  /// Error(input).
  std::function<void(const std::string&)> on_bad_board;
};

/// Reads all boards of a file, `-` being the standard input. Throws Error(input) where the file
/// cannot be read, is binary or holds no board.
[[nodiscard]] std::vector<NamedBoard> read_boards(const std::string& path,
                                                  const BoardFileOptions& options);

/// The same from text; `name` stands for the file in messages.
[[nodiscard]] std::vector<NamedBoard> parse_boards(std::string_view text, const std::string& name,
                                                   const BoardFileOptions& options);

/// The comment line to stand before boards of that size and goal (as to_string(Goal) has it), so
/// that they are read back without options; empty where they are anyway, and for json, whose lines
/// hold both.
[[nodiscard]] std::string format_board_header(Size size, const std::string& goal,
                                              BoardFormat format);

/// One board in a format, ready to be read back, ended by a newline. `automatic` is `lines`.
[[nodiscard]] std::string format_board(const NamedBoard& board, BoardFormat format);

/// The whole of a text file, `-` being the standard input, without a byte order mark. Throws
/// Error(input).
[[nodiscard]] std::string read_text_file(const std::string& path);

/// The name under which messages speak of a file.
[[nodiscard]] std::string file_name(const std::string& path);

}  // namespace tessera
