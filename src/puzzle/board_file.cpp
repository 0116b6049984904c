// SPDX-License-Identifier: MIT
#include "tessera/puzzle/board_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <boost/algorithm/string/case_conv.hpp>
#include <nlohmann/json.hpp>
#include <span>

#include "tessera/base/descriptor.hpp"
#include "tessera/base/error.hpp"
#include "tessera/base/json_object.hpp"
#include "tessera/base/text.hpp"
#include "tessera/puzzle/goal.hpp"

namespace tessera {
namespace {

// A board takes some hundred bytes; a result row, which also contains a board, some ten thousand.
constexpr std::size_t longest_line = 65536;
constexpr std::size_t longest_json_line = 1U << 20;
// Tiles. Fewer than 9 in a line are hardly a board.
constexpr std::size_t longest_row = 8;

// The contents of a line `# size WxH, goal GOAL`, which applies to the boards after it.
struct BoardHeader {
  Size size;
  std::string goal;  // empty if the line names none
};

struct Line {
  int number = 0;
  std::string_view text;       // without comment and blanks
  bool after_comment = false;  // the previous line is only a comment
  std::optional<BoardHeader> header = {};
};

std::string_view without_comment(std::string_view text) {
  return trimmed(text.substr(0, text.find('#')));
}

// Throws with the location first; all errors of the reader go through this.
[[noreturn]] void bad_line(const std::string& name, int line, const std::string& what) {
  bad_input(name + ":" + std::to_string(line) + ": " + what);
}

bool is_size(std::string_view text) {
  const std::size_t x = text.find('x');
  return x != std::string_view::npos && parse_integer(text.substr(0, x)) &&
         parse_integer(text.substr(x + 1));
}

// Other comments are ignored. Throws Error(input) for an invalid size or goal.
std::optional<BoardHeader> parse_board_header(std::string_view line) {
  const std::string text = boost::to_lower_copy(std::string(trimmed(line.substr(1))));
  std::string_view rest = text;
  const auto takes = [&rest](std::string_view word) {
    if (!rest.starts_with(word)) return false;
    rest = trimmed(rest.substr(word.size()));
    return true;
  };
  if (!takes("size ")) return {};
  const std::string_view size = rest.substr(0, rest.find_first_of(", \t"));
  if (!is_size(size)) return {};
  rest = trimmed(rest.substr(size.size()));
  (void)takes(",");
  if (rest.empty()) return BoardHeader{parse_size(size), ""};
  if (!takes("goal ")) return {};
  (void)parse_goal(rest, parse_size(size));
  return BoardHeader{parse_size(size), std::string(rest)};
}

// Nonempty lines. Non-text bytes are rejected here, so that no parser sees them.
std::vector<Line> split_lines(std::string_view text, const std::string& name, bool json) {
  std::vector<Line> lines;
  int number = 0;
  bool after_comment = false;
  std::optional<BoardHeader> header;
  while (!text.empty()) {
    ++number;
    const std::string_view raw = take_line(text);
    const std::size_t longest = json ? longest_json_line : longest_line;
    if (raw.size() > longest) {
      bad_line(name, number,
               "line of " + std::to_string(raw.size()) + " bytes, expected a board in at most " +
                   std::to_string(longest));
    }
    for (const char c : raw) {
      const auto byte = static_cast<unsigned char>(c);
      if ((byte < 0x20 && c != '\t' && c != '\r') || byte == 0x7f) {
        bad_line(name, number, "not a text file, expected boards in lines, blocks or json");
      }
    }
    const std::string_view content = json ? trimmed(raw) : without_comment(raw);
    if (!content.empty()) {
      lines.push_back({number, content, after_comment, header});
      after_comment = false;
    } else if (raw.find('#') != std::string_view::npos) {
      after_comment = true;
      const auto found = at_place(name + ":" + std::to_string(number) + ": ",
                                  [&] { return parse_board_header(trimmed(raw)); });
      if (found) header = found;
    }
  }
  return lines;
}

bool is_integer_list(std::string_view text, std::size_t most) {
  const auto fields = split_fields(text);
  if (fields.empty() || fields.size() > most) return false;
  return std::ranges::all_of(fields, [](auto field) { return parse_integer(field).has_value(); });
}

// Some editors put it before UTF-8; it has no meaning.
std::string_view without_mark(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (text.starts_with(mark)) text.remove_prefix(mark.size());
  return text;
}

// The first line with content decides: a brace means json, one or two numbers blocks (no board has
// so few tiles in a line), everything else lines.
BoardFormat detect(std::string_view text) {
  while (!text.empty()) {
    const std::string_view content = without_comment(take_line(text));
    if (content.empty()) continue;
    if (content.front() == '{') return BoardFormat::json;
    return is_integer_list(content, 2) ? BoardFormat::blocks : BoardFormat::lines;
  }
  return BoardFormat::lines;
}

// One JSON line of a board or result file. Throws Error(input).
NamedBoard parse_board_json(std::string_view line) {
  const auto json = parse_json_object<nlohmann::json>(line);
  if (json.is_discarded()) {
    bad_input("not a JSON object, expected {\"id\":..., \"size\":\"4x4\", \"board\":[...]}");
  }
  NamedBoard board;
  if (json.contains("id") && !json["id"].is_null()) {
    const auto& id = json["id"];
    if (!id.is_string() && !id.is_number()) {
      bad_input("\"id\" is " + shown(id) + ", expected a text or a number");
    }
    if (id.is_number_float()) {  // it is rounded: two ids could become equal
      bad_input(
          "\"id\" is a fraction or needs more than 64 bits, expected a text or a whole number");
    }
    board.id = id.is_string() ? id.get<std::string>() : id.dump();
    // Output lines are distinguished by their ids.
    if (std::ranges::any_of(board.id, [](unsigned char c) { return c < 0x20; })) {
      bad_input("\"id\" " + quote(board.id) + " holds control characters, expected printable text");
    }
  }
  for (const char* key : {"goal", "size"}) {
    if (json.contains(key) && !json[key].is_string()) {
      bad_input("\"" + std::string(key) + "\" is " + shown(json[key]) + ", expected a text");
    }
  }
  if (json.contains("goal")) board.goal = json["goal"];
  if (!json.contains("board") || !json["board"].is_array()) {
    bad_input("no \"board\", expected an array of tiles");
  }
  std::vector<std::int64_t> tiles;
  for (const auto& tile : json["board"]) {
    if (!tile.is_number_integer()) {
      bad_input(shown(tile) + " is not a whole number, expected a tile");
    }
    tiles.push_back(tile.get<std::int64_t>());
  }
  const std::optional<Size> size = json.contains("size")
                                       ? parse_size(json["size"].get<std::string>())
                                       : square_size(static_cast<int>(tiles.size()));
  if (!size)
    bad_input("no \"size\", and the number of tiles is not a square, expected \"size\":\"WxH\"");
  board.board = Board(*size, tiles);
  return board;
}

// {"id":"7","size":"4x4","board":[...]}
std::string format_board_json(const NamedBoard& board) {
  nlohmann::ordered_json json;
  json["id"] = board.id;
  json["size"] = to_string(board.board.size());
  if (!board.goal.empty()) json["goal"] = board.goal;
  json["board"] = board.board.tiles();
  return to_line(json);
}

class BoardReader {
 public:
  BoardReader(std::string name, const BoardFileOptions& options)
      : name_(std::move(name)), options_(options) {}

  std::vector<NamedBoard> read(std::string_view text) {
    text = without_mark(text);
    const BoardFormat format =
        options_.format == BoardFormat::automatic ? detect(text) : options_.format;
    const auto lines = split_lines(text, name_, format == BoardFormat::json);
    if (format == BoardFormat::blocks) {
      read_blocks(lines);
    } else {
      for (const Line& line : lines) {
        guarded(line, line.number, [&] {
          return format == BoardFormat::json ? parse_board_json(line.text) : parse_line(line);
        });
      }
    }
    if (found_ == 0) {
      bad_line(name_, 1, "no board in this file, expected at least one in lines, blocks or json");
    }
    return std::move(boards_);
  }

 private:
  // Reads the board that starts in `line`; an error gets its location, which `parse` may advance,
  // and goes to the caller's handler.
  template <class Parse>
  void guarded(const Line& line, const int& place, Parse parse) {
    ++found_;
    try {
      NamedBoard board = parse();
      if (options_.size) expect_size(board.board, *options_.size);
      if (line.header) {
        expect_size(board.board, line.header->size);
        board.goal = line.header->goal;
      }
      if (board.id.empty()) board.id = std::to_string(found_);
      boards_.push_back(std::move(board));
    } catch (const Error& error) {
      const std::string message = name_ + ":" + std::to_string(place) + ": " + error.what();
      if (!options_.on_bad_board) throw Error(error.kind(), message);
      options_.on_bad_board(message);
    }
  }

  static void expect_size(const Board& board, Size size) {
    if (board.size() == size) return;
    bad_input("board is " + to_string(board.size()) + ", expected " + to_string(size));
  }

  NamedBoard parse_line(const Line& line) const {
    std::string_view text = line.text;
    NamedBoard board;
    const std::size_t colon = text.find(':');
    if (colon != std::string_view::npos) {
      board.id = std::string(trimmed(text.substr(0, colon)));
      text.remove_prefix(colon + 1);
    }
    const std::optional<Size> size = line.header ? line.header->size : options_.size;
    try {
      board.board = parse_board(text, size);
    } catch (const Error& error) {
      if (size || !is_integer_list(line.text, longest_row)) throw;
      throw Error(error.kind(),
                  error.what() + std::string("; a board in rows needs its width on a line above"));
    }
    return board;
  }

  void read_blocks(const std::vector<Line>& lines) {
    for (std::size_t i = 0; i < lines.size();) {
      const Line& header = lines[i++];
      std::optional<Size> size;
      int place = header.number;
      guarded(header, place, [&] {
        size = parse_header(header.text);
        const std::size_t first_row = i;
        const std::size_t end = std::min(i + static_cast<std::size_t>(size->height), lines.size());
        while (i < end && !begins_next_board(lines[i], *size)) ++i;
        return parse_rows(*size, std::span(lines).subspan(first_row, i - first_row), place);
      });
      // An invalid header ends the file: it is unknown where the next board starts.
      if (!size) return;
    }
  }

  // If rows are missing: a header after a comment, which cannot be a row of this board.
  static bool begins_next_board(const Line& line, Size size) {
    return line.after_comment && is_integer_list(line.text, 2) &&
           static_cast<int>(split_fields(line.text).size()) != size.width;
  }

  static Size parse_header(std::string_view text) {
    if (is_integer_list(text, 2)) {
      const auto fields = split_fields(text);
      return parse_size(std::string(fields.front()) + "x" + std::string(fields.back()));
    }
    bad_input(quote(text) + " is not a block header, expected N or W H");
  }

  // If a row is wrong, `place` becomes its line.
  static NamedBoard parse_rows(Size size, std::span<const Line> rows, int& place) {
    const int header = place;
    std::vector<std::int64_t> tiles;
    std::vector<char> seen(static_cast<std::size_t>(size.cells()), 0);
    int wrong = 0;  // the first row with a repeated or invalid tile
    for (const Line& row : rows) {
      place = row.number;
      const auto fields = split_fields(row.text);
      if (static_cast<int>(fields.size()) != size.width) {
        bad_input(counted(fields.size(), "tile") + ", expected a row of " +
                  std::to_string(size.width));
      }
      for (const std::string_view field : fields) {
        const auto tile = parse_integer(field);
        if (!tile || field.front() == '+' || field == "-0") {
          bad_input(quote(field) + " is not a number, expected a tile");
        }
        tiles.push_back(*tile);
        const bool known = *tile >= 0 && *tile < size.cells();
        if (wrong == 0 && (!known || seen[static_cast<std::size_t>(*tile)] != 0)) wrong = place;
        if (known) seen[static_cast<std::size_t>(*tile)] = 1;
      }
    }
    const bool whole = static_cast<int>(rows.size()) == size.height;
    place = whole && wrong != 0 ? wrong : header;
    return {"", Board(size, tiles), ""};
  }

  std::string name_;
  const BoardFileOptions& options_;
  std::vector<NamedBoard> boards_;
  int found_ = 0;
};

// Result files of millions of rows are smaller.
constexpr std::uint64_t most_text_bytes = std::uint64_t{4} << 30;

}  // namespace

BoardFormat parse_board_format(std::string_view text) {
  if (text == "auto") return BoardFormat::automatic;
  if (text == "lines") return BoardFormat::lines;
  if (text == "blocks") return BoardFormat::blocks;
  if (text == "json") return BoardFormat::json;
  bad_input("format " + quote(text) + " is unknown, expected auto, lines, blocks or json");
}

std::string file_name(const std::string& path) {
  return path == "-" ? "<stdin>" : path;
}

std::string read_text_file(const std::string& path) {
  const std::string text = path == "-"
                               ? read_descriptor(STDIN_FILENO, file_name(path), most_text_bytes)
                               : read_file(path, most_text_bytes, Pipes::read);
  return std::string(without_mark(text));
}

std::vector<NamedBoard> read_boards(const std::string& path, const BoardFileOptions& options) {
  return parse_boards(read_text_file(path), file_name(path), options);
}

std::vector<NamedBoard> parse_boards(std::string_view text, const std::string& name,
                                     const BoardFileOptions& options) {
  return BoardReader(name, options).read(text);
}

std::string format_board_header(Size size, const std::string& goal, BoardFormat format) {
  const bool usual = size.width == size.height && goal == "last";
  if (format == BoardFormat::json || usual) return {};
  return "# size " + to_string(size) + ", goal " + goal + "\n";
}

std::string format_board(const NamedBoard& board, BoardFormat format) {
  const Size size = board.board.size();
  if (format == BoardFormat::json) return format_board_json(board) + "\n";
  if (format != BoardFormat::blocks) {
    return (board.id.empty() ? "" : board.id + ": ") + to_string(board.board) + "\n";
  }
  std::string text = "# " + board.id + "\n" + std::to_string(size.width);
  if (size.width != size.height) text.append(" ").append(std::to_string(size.height));
  text += '\n';
  for (int cell = 0; cell < size.cells(); ++cell) {
    text += std::to_string(board.board.tile(cell));
    text += size.column(cell) + 1 == size.width ? '\n' : ' ';
  }
  return text;
}

}  // namespace tessera
