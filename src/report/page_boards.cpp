// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "report/page_content.hpp"
#include "tessera/base/error.hpp"
#include "tessera/base/json_object.hpp"
#include "tessera/base/text.hpp"
#include "tessera/puzzle/goal.hpp"
#include "tessera/report/board_result.hpp"

namespace tessera {
namespace {

constexpr std::string_view tile_alphabet =
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_";
static_assert(tile_alphabet.size() == Size::max_cells);

void set_shape(OrderedJson& run, const Board& goal) {
  run["width"] = goal.size().width;
  run["height"] = goal.size().height;
  run["goal"] = tile_letters(goal);
}

// The goal of a census: last, first, or cell:K, whose blank is in cell K and whose tiles are in
// order.
Board census_goal_board(const std::string& text, Size size) {
  if (!text.starts_with("cell:")) return parse_goal(text, size).board(size);
  const auto blank = parse_integer(std::string_view(text).substr(5));
  return ordered_board(size, blank.value_or(-1));
}

OrderedJson flat_iterations(const nlohmann::json& json) {
  OrderedJson flat = OrderedJson::array();
  for (const nlohmann::json& iteration : read_array(json, "iterations", "this result")) {
    if (!iteration.is_object()) bad_input("\"iterations\" of this result holds what is no object");
    constexpr std::string_view where = "an iteration";
    flat.push_back(read_field(iteration, {"bound", FieldKind::count}, where));
    flat.push_back(read_field(iteration, {"expanded", FieldKind::count}, where));
    flat.push_back(read_field(iteration, {"generated", FieldKind::count}, where));
    flat.push_back(read_field(iteration, {"seconds", FieldKind::amount}, where));
    flat.push_back(read_field(iteration, {"idle_fraction", FieldKind::amount}, where));
    const OrderedJson complete = read_field(iteration, {"complete", FieldKind::flag}, where);
    flat.push_back(complete == false ? 0 : 1);
  }
  return flat;
}

}  // namespace

std::size_t PageBoards::run(const OrderedJson& like) {
  const auto [entry, added] = numbers_.try_emplace(like.dump(), runs.size());
  if (added) runs.push_back(like);
  return entry->second;
}

std::string tile_letters(const Board& board) {
  std::string letters;
  for (int cell = 0; cell < board.size().cells(); ++cell) {
    letters += tile_alphabet[static_cast<std::size_t>(board.tile(cell))];
  }
  return letters;
}

void add_result(std::string_view line, const nlohmann::json& json, std::size_t file,
                PageBoards& boards) {
  const ClaimedResult claim = parse_result(line);
  if (const std::string wrong = flaw(claim); !wrong.empty()) {
    bad_input("board " + quote(claim.id) + " " + wrong);
  }
  constexpr std::string_view where = "this result";
  OrderedJson run = read_fields(
      json,
      {.texts = {"engine", "heuristic", "backend", "schedule", "bounds", "metric", "version"},
       .counts = {"ranks", "threads", "hosts"}},
      where);
  run["file"] = file;
  set_shape(run, parse_goal(claim.goal, claim.board.size()).board(claim.board.size()));

  OrderedJson nodes{{"expanded", nullptr}, {"generated", nullptr}};
  if (const auto found = json.find("nodes"); found != json.end() && !found->is_null()) {
    if (!found->is_object()) bad_input("\"nodes\" of this result is no object");
    nodes = read_fields(*found, {.counts = {"expanded", "generated"}}, "\"nodes\"");
  }
  // Only what `flaw` has replayed.
  const bool replayed = claim.moves && claim.status != "unsolvable";
  const auto field = [&](const char* key, FieldKind kind) {
    return read_field(json, {key, kind}, where);
  };
  boards.rows.push_back({boards.run(run), claim.id, tile_letters(claim.board), claim.status,
                         or_null<OrderedJson>(claim.length),
                         replayed ? OrderedJson(*claim.moves) : OrderedJson(nullptr),
                         field("optimal", FieldKind::flag) == true ? 1 : 0,
                         field("verified", FieldKind::flag) == true ? 1 : 0,
                         field("seconds", FieldKind::amount), nodes["expanded"], nodes["generated"],
                         field("solutions", FieldKind::count),
                         field("lower_bound", FieldKind::count), flat_iterations(json)});
}

OrderedJson read_census(const nlohmann::json& json, std::size_t file, PageBoards& boards) {
  constexpr std::string_view where = "this census";
  OrderedJson census =
      read_fields(json,
                  {.texts = {"size", "goal", "metric", "version"},
                   .counts = {"radius", "states", "ranks", "threads", "bytes_written"},
                   .amounts = {"seconds"},
                   .flags = {"complete"}},
                  where);
  census["file"] = file;
  for (const char* key : {"size", "goal", "metric"}) {
    if (census[key].is_null()) bad_input(std::string("no text \"") + key + "\" in this census");
  }
  const Metric metric = parse_metric(census["metric"].get<std::string>());
  census["widths"] = OrderedJson::array();
  for (const nlohmann::json& width : read_array(json, "widths", where)) {
    if (!width.is_number_unsigned()) bad_input("\"widths\" of this census holds what is no count");
    census["widths"].push_back(OrderedJson(width));
  }
  if (census["widths"].empty()) bad_input("\"widths\" of this census is empty, expected depths");

  for (const nlohmann::json& deep : read_array(json, "deepest", where)) {
    const Size size = parse_size(census["size"].get<std::string>());
    const auto goal = census["goal"].get<std::string>();
    ClaimedResult claim;
    claim.id = fmt::format("deepest of {}", to_string(size));
    std::vector<std::int64_t> tiles;
    if (deep.is_object()) {
      for (const nlohmann::json& tile : read_array(deep, "board", "a deepest board")) {
        tiles.push_back(tile.is_number_integer() ? tile.get<std::int64_t>() : -1);
      }
    }
    claim.board = Board(size, tiles);
    const Board goal_board = census_goal_board(goal, size);
    claim.goal = to_string(goal_board);
    claim.metric = metric;
    claim.status = "solved";
    const OrderedJson moves = read_field(deep, {"moves", FieldKind::text}, "a deepest board");
    if (moves.is_string()) claim.moves = moves.get<std::string>();
    const OrderedJson length = read_field(deep, {"length", FieldKind::count}, "a deepest board");
    claim.length = length.is_null() || length > 10'000 ? -1 : length.get<int>();
    if (const std::string wrong = flaw(claim); !wrong.empty()) {
      bad_input("a deepest board " + wrong);
    }
    OrderedJson run{{"engine", "census"}, {"metric", census["metric"]}, {"file", file}};
    set_shape(run, goal_board);
    const OrderedJson none;
    boards.rows.push_back({boards.run(run), claim.id, tile_letters(claim.board), claim.status,
                           *claim.length, *claim.moves, 1, 1, none, none, none, none, *claim.length,
                           OrderedJson::array()});
  }
  return census;
}

}  // namespace tessera
