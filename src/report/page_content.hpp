// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/puzzle/board.hpp"

namespace tessera {

using OrderedJson = nlohmann::ordered_json;

/// What a field of a result file may be; each may be absent or null.
enum class FieldKind : std::uint8_t {
  text,        ///< a string
  count,       ///< a whole number, 0 or more
  amount,      ///< a number, 0 or more, rounded to five digits: all that a plot shows
  any_amount,  ///< the same, perhaps negative
  flag,        ///< true or false
};

struct Field {
  const char* key;
  FieldKind kind;
};

/// Fields by their kinds.
struct Fields {
  std::vector<const char*> texts = {};
  std::vector<const char*> counts = {};
  std::vector<const char*> amounts = {};
  std::vector<const char*> any_amounts = {};
  std::vector<const char*> flags = {};
};

/// A field, null where it is absent. Throws Error(input) that says what `where` has instead.
[[nodiscard]] OrderedJson read_field(const nlohmann::json& object, Field field,
                                     std::string_view where);

/// Of an object only these fields, so that nothing else of a file reaches the page.
[[nodiscard]] OrderedJson read_fields(const nlohmann::json& object, const Fields& fields,
                                      std::string_view where);

/// An array of an object, empty where it is absent. Throws Error(input) where it is something else.
[[nodiscard]] const nlohmann::json& read_array(const nlohmann::json& object, const char* key,
                                               std::string_view where);

/// A number rounded to five digits.
[[nodiscard]] double rounded(double number);

/// The boards of a page in a compact form, so that a page of ten thousand opens quickly: the
/// fields that rows share are stored once, as a run, and each row is a list of values.
///   run: {file, engine, heuristic, backend, ranks, threads, hosts, schedule, bounds, metric,
///         version, width, height, goal (tiles)}
///   row: [run, id, tiles, status, length, moves, optimal, verified, seconds, expanded, generated,
///         solutions, [bound, expanded, generated, seconds, idle fraction, complete, bound, ...]]
/// Tiles are a letter each (0-9 a-z A-Z - _).
struct PageBoards {
  OrderedJson runs = OrderedJson::array();
  OrderedJson rows = OrderedJson::array();

  /// The number of a run that is like this one.
  std::size_t run(const OrderedJson& like);

 private:
  std::map<std::string, std::size_t> numbers_;
};

[[nodiscard]] std::string tile_letters(const Board& board);

/// Adds a line of tessera.result/1 of a file. Throws Error(input), also where its solution is none.
void add_result(std::string_view line, const nlohmann::json& json, std::size_t file,
                PageBoards& boards);

/// What a page shows of a tessera.census/1; its deepest boards become boards. Throws Error(input).
[[nodiscard]] OrderedJson read_census(const nlohmann::json& json, std::size_t file,
                                      PageBoards& boards);

/// What a page shows of a tessera.compare/1. Throws Error(input).
[[nodiscard]] OrderedJson read_comparison(const nlohmann::json& json, std::size_t file);

/// What a page shows of a trace: for each thread what it did most in each small piece of time.
///   {file, other, seconds, step, activities: [name], marks: [[begin, end, name]],
///    tracks: [{rank, name, main, seconds: [of each activity],
///              parts: [activity or -1, how many steps, ...]}]}
/// Throws Error(input) with "LINE: what is wrong" in front.
[[nodiscard]] OrderedJson read_trace(const nlohmann::json& json, std::string_view text,
                                     std::size_t file);

/// The page of `report`, part of the program: its data, JSON that holds no `<`, goes in between.
struct PageParts {
  std::string_view before_data;
  std::string_view after_data;
};

[[nodiscard]] const PageParts& page_parts();

}  // namespace tessera
