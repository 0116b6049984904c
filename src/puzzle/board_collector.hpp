// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "puzzle/board_file.hpp"

namespace tessera {

/// What comments say about the boards after them: `# size 4x3, goal first`, `# goal: spiral`, or
/// the sentence of a school's generator, `# This puzzle is solvable`, whose goal is the spiral.
struct BoardHeader {
  std::optional<Size> size;
  std::string goal;                       ///< empty if none is named
  std::optional<bool> solvable_spirally;  ///< what that sentence says
};

/// A line with content.
struct TextLine {
  int number = 0;
  std::string_view text;       ///< without comment and, but for a CSV, spaces around
  bool after_comment = false;  ///< the previous line is only a comment
  bool after_gap = false;      ///< the previous line has no content
  std::shared_ptr<const BoardHeader> header = {};  ///< may be null
};

enum class TextKind { lines, csv, json };

/// Comments are cut off, except in JSON; in a CSV, none begins within quotes. Throws Error(input)
/// with the place for bytes that no text has, lines that are too long and comments with a wrong
/// size or goal. `header`: what comments before the text said, then also those in it.
[[nodiscard]] std::vector<TextLine> split_lines(std::string_view text, const std::string& name,
                                                TextKind kind,
                                                std::shared_ptr<const BoardHeader>& header);
[[nodiscard]] inline std::vector<TextLine> split_lines(std::string_view text,
                                                       const std::string& name, TextKind kind) {
  std::shared_ptr<const BoardHeader> header;
  return split_lines(text, name, kind, header);
}

/// The first # that is not within quotes. `quoted`: whether the text before ended within them, then
/// whether this one does.
[[nodiscard]] std::size_t comment_start(std::string_view line, bool& quoted);

/// Numbers the boards of a file, gives them what comments say, and passes on what is wrong with bad
/// ones.
class BoardCollector {
 public:
  /// `before`: how many boards come before, in numbers that are ids.
  BoardCollector(std::string name, const BoardFileOptions& options, int before = 0)
      : name_(std::move(name)), options_(options), found_(before) {}

  /// Adds the board that `parse` returns. An error gets its line, which `parse` may change, and
  /// goes to the caller's handler.
  template <class Parse>
  void add(const BoardHeader* header, const int& line, Parse parse) {
    ++found_;
    try {
      NamedBoard board = parse();
      finish(header, board);
      board.line = line;
      boards_.push_back(std::move(board));
    } catch (const Error& error) {
      const std::string message = line_place(name_, line) + error.what();
      if (!options_.on_bad_board) throw Error(error.kind(), message);
      options_.on_bad_board(message);
    }
  }

  [[noreturn]] void fail(int line, const std::string& what) const {
    bad_input(line_place(name_, line) + what);
  }

  /// The size that all boards after this header have, if it is known.
  [[nodiscard]] std::optional<Size> size(const BoardHeader* header) const {
    return header != nullptr && header->size ? header->size : options_.size;
  }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] int found() const { return found_; }
  [[nodiscard]] std::vector<NamedBoard> take() { return std::move(boards_); }

 private:
  void finish(const BoardHeader* header, NamedBoard& board) const;

  std::string name_;
  const BoardFileOptions& options_;
  std::vector<NamedBoard> boards_;
  int found_;
};

}  // namespace tessera
