// SPDX-License-Identifier: MIT
#include "puzzle/cells.hpp"

#include <algorithm>
#include <map>

namespace tessera {
namespace {

// A cell, or one of the signs  \n / ; | [ " ,  where [ stands for all brackets and " for all
// quotes.
struct Piece {
  char sign = 0;          // 0 for a cell
  std::string_view cell;  // of a cell
};

char sign_of(char c, CellSyntax syntax) {
  constexpr std::string_view written = " \r\t\n/;|,()[]{}\"'`";
  constexpr std::string_view meant = "  \t\n/;|,[[[[[[\"\"\"";
  const std::size_t at = written.find(c);
  if (at == written.npos) return 0;
  if (c == '\t') return syntax.tabs_are_commas ? ',' : ' ';
  if (c == '\n') return syntax.lines_are_rows ? '\n' : ' ';
  return meant[at];
}

std::vector<Piece> pieces_of(std::string_view text, CellSyntax syntax) {
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < text.size();) {
    if (const char sign = sign_of(text[i], syntax); sign != 0) {
      if (sign != ' ') pieces.push_back({sign, {}});
      ++i;
      continue;
    }
    const std::size_t begin = i;
    while (i < text.size() && sign_of(text[i], syntax) == 0) ++i;
    pieces.push_back({0, text.substr(begin, i - begin)});
  }
  return pieces;
}

bool has_rows_of_several_cells(const std::vector<Piece>& pieces, std::string_view dividers) {
  int cells = 0;
  for (const Piece& piece : pieces) {
    if (piece.sign == 0 && ++cells > 1) return true;
    if (dividers.find(piece.sign) != dividers.npos) cells = 0;
  }
  return false;
}

// The signs that divide rows. While they leave no row of several cells, the commonest is dropped:
// it divides cells. Quotes go first, since they often enclose each cell.
std::string row_dividers(const std::vector<Piece>& pieces) {
  std::map<char, int> counts;
  for (const Piece& piece : pieces) {
    if (piece.sign != 0 && piece.sign != ',') ++counts[piece.sign];
  }
  std::string dividers;
  for (const auto& [sign, count] : counts) dividers += sign;
  std::ranges::sort(dividers, [&](char a, char b) {
    return std::pair(a == '"', counts[a]) < std::pair(b == '"', counts[b]);
  });
  while (!dividers.empty() && !has_rows_of_several_cells(pieces, dividers)) dividers.pop_back();
  return dividers;
}

}  // namespace

std::vector<CellRow> split_cells(std::string_view text, CellSyntax syntax) {
  const std::vector<Piece> pieces = pieces_of(text, syntax);
  const std::string dividers = row_dividers(pieces);
  std::vector<CellRow> rows(1);
  bool expects_cell = true;  // at the beginning of a row and after a separator
  const auto end_row = [&] {
    CellRow& row = rows.back();
    row.ends_empty = expects_cell && !row.cells.empty();
    if (row.cells.empty()) row = {};
    else rows.emplace_back();
    expects_cell = true;
  };
  for (const Piece& piece : pieces) {
    CellRow& row = rows.back();
    if (piece.sign == 0) {
      row.cells.push_back(piece.cell);
      expects_cell = false;
    } else if (dividers.find(piece.sign) != dividers.npos) {
      end_row();
    } else if (piece.sign == ',' || piece.sign == ';' || piece.sign == '|' || piece.sign == '/') {
      if (expects_cell && row.cells.empty() && !row.opens_empty) row.opens_empty = true;
      else if (expects_cell) row.cells.emplace_back();
      expects_cell = true;
    }
  }
  end_row();
  rows.pop_back();
  return rows;
}

std::string with_plain_blanks(std::string_view text) {
  // No-break, figure, thin, narrow no-break and ideographic space.
  static constexpr std::string_view blanks[] = {"\xC2\xA0", "\xE2\x80\x87", "\xE2\x80\x89",
                                                "\xE2\x80\xAF", "\xE3\x80\x80"};
  std::string plain;
  plain.reserve(text.size());
  while (!text.empty()) {
    const auto blank =
        std::ranges::find_if(blanks, [&](auto known) { return text.starts_with(known); });
    plain += blank == std::end(blanks) ? text.front() : ' ';
    text.remove_prefix(blank == std::end(blanks) ? 1 : blank->size());
  }
  return plain;
}

bool is_blank_cell(std::string_view cell) {
  static constexpr std::string_view blanks[] = {"", "0", "_", "__", ".", "-", "x", "X"};
  return std::ranges::find(blanks, cell) != std::end(blanks);
}

}  // namespace tessera
