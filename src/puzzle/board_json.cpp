// SPDX-License-Identifier: MIT
#include "puzzle/board_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "tessera/base/error.hpp"
#include "tessera/base/json_object.hpp"
#include "tessera/base/text.hpp"

namespace tessera {
namespace {

// A foreign value for a message. What is nested is only named: it may be nested a million deep.
std::string shown(const nlohmann::json& value) {
  if (value.is_structured()) return value.type_name();
  return quote(to_line(value));
}

}  // namespace

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
    if (id.is_number_float()) {  // it is rounded: two ids could become one
      bad_input(
          "\"id\" is a fraction or needs more than 64 bits, expected a text or a whole number");
    }
    board.id = id.is_string() ? id.get<std::string>() : id.dump();
    // Lines of the output are distinguished by their ids.
    if (std::any_of(board.id.begin(), board.id.end(), [](unsigned char c) { return c < 0x20; })) {
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
  std::optional<Size> size;
  if (json.contains("size") && json["size"].is_string()) {
    size = parse_size(json["size"].get<std::string>());
  } else {
    size = square_size(static_cast<int>(tiles.size()));
  }
  if (!size)
    bad_input("no \"size\", and the number of tiles is not a square, expected \"size\":\"WxH\"");
  board.board = Board(*size, tiles);
  return board;
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
