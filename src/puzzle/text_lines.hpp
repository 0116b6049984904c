// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "puzzle/board.hpp"

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
  std::string_view text;                           ///< without comment and blanks around
  bool after_comment = false;                      ///< the previous line is only a comment
  bool after_gap = false;                          ///< the previous line has no content
  std::shared_ptr<const BoardHeader> header = {};  ///< may be null
};

/// Comments are cut off, unless `json`. Throws Error(input) with the place for bytes that no text
/// has, lines that are too long and comments with a wrong size or goal.
[[nodiscard]] std::vector<TextLine> split_lines(std::string_view text, const std::string& name,
                                                bool json);

/// "FILE:LINE: "
[[nodiscard]] std::string line_place(const std::string& name, int line);

}  // namespace tessera
