// SPDX-License-Identifier: MIT
#include "puzzle/cells.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

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

// Brackets or quotes that hold one word, or nothing.
struct EnclosedCell {
  std::string_view word;
  std::size_t end;  // behind them
};

class PieceReader {
 public:
  PieceReader(std::string_view text, CellSyntax syntax) : text_(text), syntax_(syntax) {}

  [[nodiscard]] std::vector<Piece> read() const {
    std::vector<Piece> pieces;
    const std::string dividing = row_enclosures();
    for (std::size_t at = 0; at < text_.size();) {
      const char sign = sign_at(at);
      const bool may_be_cell = dividing.find(text_[at]) == dividing.npos;
      if (sign == 0) {
        pieces.push_back({0, take_word(at)});
      } else if (const auto cell = may_be_cell ? enclosed_cell(at) : std::nullopt) {
        pieces.push_back({0, cell->word});
        at = cell->end;
      } else {
        if (sign != ' ') pieces.push_back({sign, {}});
        ++at;
      }
    }
    const auto holds_word = [](const Piece& piece) { return !piece.cell.empty(); };
    if (std::ranges::none_of(pieces, holds_word))  // [] is no blank
      std::erase_if(pieces, [](const Piece& piece) { return piece.sign == 0; });
    return pieces;
  }

 private:
  // 0 in a word, and a space beyond the ends of the text.
  [[nodiscard]] char sign_at(std::size_t at) const {
    return at < text_.size() ? sign_of(text_[at], syntax_) : ' ';
  }
  std::string_view take_word(std::size_t& at) const {
    const std::size_t begin = at;
    while (sign_at(at) == 0) ++at;
    return text_.substr(begin, at - begin);
  }
  [[nodiscard]] bool opens(std::size_t at) const {
    return sign_at(at) == '"' || begins_with_bracket(text_.substr(at, 1));
  }

  // The kinds of quotes and opening brackets that do not always enclose a cell.
  [[nodiscard]] std::string row_enclosures() const {
    std::string kinds;
    char quote = 0;  // that is open
    for (std::size_t at = 0; at < text_.size(); ++at) {
      if (text_[at] == quote) {
        quote = 0;
      } else if (const auto cell = enclosed_cell(at)) {
        at = cell->end - 1;
      } else if (opens(at)) {
        if (kinds.find(text_[at]) == kinds.npos) kinds += text_[at];
        if (sign_at(at) == '"' && quote == 0) quote = text_[at];
      }
    }
    return kinds;
  }

  // The one that begins here. Quotes around nothing may also be part of doubled or tripled ones.
  [[nodiscard]] std::optional<EnclosedCell> enclosed_cell(std::size_t begin) const {
    if (!opens(begin)) return {};
    const char open = text_[begin];
    const bool is_quote = sign_at(begin) == '"';
    std::size_t end = begin + 1;
    const auto skip_blanks = [&] {
      while (end < text_.size() && sign_at(end) == ' ') ++end;
    };
    skip_blanks();
    const std::string_view word = take_word(end);
    skip_blanks();
    if (end == text_.size()) return {};
    const bool closes =
        is_quote ? text_[end] == open : std::string_view(")]}").find(text_[end]) != text_.npos;
    const auto is_part_of_more = [&](std::size_t next) {
      return sign_at(next) == 0 || (is_quote && next < text_.size() && text_[next] == open);
    };
    if (!closes || (word.empty() && (is_part_of_more(end + 1) || is_part_of_more(begin - 1))))
      return {};
    return EnclosedCell{word, end + 1};
  }

  std::string_view text_;
  CellSyntax syntax_;
};

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
  const std::vector<Piece> pieces = PieceReader(text, syntax).read();
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

std::string_view without_mark(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (text.starts_with(mark)) text.remove_prefix(mark.size());
  return text;
}

bool begins_with_bracket(std::string_view text) {
  return text.starts_with('{') || text.starts_with('[') || text.starts_with('(');
}

std::string with_plain_blanks(std::string_view text) {
  text = without_mark(text);
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
