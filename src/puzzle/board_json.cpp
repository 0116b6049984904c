// SPDX-License-Identifier: MIT
#include "puzzle/board_json.hpp"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "base/json_object.hpp"
#include "base/text.hpp"
#include "puzzle/board_text.hpp"
#include "puzzle/cells.hpp"

namespace tessera {
namespace {

// A board in brackets is shorter.
constexpr std::size_t longest_bracketed_board = 65536;

std::string id_of(const nlohmann::json& id) {
  if (!id.is_string() && !id.is_number()) {
    bad_input("\"id\" is " + shown(id) + ", expected a string or a number");
  }
  if (id.is_number_float()) {  // it is rounded: two ids could become equal
    bad_input(
        "\"id\" is a fraction or needs more than 64 bits, expected a string or a whole number");
  }
  return id.is_string() ? id.get<std::string>() : id.dump();
}

// A cell: a number, null, or a string such as "_". An array that mixes numbers and numeric strings
// is probably a mistake.
std::string cell_text(const nlohmann::json& tile, bool among_numbers) {
  if (tile.is_number_integer()) return tile.dump();
  if (tile.is_null()) return "_";
  if (tile.is_string()) {
    const auto text = tile.get<std::string>();
    if (!among_numbers || text == "0" || !parse_integer(text)) return "\"" + text + "\"";
  }
  bad_input(shown(tile) + " is not a whole number, expected a tile");
}

bool holds_numbers(const nlohmann::json& array) {
  return std::ranges::any_of(array, [](const auto& item) { return item.is_number(); });
}

// The cells with commas between them. Not by dump(): an array may be nested a million deep.
std::string row_text(const nlohmann::json& row) {
  std::string text;
  const bool among_numbers = holds_numbers(row);
  for (const auto& cell : row) {
    if (!text.empty()) text += ",";
    text += cell_text(cell, among_numbers);
  }
  return text;
}

bool is_row(const nlohmann::json& item) {
  return item.is_array() &&
         std::ranges::none_of(item, [](const auto& cell) { return cell.is_structured(); });
}

// Throws Error(input).
NamedBoard parse_board_object(std::string_view text, std::optional<Size> usual) {
  const auto json = parse_json_object<nlohmann::json>(text);
  if (json.is_discarded()) {
    bad_input("not a JSON object, expected {\"id\":..., \"size\":\"4x4\", \"board\":[...]}");
  }
  NamedBoard named;
  if (const auto& id = field_of(json, "id"); !id.is_null()) named.id = id_of(id);
  if (const auto& value = field_of(json, "size"); !value.is_string() && !value.is_null()) {
    bad_input("\"size\" is " + shown(value) + ", expected a string");
  }
  const auto& goal = field_of(json, "goal");
  if (goal.is_array()) {
    named.goal = with_error_prefix("\"goal\": ", [&] {
      if (goal.empty()) bad_input("no tiles, expected those of a board");
      return board_text(goal);
    });
  } else if (goal.is_string() || goal.is_null()) {
    named.goal = text_of(json, "goal", "");
  } else {
    bad_input("\"goal\" is " + shown(goal) + ", expected a name or an array of tiles");
  }
  const auto& board = field_of(json, "board");
  const std::string tiles = with_plain_blanks(board_text(board));
  std::optional<Size> size = usual;
  const std::string given = text_of(json, "size", "");
  if (!given.empty()) size = parse_size(given);
  const bool has_rows = board.is_string() || std::ranges::any_of(board, [](const auto& row) {
                          return !row.is_number() && !row.is_null();
                        });
  if (!size && !has_rows) {
    size = square_size(static_cast<int>(board.size()));
    if (!size)
      bad_input("no \"size\", and the number of tiles is not a square, expected \"size\":\"WxH\"");
  }
  named.board = only_reading(board_readings(tiles, size), tiles, size).board;
  return named;
}

// A value between separators, with the line on which it begins.
struct ListItem {
  std::string_view text;
  int line = 0;
};

// The values next to each other in a text. Strings may contain brackets. Empty if brackets do not
// match.
std::vector<ListItem> items_of(std::string_view text, int line) {
  std::vector<ListItem> items;
  int depth = 0;
  std::size_t begin = text.npos;
  int begin_line = line;
  const auto end_item = [&](std::size_t end) {
    if (begin != text.npos) items.push_back({trimmed(text.substr(begin, end - begin)), begin_line});
    begin = text.npos;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool separates = c == ',' || c == '\n' || c == ';' || c == ' ' || c == '\t' || c == '\r';
    const bool opens = c == '[' || c == '(' || c == '{';
    if (depth == 0 && (separates || opens)) end_item(i);
    if (!separates && begin == text.npos) {
      begin = i;
      begin_line = line;
    }
    if (c == '\n') ++line;
    if (opens) ++depth;
    if (c == ']' || c == ')' || c == '}') {
      if (--depth < 0) return {};
      if (depth == 0) end_item(i + 1);
    }
    if (c == '"') {
      while (++i < text.size() && text[i] != '"') {
        if (text[i] == '\\') ++i;
        else if (text[i] == '\n') ++line;
      }
    }
  }
  if (depth != 0) return {};
  end_item(text.size());
  return items;
}

bool in_brackets(const ListItem& item) {
  return std::string_view("[({\"'").find(item.text.front()) != std::string_view::npos;
}

NamedBoard parse_item(const ListItem& item, std::optional<Size> size) {
  if (begins_with_object(item.text)) return parse_board_object(item.text, size);
  return only_reading(board_readings(item.text, size), item.text, size);
}

void add_items(const std::vector<ListItem>& items, BoardCollector& boards) {
  for (const ListItem& item : items) {
    boards.add(nullptr, item.line, [&] { return parse_item(item, boards.size(nullptr)); });
  }
}

// What `solve --stream` answers to a text that is no board.
bool is_row_without_board(std::string_view text) {
  return text.starts_with(R"({"schema":"tessera.result/1",)") &&
         text.find(R"("board":null,)") != text.npos;
}

bool is_object(std::string_view text) {
  return trimmed(text).starts_with('{') && nlohmann::json::accept(text);
}

}  // namespace

bool begins_with_object(std::string_view text) {
  if (!text.starts_with('{')) return false;
  const std::size_t at = text.find_first_not_of("{[( \t\r\n");
  return at == text.npos || (std::isdigit(static_cast<unsigned char>(text[at])) == 0 &&
                             std::string_view("_.-,").find(text[at]) == std::string_view::npos);
}

std::string board_text(const nlohmann::json& board) {
  if (board.is_string()) return board.get<std::string>();
  if (!board.is_array()) bad_input("no \"board\", expected an array of tiles");
  if (!std::ranges::any_of(board, is_row)) return row_text(board);
  std::string text = "[";
  for (const auto& row : board) {
    text += "[" + (is_row(row) ? row_text(row) : cell_text(row, false)) + "]";
  }
  return text + "]";
}

void read_objects(std::string_view text, BoardCollector& boards) {
  const std::vector<TextLine> lines = split_lines(text, boards.name(), TextKind::json);
  if (lines.size() > 1 && !is_object(lines[0].text)) {  // it may end on a later one
    const std::vector<ListItem> items = items_of(text, 1);
    if (!items.empty() && is_object(items[0].text)) return add_items(items, boards);
  }
  for (const TextLine& line : lines) {
    if (is_row_without_board(line.text)) continue;
    boards.add(nullptr, line.number,
               [&] { return parse_board_object(line.text, boards.size(nullptr)); });
  }
}

bool read_list(std::string_view text, BoardCollector& boards) {
  const std::vector<ListItem> outer = items_of(text, 1);
  if (outer.size() != 1) return false;
  const std::string_view list = outer[0].text;
  if (!begins_with_bracket(list) || begins_with_object(list)) return false;
  (void)split_lines(text, boards.name(), TextKind::json);  // expects text
  const int line = outer[0].line;
  const std::optional<Size> size = boards.size(nullptr);
  const bool may_be_board = list.size() <= longest_bracketed_board;
  const BoardReadings readings = may_be_board ? board_readings(list, size) : BoardReadings{};
  const std::vector<ListItem> items = items_of(list.substr(1, list.size() - 2), line);
  const bool holds_boards =
      !items.empty() && std::ranges::all_of(items, in_brackets) &&
      (begins_with_object(items[0].text) || !board_readings(items[0].text, size).boards.empty());
  if (readings.boards.empty() && (holds_boards || !may_be_board)) {
    add_items(items, boards);
    return true;
  }
  boards.add(nullptr, line, [&] { return only_reading(readings, list, size); });
  return true;
}

std::string format_board_json(const NamedBoard& board) {
  nlohmann::ordered_json json;
  json["id"] = board.id;
  json["size"] = to_string(board.board.size());
  if (!board.goal.empty()) json["goal"] = board.goal;
  json["board"] = board.board.tiles();
  return to_line(json);
}

}  // namespace tessera
