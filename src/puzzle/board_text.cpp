// SPDX-License-Identifier: MIT
#include "puzzle/board_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "puzzle/cells.hpp"

namespace tessera {
namespace {

// More than a board has, so that the message can say how many there are.
constexpr std::size_t most_cells = 4096;

// Tiles by rows; their number may differ from row to row.
struct TileRows {
  std::vector<std::int64_t> tiles;
  std::vector<std::size_t> widths;
  bool shows_blank = false;
  void add(std::int64_t tile) {
    tiles.push_back(tile);
    shows_blank = shows_blank || tile == 0;
  }
};

std::size_t cell_count(const std::vector<CellRow>& rows) {
  std::size_t count = 0;
  for (const CellRow& row : rows) count += row.cells.size();
  return count;
}

// Each cell a number. Empty if there is one that is not.
std::optional<TileRows> as_numbers(const std::vector<CellRow>& rows) {
  TileRows numbers;
  for (const CellRow& row : rows) {
    for (const std::string_view cell : row.cells) {
      const auto tile = tile_number(cell);
      if (!tile) return {};
      numbers.add(*tile);
    }
    numbers.widths.push_back(row.cells.size());
  }
  return numbers;
}

// The tile that a character stands for: 0..9, then letters, in either case.
std::optional<std::int64_t> tile_letter(char c, bool x_is_blank) {
  if (is_blank_cell({&c, 1}) && (x_is_blank || (c != 'x' && c != 'X'))) return 0;
  const auto byte = static_cast<unsigned char>(c);
  if (std::isdigit(byte) != 0) return c - '0';
  if (byte < 0x80 && std::isalpha(byte) != 0) return std::tolower(byte) - 'a' + 10;
  return {};
}

// Each character a tile: cells of one character, or of several, which then are the rows.
std::optional<TileRows> as_characters(const std::vector<CellRow>& rows, bool x_is_blank) {
  const std::size_t length = rows.empty() ? 0 : rows[0].cells[0].size();
  if (length == 0 || length > Size::max_cells) return {};
  const bool cells_are_rows = length > 1;
  if (cells_are_rows && rows.size() > 1) return {};
  TileRows tiles;
  for (const CellRow& row : rows) {
    for (const std::string_view cell : row.cells) {
      if (cell.size() != length) return {};
      for (const char c : cell) {
        const auto tile = tile_letter(c, x_is_blank);
        if (!tile) return {};
        tiles.add(*tile);
      }
      if (cells_are_rows) tiles.widths.push_back(length);
    }
    if (!cells_are_rows) tiles.widths.push_back(row.cells.size());
  }
  return tiles;
}

bool is_each_once(std::span<const std::int64_t> tiles) {
  std::array<bool, Size::max_cells> seen{};
  if (tiles.size() > seen.size()) return false;
  for (const std::int64_t tile : tiles) {
    if (tile < 0 || tile >= static_cast<std::int64_t>(tiles.size())) return false;
    if (std::exchange(seen[static_cast<std::size_t>(tile)], true)) return false;
  }
  return true;
}

// Where no tile is the blank, the largest number is.
std::vector<std::int64_t> with_blank(const TileRows& rows) {
  std::vector<std::int64_t> tiles = rows.tiles;
  if (!rows.shows_blank) {
    std::ranges::replace(tiles, static_cast<std::int64_t>(tiles.size()), std::int64_t{0});
  }
  return tiles;
}

// Empty if neither the rows nor `size` nor the number of tiles gives one.
std::optional<Size> size_by_rows(const TileRows& rows, std::optional<Size> size) {
  if (rows.widths.size() <= 1) {
    return size ? size : square_size(static_cast<int>(rows.tiles.size()));
  }
  for (const std::size_t width : rows.widths) {
    if (width != rows.widths[0] || width > Size::max_cells) return {};
  }
  if (rows.widths.size() > Size::max_cells) return {};
  const Size found{static_cast<int>(rows.widths[0]), static_cast<int>(rows.widths.size())};
  if (!found.playable() || (size && *size != found)) return {};
  return found;
}

// The common case: numbers with spaces between them, each tile once, 0 among them. It has no other
// reading: without the first number, as an id, the others would have to fill a size, too.
std::optional<BoardReading> plain_reading(std::string_view text, std::optional<Size> size) {
  std::array<std::int64_t, Size::max_cells> tiles{};
  std::size_t count = 0;
  bool in_number = false;
  for (const char c : text) {
    const bool continues = std::exchange(in_number, c != ' ');
    if (c == ' ') continue;
    if (c < '0' || c > '9') return {};
    if (!continues && ++count > tiles.size()) return {};
    std::int64_t& tile = tiles[count - 1];
    tile = 10 * tile + (c - '0');
    if (tile >= Size::max_cells) return {};
  }
  const std::span<const std::int64_t> found(tiles.data(), count);
  if (!size) size = square_size(static_cast<int>(count));
  if (!size || size->cells() != static_cast<int>(count) || !is_each_once(found)) return {};
  return BoardReading{Board(*size, found), "", true};
}

// Collects different readings.
class Readings {
 public:
  explicit Readings(std::optional<Size> size) : size_(size) {}

  void add(const std::optional<TileRows>& rows, const std::string& id = {}) {
    if (!rows) return;
    const std::vector<std::int64_t> tiles = with_blank(*rows);
    if (!is_each_once(tiles)) return;
    const std::optional<Size> size = size_by_rows(*rows, size_);
    if (size && size->cells() == static_cast<int>(tiles.size())) {
      BoardReading reading{Board(*size, tiles), id, rows->shows_blank};
      if (std::ranges::find(found_.boards, reading) == found_.boards.end()) {
        found_.boards.push_back(std::move(reading));
      }
    } else if (!size && id.empty() && rows->widths.size() == 1 && has_divisor(tiles.size())) {
      found_.needs_size = true;
    }
  }

  void add_all(const std::vector<CellRow>& rows) {
    if (rows.empty()) return;
    const bool needed_size = found_.needs_size;
    const bool has_empty_cell = add_numbers(rows);
    add(as_characters(rows, true));
    add(as_characters(rows, false));
    // If an empty cell makes it a board, no other size is meant.
    if (has_empty_cell) found_.needs_size = needed_size;
  }

  // A number, then the tiles in one row.
  void add_all_behind_id(const std::vector<CellRow>& rows) {
    if (rows.size() != 1 || rows[0].cells.size() < 2) return;
    const auto& cells = rows[0].cells;
    if (!std::ranges::all_of(cells[0], [](char c) { return c >= '0' && c <= '9'; })) return;
    const std::string id(cells[0]);
    const std::vector<CellRow> rest{{{cells.begin() + 1, cells.end()}, false, false}};
    add(as_numbers(rest), id);
    if (cells.size() > 2) return;
    add(as_characters(rest, true), id);
    add(as_characters(rest, false), id);
    // Or two boards.
    if (cells[1].size() == id.size()) add(as_characters({{{cells[0]}, false, false}}, true));
  }

  // `N`, `W H` or `N -1`, then the rows, divided by / or the like; N is the width of a square or
  // its number of tiles.
  void add_behind_head(const std::vector<CellRow>& rows) {
    if (rows.size() < 3 || rows[0].cells.size() > 2) return;
    const std::optional<TileRows> head = as_numbers({rows[0]});
    if (!head) return;
    const std::vector<CellRow> rest(rows.begin() + 1, rows.end());
    const auto width = static_cast<std::int64_t>(rest[0].cells.size());
    const auto height = static_cast<std::int64_t>(rest.size());
    const std::int64_t first = head->tiles.front();
    const std::int64_t last = head->tiles.back();
    const bool names_goal =
        last == -1 && width == height && (first == width || first == width * width - 1);
    if ((first == width && last == height) || names_goal) add_numbers(rest);
  }

  [[nodiscard]] BoardReadings take() {
    if (found_.boards.empty()) found_.needs_size = false;
    return std::move(found_);
  }
  [[nodiscard]] bool empty() const { return found_.boards.empty(); }

 private:
  static bool has_divisor(std::size_t count) {
    for (std::size_t width = 2; width * 2 <= count; ++width) {
      if (count % width == 0) return true;
    }
    return false;
  }

  // A separator at the end of a row may be a mere end, or the blank may follow: then it is true.
  bool add_numbers(const std::vector<CellRow>& rows) {
    const std::optional<TileRows> numbers = as_numbers(rows);
    add(numbers);
    if (!numbers || numbers->shows_blank) return false;
    const std::size_t boards = found_.boards.size();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::vector<CellRow> changed = rows;
      auto& cells = changed[i].cells;
      if (rows[i].opens_empty) {
        cells.insert(cells.begin(), std::string_view());
        add(as_numbers(changed));
        cells.erase(cells.begin());
      }
      if (rows[i].ends_empty) {
        cells.emplace_back();
        add(as_numbers(changed));
      }
    }
    return found_.boards.size() > boards;
  }

  std::optional<Size> size_;
  BoardReadings found_;
};

// The first field of a CSV is no head but an id: something else divides the rows.
bool may_have_head(std::string_view text) {
  constexpr std::string_view dividers = "/;|";
  const std::size_t first = text.find_first_of(dividers);
  return text.find_first_of("\n\t[({\"'`") == text.npos && first != text.npos &&
         std::ranges::none_of(
             text, [&](char c) { return dividers.find(c) != dividers.npos && c != text[first]; });
}

std::string described(const BoardReading& reading) {
  return (reading.id.empty() ? "" : "id " + quote(reading.id) + " and ") + "a board of " +
         to_string(reading.board.size()) + " that begins with tile " +
         std::to_string(reading.board.tile(0));
}

[[noreturn]] void refuse_two(const BoardReadings& readings) {
  const BoardReading& first = readings.boards[0];
  if (!readings.needs_size) {
    bad_input("two readings: " + described(first) + ", or " + described(readings.boards[1]) +
              ", expected a text with one");
  }
  const int cells = first.board.size().cells() + 1;
  bad_input("two readings: " + described(first) + ", or a board of " + std::to_string(cells) +
            " tiles, expected " + (first.id.empty() ? "an id" : first.id) +
            ": before the tiles of the first, or --size WxH for the second");
}

// Says what is wrong with a text that has no reading.
[[noreturn]] void refuse_none(const std::vector<CellRow>& rows, std::optional<Size> size) {
  std::optional<TileRows> tiles = as_numbers(rows);
  // A board of characters has a 1.
  const bool has_one = std::ranges::any_of(rows, [](const CellRow& row) {
    return std::ranges::any_of(row.cells, [](auto cell) { return cell.find('1') != cell.npos; });
  });
  const auto characters = has_one ? as_characters(rows, true) : std::nullopt;
  const bool has_letters = characters && (!tiles || rows[0].cells[0].size() > 2);
  if (has_letters) tiles = characters;
  if (!tiles) {
    for (const CellRow& row : rows) {
      for (const std::string_view cell : row.cells) {
        if (tile_number(cell)) continue;
        bad_input(quote(cell) + " is not a number, expected tiles such as 1 2 3 0");
      }
    }
  }
  const TileRows& read = *tiles;
  const std::size_t count = read.tiles.size();
  if (count == 0) bad_input("no tiles, expected a list such as 1 2 3 0");
  if (read.widths.size() > 1) {
    for (std::size_t i = 1; i < read.widths.size(); ++i) {
      if (read.widths[i] == read.widths[0]) continue;
      bad_input("row " + std::to_string(i + 1) + " has " + counted(read.widths[i], "tile") +
                ", expected " + std::to_string(read.widths[0]) + " as row 1 has");
    }
    const Size by_rows =
        parse_size(std::to_string(read.widths[0]) + "x" + std::to_string(read.widths.size()));
    if (size) expect_size(by_rows, *size);
    size = by_rows;
  }
  if (!size) size = square_size(static_cast<int>(count));
  if (!size) {
    const bool lacks_blank = !read.shows_blank && square_size(static_cast<int>(count) + 1) &&
                             std::ranges::max(read.tiles) == static_cast<std::int64_t>(count);
    const bool has_id = count > 1 && square_size(static_cast<int>(count) - 1);
    bad_input(counted(count, "tile") + (count == 1 ? " does" : " do") +
              " not form a square, expected --size WxH or a square number of tiles from 4 to 64" +
              (has_id ? "; an id is written " + std::to_string(read.tiles[0]) + ": before the tiles"
               : lacks_blank ? "; if the blank is missing, write it as 0"
                             : ""));
  }
  const int cells = size->cells();
  for (const std::int64_t tile : read.tiles) {
    if (!has_letters || static_cast<int>(count) != cells || tile < std::max(10, cells)) continue;
    bad_input(quote(std::string(1, static_cast<char>('a' + tile - 10))) + " is tile " +
              std::to_string(tile) + ", expected each of 0.." + std::to_string(cells - 1) +
              " once");
  }
  (void)Board(*size, read.tiles);
  bad_input(quote(rows[0].cells[0]) + "... is not a board, expected tiles such as 1 2 3 0");
}

}  // namespace

std::optional<std::int64_t> tile_number(std::string_view cell) {
  if (is_blank_cell(cell)) return 0;
  if (cell.front() == '+' || cell == "-0") return {};
  return parse_integer(cell);
}

BoardReadings board_readings(std::string_view text, std::optional<Size> size) {
  if (auto plain = plain_reading(text, size)) return {{*std::move(plain)}, false};
  Readings readings(size);
  const bool may_have_id = text.find_first_of("\n/|[({") == text.npos;
  const auto try_syntax = [&](CellSyntax syntax) {
    const std::vector<CellRow> rows = split_cells(text, syntax);
    if (cell_count(rows) > most_cells) return false;
    readings.add_all(rows);
    if (may_have_id) readings.add_all_behind_id(rows);
    if (may_have_head(text)) readings.add_behind_head(rows);
    return !readings.empty();
  };
  const bool has_tabs = text.find('\t') != text.npos;
  // As numpy prints a long list.
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n\"'`"), text.size());
  const bool wraps = begins_with_bracket(text.substr(begin)) && text.find('\n') != text.npos;
  (void)(try_syntax({}) || (has_tabs && try_syntax({.tabs_are_commas = true})) ||
         (wraps && try_syntax({.lines_are_rows = false})));
  return readings.take();
}

NamedBoard only_reading(const BoardReadings& readings, std::string_view text,
                        std::optional<Size> size) {
  if (readings.one()) return {readings.boards[0].id, readings.boards[0].board, ""};
  if (!readings.boards.empty()) refuse_two(readings);
  const std::vector<CellRow> rows = split_cells(text, {});
  if (cell_count(rows) > most_cells) bad_input("too many tiles, expected at most 64");
  refuse_none(rows, size);
}

NamedBoard parse_named_board(std::string_view text, std::optional<Size> size) {
  const std::string plain = with_plain_blanks(text);
  const BoardReadings readings = board_readings(plain, size);
  // A head, comments, an id or JSON, as in files.
  const bool may_be_file = plain.find_first_of("\n{:") != plain.npos;
  if (readings.boards.empty() && may_be_file) {
    try {
      const auto boards = parse_boards(plain, "board", {BoardFormat::automatic, size, {}});
      if (boards.size() == 1) return boards[0];
    } catch (const Error&) {
      // The other message is about the text itself.
    }
  }
  NamedBoard named = only_reading(readings, plain, size);
  if (named.id.empty()) named.id = "1";
  return named;
}

Board parse_board(std::string_view text, std::optional<Size> size) {
  return parse_named_board(text, size).board;
}

}  // namespace tessera
