// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// A row of a board as written. An empty cell is an empty text.
struct CellRow {
  std::vector<std::string_view> cells;
  bool opens_empty = false;  ///< a separator before the first cell: an empty cell, or nothing
  bool ends_empty = false;   ///< the same after the last cell
};

/// What line breaks and tabs mean: a line is a row, or the rest of the one before; a tab is a
/// blank, or like a comma, so that there is an empty cell between two.
struct CellSyntax {
  bool lines_are_rows = true;
  bool tabs_are_commas = false;
};

/// Splits a text into rows of cells. Blanks and commas divide cells. Line breaks, `/`, `;`, `|`,
/// brackets and quotes divide rows; but those that would leave one cell in every row divide cells:
/// 1;2;3 on lines is rows of three cells. Brackets or quotes of a kind that encloses at most one
/// word each are cells, blank if they enclose nothing.
[[nodiscard]] std::vector<CellRow> split_cells(std::string_view text, CellSyntax syntax);

/// Without the byte order mark that some editors put before UTF-8; it has no meaning.
[[nodiscard]] std::string_view without_mark(std::string_view text);

/// The text without byte order mark, with other Unicode spaces, such as no-break spaces, replaced
/// by plain ones.
[[nodiscard]] std::string with_plain_blanks(std::string_view text);

[[nodiscard]] bool begins_with_bracket(std::string_view text);

/// Whether a cell shows the blank: nothing, 0, or one of _ __ . - x X.
[[nodiscard]] bool is_blank_cell(std::string_view cell);

}  // namespace tessera
