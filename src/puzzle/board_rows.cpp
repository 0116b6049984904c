// SPDX-License-Identifier: MIT
#include "puzzle/board_line.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "puzzle/board_text.hpp"
#include "puzzle/cells.hpp"
#include "puzzle/goal.hpp"

namespace tessera {
namespace {

// The whole numbers of a text that holds nothing else and no more than `most`; else none. Numbers
// that no block header contains become -2 or 65.
std::vector<int> numbers_of(std::string_view text, std::size_t most) {
  std::vector<int> numbers;
  for (const std::string_view field : split_fields(text)) {
    const auto number = parse_integer(field);
    if (!number || numbers.size() == most) return {};
    numbers.push_back(static_cast<int>(std::clamp<std::int64_t>(*number, -2, Size::max_cells + 1)));
  }
  return numbers;
}

// What stands before the rows of a block: `N`, `W H` or `N -1`; or a line with the number of tiles
// and one with the goal's cell of the blank, -1 being the last.
struct BlockHead {
  Size size;
  std::string goal;
  std::size_t lines = 1;
};

class RowReader {
 public:
  RowReader(std::span<const TextLine> lines, BoardFormat format, BoardCollector& boards)
      : lines_(lines),
        format_(format == BoardFormat::slash ? BoardFormat::lines : format),
        boards_(boards) {}

  void read() {
    while (at_ < lines_.size()) {
      if (!read_board() && !(at_ == 0 && read_count())) report();
    }
    if (count_ && boards_.found() != *count_) {
      boards_.fail(lines_[0].number, "the first line announces " + counted(*count_, "board") +
                                         ", but the file holds " + std::to_string(boards_.found()));
    }
  }

 private:
  [[nodiscard]] bool reads(BoardFormat format) const {
    return format_ == format || format_ == BoardFormat::automatic;
  }
  [[nodiscard]] std::optional<Size> size() const { return boards_.size(lines_[at_].header.get()); }

  bool read_board() {
    return (reads(BoardFormat::grid) && read_grid()) ||
           (reads(BoardFormat::blocks) && read_block()) ||
           (reads(BoardFormat::lines) && read_line());
  }

  // ---- lines

  // Of a line as a board; the last few are remembered.
  const BoardReadings& readings(std::size_t i) {
    auto& [known, found] = remembered_[i % remembered_.size()];
    if (known != i) {
      known = i;
      found = line_readings(lines_[i].text, boards_.size(lines_[i].header.get()));
    }
    return found;
  }
  bool is_board(std::size_t i) { return i < lines_.size() && !readings(i).boards.empty(); }
  bool shows_blank(std::size_t i) { return is_board(i) && readings(i).boards[0].shows_blank; }

  // 1 2 3 4 is a board whose largest tile is the blank, but probably not above lines that are no
  // boards.
  bool stands_among_boards() {
    const std::size_t end = end_of_run();
    if (!run_.all_boards) {
      std::size_t i = at_;
      while (i < end && is_board(i)) ++i;
      run_.all_boards = i == end;
    }
    return *run_.all_boards;
  }

  bool read_line() {
    if (!is_board(at_) || (!shows_blank(at_) && !stands_among_boards())) return false;
    add_line();
    return true;
  }

  void add_line() {
    const TextLine& line = lines_[at_];
    boards_.add(line.header.get(), line.number, [&] {
      const BoardReadings& known = readings(at_);
      const std::optional<Size> size = boards_.size(line.header.get());
      return known.one() ? only_reading(known, line.text, size) : parse_board_line(line.text, size);
    });
    ++at_;
    last_ = BoardFormat::lines;
  }

  // ---- grids

  // Behind the last line before a blank line or a comment.
  [[nodiscard]] std::size_t end_of_run() {
    if (at_ >= run_.end) {
      run_ = {.end = at_ + 1};
      while (run_.end < lines_.size() && !lines_[run_.end].after_gap) ++run_.end;
    }
    return run_.end;
  }

  [[nodiscard]] std::string joined(std::size_t first, std::size_t count) const {
    std::string text;
    for (const TextLine& line : lines_.subspan(first, count)) text.append(line.text).append("\n");
    return text;
  }

  // The cells of a line, at least and at most, as those at its ends may be empty; {0, 0} if it is
  // no row.
  struct Width {
    std::size_t least = 0;
    std::size_t most = 0;
  };
  static Width width_of(const TextLine& line) {
    const auto rows = split_cells(line.text, {});
    if (rows.size() != 1) return {};
    const std::size_t cells = rows[0].cells.size();
    return {cells, cells + (rows[0].opens_empty ? 1U : 0U) + (rows[0].ends_empty ? 1U : 0U)};
  }

  // Behind the last line that may be a row as the first is.
  [[nodiscard]] std::size_t end_of_rows() {
    if (at_ < rows_end_) return rows_end_;
    const Width first = width_of(lines_[at_]);
    const std::size_t end = end_of_run();
    for (rows_end_ = at_ + 1; rows_end_ < end; ++rows_end_) {
      const Width next = width_of(lines_[rows_end_]);
      if (next.least > first.most || next.most < first.least) break;
    }
    return rows_end_;
  }

  // Lines that together are the rows of a board, as many as possible: the first rows of a board may
  // be a smaller one. Boards that follow each other without a gap have the same height.
  bool read_grid() {
    if (shows_blank(at_) && shows_blank(at_ + 1)) return false;
    const auto cells = split_cells(lines_[at_].text, {});
    if (cells.size() != 1) return false;
    const std::size_t width =
        cells[0].cells.size() > 1 ? cells[0].cells.size() : cells[0].cells[0].size();
    if (width == 0) return false;  // a lone empty cell
    const std::size_t end = end_of_rows();
    const std::size_t rows = end - at_;
    // Above a row of another width they may be part of a bad board.
    const bool is_followed = end < lines_.size() && !lines_[end].after_gap;
    for (std::size_t height = std::min(rows, Size::max_cells / width); height >= 2; --height) {
      if (rows % height != 0) continue;
      const BoardReadings found = board_readings(joined(at_, height), size());
      if (!found.one()) continue;
      if ((height < rows || is_followed) && !found.boards[0].shows_blank) continue;
      boards_.add(lines_[at_].header.get(), lines_[at_].number, [&] {
        return NamedBoard{"", found.boards[0].board, ""};
      });
      at_ += height;
      last_ = BoardFormat::grid;
      return true;
    }
    return false;
  }

  // ---- blocks

  [[nodiscard]] std::vector<BlockHead> heads() const {
    std::vector<BlockHead> heads;
    const auto add = [&](std::optional<Size> size, const std::string& goal, std::size_t lines) {
      if (size && size->playable()) heads.push_back({*size, goal, lines});
    };
    const std::vector<int> numbers = numbers_of(lines_[at_].text, 2);
    if (numbers.empty()) return heads;
    const int first = numbers[0];
    const auto square = square_size(first + 1);
    if (numbers.size() == 2) {
      add(Size{first, numbers[1]}, "", 1);
      if (numbers[1] != -1) return heads;
      add(Size{first, first}, "last", 1);
      add(square, "last", 1);
      return heads;
    }
    add(Size{first, first}, "", 1);
    if (!square || at_ + 1 >= lines_.size()) return heads;
    const std::vector<int> cell = numbers_of(lines_[at_ + 1].text, 1);
    if (cell.empty() || cell[0] < -1 || cell[0] > first) return heads;
    const int blank = cell[0] == -1 ? first : cell[0];
    add(square,
        blank == first ? "last"
        : blank == 0   ? "first"
                       : to_string(ordered_board(*square, blank)),
        2);
    return heads;
  }

  bool read_block() {
    for (const BlockHead& head : heads()) {
      const auto height = static_cast<std::size_t>(head.size.height);
      if (at_ + head.lines + height > lines_.size()) continue;
      const std::string rows = joined(at_ + head.lines, height);
      const BoardReadings found = board_readings(rows, head.size);
      if (!found.one()) continue;
      boards_.add(lines_[at_].header.get(), lines_[at_].number, [&] {
        return NamedBoard{"", found.boards[0].board, head.goal};
      });
      at_ += head.lines + height;
      last_ = BoardFormat::blocks;
      return true;
    }
    return false;
  }

  // If rows are missing: a header after a comment, which cannot be a row of this board.
  static bool begins_next_board(const TextLine& line, Size size) {
    const std::vector<int> numbers = numbers_of(line.text, 2);
    return line.after_comment && !numbers.empty() && static_cast<int>(numbers.size()) != size.width;
  }

  static Size parse_head(std::string_view text) {
    if (numbers_of(text, 2).empty()) {
      bad_input(quote(text) + " is not a block header, expected N or W H");
    }
    const auto fields = split_fields(text);
    const std::string_view height = fields.back() == "-1" ? fields.front() : fields.back();
    return parse_size(std::string(fields.front()) + "x" + std::string(height));
  }

  // A block without a reading: says what is wrong with it.
  void report_block() {
    const TextLine& header = lines_[at_++];
    std::optional<Size> size;
    int place = header.number;
    boards_.add(header.header.get(), place, [&] {
      size = parse_head(header.text);
      const std::size_t first_row = at_;
      const std::size_t end = std::min(at_ + static_cast<std::size_t>(size->height), lines_.size());
      while (at_ < end && !begins_next_board(lines_[at_], *size)) ++at_;
      return parse_rows(*size, lines_.subspan(first_row, at_ - first_row), place);
    });
    // After an invalid header, the next board starts after the next comment, if anywhere.
    if (!size) {
      while (at_ < lines_.size() && !lines_[at_].after_comment) ++at_;
    }
  }

  // If a row is wrong, `place` becomes its line.
  static NamedBoard parse_rows(Size size, std::span<const TextLine> rows, int& place) {
    const int header = place;
    std::vector<std::int64_t> tiles;
    int wrong = 0;  // the first row with a repeated or invalid tile
    for (const TextLine& row : rows) {
      place = row.number;
      std::vector<std::string_view> fields;
      for (const CellRow& part : split_cells(row.text, {})) {
        fields.insert(fields.end(), part.cells.begin(), part.cells.end());
      }
      if (static_cast<int>(fields.size()) != size.width) {
        bad_input(counted(fields.size(), "tile") + ", expected a row of " +
                  std::to_string(size.width));
      }
      for (const std::string_view field : fields) {
        const auto tile = tile_number(field);
        if (!tile) bad_input(quote(field) + " is not a number, expected a tile");
        const bool is_repeated = std::ranges::find(tiles, *tile) != tiles.end();
        const bool is_known = *tile >= 0 && *tile < size.cells();
        if (wrong == 0 && (is_repeated || !is_known)) wrong = place;
        tiles.push_back(*tile);
      }
    }
    const bool whole = static_cast<int>(rows.size()) == size.height;
    place = whole && wrong != 0 ? wrong : header;
    return {"", Board(size, tiles), ""};
  }

  // ---- what is no board

  // A first line with the number of boards, if at least one follows.
  bool read_count() {
    const auto count = parse_integer(lines_[0].text);
    if (!count || *count < 1 || *count > 1'000'000'000 || lines_.size() < 2) return false;
    // The head of a block that lacks rows.
    if (Size{static_cast<int>(*count), static_cast<int>(*count)}.playable() &&
        split_fields(lines_[1].text).size() == static_cast<std::size_t>(*count)) {
      return false;
    }
    at_ = 1;
    if (!read_board()) {
      at_ = 0;
      run_ = {};
      rows_end_ = 0;
      return false;
    }
    count_ = static_cast<int>(*count);
    return true;
  }

  void report() {
    const TextLine& line = lines_[at_];
    const bool may_be_head = last_ == BoardFormat::automatic &&
                             (!numbers_of(line.text, 2).empty() || is_head_of_three());
    if (format_ == BoardFormat::blocks ||
        (format_ == BoardFormat::automatic && (last_ == BoardFormat::blocks || may_be_head))) {
      report_block();
    } else if (format_ == BoardFormat::grid || (reads(BoardFormat::grid) && looks_like_grid())) {
      report_grid();
    } else {
      add_line();
    }
  }

  // Such as `4 4 9` above rows of four tiles: what the third number means, only its writer knows.
  [[nodiscard]] bool is_head_of_three() const {
    const auto fields = split_fields(lines_[at_].text);
    if (numbers_of(lines_[at_].text, 3).size() != 3 || at_ + 1 >= lines_.size()) return false;
    const auto width = static_cast<std::int64_t>(split_fields(lines_[at_ + 1].text).size());
    return width != 3 && parse_integer(fields[0]) == width;
  }

  // Several lines none of which is a board, as many as there are cells in each, or no square
  // number. A far longer line than the size's rows rather is a board that lacks a tile.
  bool looks_like_grid() {
    const std::size_t end = std::min(end_of_run(), at_ + Size::max_cells);
    if (end - at_ < 2 || lines_[at_].text.find(':') != std::string_view::npos) return false;
    const auto cells = split_cells(lines_[at_].text, {});
    const std::size_t width = cells.empty() ? 0 : cells[0].cells.size();
    const std::size_t most =
        size() ? 2 * static_cast<std::size_t>(size()->width) : Size::max_cells / 2;
    if (cells.size() != 1 || width < 2 || width > most) return false;
    if (width != end - at_ && square_size(static_cast<int>(width))) return false;
    std::size_t i = at_;
    while (i < end && !shows_blank(i)) ++i;
    return i == end;
  }

  void report_grid() {
    const std::size_t end = end_of_run();
    int place = lines_[at_].number;
    boards_.add(lines_[at_].header.get(), place, [&] {
      const std::string text = joined(at_, end - at_);
      const BoardReadings found = board_readings(text, size());
      if (!found.boards.empty() || end - at_ < 2 || end - at_ > Size::max_cells) {
        return only_reading(found, text, size());
      }
      const auto cells = split_cells(lines_[at_].text, {});
      const auto width = static_cast<int>(cells.empty() ? 0 : cells[0].cells.size());
      const Size rows = parse_size(std::to_string(width) + "x" + std::to_string(end - at_));
      return parse_rows(rows, lines_.subspan(at_, end - at_), place);
    });
    at_ = end;
    last_ = BoardFormat::grid;
  }

  // Lines without a blank line or a comment between them.
  struct Run {
    std::size_t end = 0;
    std::optional<bool> all_boards{};  // from the first line on that was asked about
  };
  struct Remembered {
    std::size_t line = static_cast<std::size_t>(-1);
    BoardReadings readings;
  };

  std::span<const TextLine> lines_;
  BoardFormat format_;
  BoardCollector& boards_;
  std::size_t at_ = 0;
  BoardFormat last_ = BoardFormat::automatic;  // of the previous board
  std::optional<int> count_;                   // how many boards the first line announces
  Run run_;
  std::size_t rows_end_ = 0;  // of lines of the same width
  std::array<Remembered, 2> remembered_;
};

}  // namespace

void read_rows(std::span<const TextLine> lines, BoardFormat format, BoardCollector& boards) {
  RowReader(lines, format, boards).read();
}

}  // namespace tessera
