// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace tessera {

using OrderedJson = nlohmann::ordered_json;

/// The part of an untrusted value that matches `shape`, so that nothing else reaches the page. A
/// shape is
///   "text", "needed text", "flag"   a string (optional, or required); true or false
///   "count", "count or null"        a whole number, 0 or more
///   "amount", "any amount"          a number (0 or more, any), rounded to five digits,
///                                   enough for a plot
///   "moment"                        seconds since the start, rounded to microseconds
///   {"key": shape, ...}             an object; absent or null fields become null, or
///                                   empty lists and objects of nulls
///   ["noun", shape]                 a list; messages call its elements "noun 1" and so on
/// Throws Error(input) that says what `name` is instead.
[[nodiscard]] OrderedJson picked(const nlohmann::json& value, const OrderedJson& shape,
                                 const std::string& name);

/// A number rounded to five digits.
[[nodiscard]] double rounded(double number);
/// Seconds, rounded to microseconds.
[[nodiscard]] double to_microseconds(double seconds);

/// The boards of a page in a compact form, so that a page of ten thousand opens quickly: fields
/// that rows share are stored once, as a run, and each row is a list of values.
///   run: {file, engine, heuristic, backend, ranks, threads, schedule, bounds, metric,
///         finish_iteration, run, date, revision, cpu, width, height, goal (tiles)}
///   row: [run, id, tiles, status, length, moves, optimal, verified, seconds, expanded, generated,
///         solutions, lower bound, workers, begin, end, CPU share,
///         [bound, expanded, generated, seconds, idle fraction, complete, bound, ...]]
/// Each tile is one letter (0-9 a-z A-Z - _).
struct PageBoards {
  OrderedJson runs = OrderedJson::array();
  OrderedJson rows = OrderedJson::array();

  /// The index of an equal run, added if necessary.
  std::size_t run(const OrderedJson& like);

 private:
  std::map<std::string, std::size_t> numbers_;
};

/// An object of a file, and where its boards are added.
struct PageRow {
  const nlohmann::json& json;
  std::size_t file;
  PageBoards& boards;
};

/// Adds a tessera.result/1. Throws Error(input), also if its solution is invalid.
void add_result(const PageRow& row);

// Read a page's data from a row. Throw Error(input).
[[nodiscard]] OrderedJson read_comparison(const PageRow& row);
[[nodiscard]] OrderedJson read_census(const PageRow& row);  ///< its deepest boards become boards
[[nodiscard]] OrderedJson read_simulation(const PageRow& row);
[[nodiscard]] OrderedJson read_game(const PageRow& row);
[[nodiscard]] OrderedJson read_shortened(const PageRow& row);  ///< its moves become a board's

/// A page's data from a trace: what each thread mostly did in each small time step.
///   {file, other, seconds, step, activities: [name], marks: [[begin, end, name]],
///    tracks: [{rank, process, name, seconds: [by activity],
///              parts: [activity or -1, number of steps, ...]}]}
/// Throws Error(input) that starts with "LINE: what is wrong".
[[nodiscard]] OrderedJson read_trace(const nlohmann::json& json, std::string_view text,
                                     std::size_t file);

/// The page of `report`, part of the program; its data, JSON without any `<`, is inserted between.
struct PageParts {
  std::string_view before_data;
  std::string_view after_data;
};

[[nodiscard]] const PageParts& page_parts();

}  // namespace tessera
