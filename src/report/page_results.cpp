// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "base/json_object.hpp"
#include "base/text.hpp"
#include "puzzle/goal.hpp"
#include "puzzle/metric.hpp"
#include "report/claimed_result.hpp"
#include "report/page_content.hpp"

namespace tessera {
namespace {

constexpr std::string_view tile_alphabet =
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_";
static_assert(tile_alphabet.size() == Size::max_cells);

// One letter per tile.
std::string tile_letters(const Board& board) {
  std::string letters;
  for (int cell = 0; cell < board.size().cells(); ++cell) {
    letters += tile_alphabet[static_cast<std::size_t>(board.tile(cell))];
  }
  return letters;
}

// Adds a board of tessera.result/1; messages call it `who`. `engine`: where the row names none.
void add_board(const ClaimedResult& claim, const std::string& who, const PageRow& from,
               const char* engine = nullptr) {
  static const auto run_shape = OrderedJson::parse(R"({
    "engine": "text", "heuristic": "text", "backend": "text", "schedule": "text",
    "bounds": "text", "metric": "text", "finish_iteration": "flag",
    "run": "text", "date": "text", "revision": "text", "cpu": "text",
    "ranks": "count", "threads": "count"})");
  static const auto row_shape = OrderedJson::parse(R"({
    "optimal": "flag", "verified": "flag", "seconds": "amount",
    "nodes": {"expanded": "count", "generated": "count"},
    "solutions": "count", "lower_bound": "count", "workers": "count",
    "begin_seconds": "moment", "end_seconds": "moment", "cpu_share": "amount",
    "iterations": ["iteration", {
      "bound": "count", "expanded": "count", "generated": "count",
      "seconds": "amount", "idle_fraction": "amount", "complete": "flag"}]})");
  if (const std::string wrong = flaw(claim); !wrong.empty()) bad_input(who + " " + wrong);
  const Size size = claim.board.size();
  OrderedJson run = picked(from.json, run_shape, "this result");
  if (engine != nullptr) run["engine"] = engine;
  run["metric"] = to_string(claim.metric);
  run["file"] = from.file;
  run["width"] = size.width;
  run["height"] = size.height;
  const bool solves = claim.solves.value_or(true);
  run["goal"] = tile_letters(solves ? parse_goal(claim.goal, size).board(size)
                                    : replayed(claim.board, claim.moves.value()).value());
  OrderedJson row = picked(from.json, row_shape, "this result");
  OrderedJson iterations = OrderedJson::array();
  for (OrderedJson& iteration : row["iterations"]) {
    iteration["complete"] = iteration["complete"] == false ? 0 : 1;
    for (OrderedJson& value : iteration) iterations.push_back(std::move(value));
  }
  // Only solutions that `flaw` has replayed.
  const bool has_replayed = claim.moves && claim.status != "unsolvable";
  // Rows of other programs may lack the length.
  const OrderedJson length = claim.length ? OrderedJson(*claim.length)
                             : has_replayed
                                 ? OrderedJson(solution_length(*claim.moves, claim.metric))
                                 : OrderedJson(nullptr);
  PageBoards& boards = from.boards;
  boards.rows.push_back({boards.run(run), claim.id, tile_letters(claim.board), claim.status, length,
                         has_replayed ? OrderedJson(*claim.moves) : OrderedJson(nullptr),
                         row["optimal"] == true ? 1 : 0, row["verified"] == true ? 1 : 0,
                         row["seconds"], row["nodes"]["expanded"], row["nodes"]["generated"],
                         row["solutions"], row["lower_bound"], row["workers"], row["begin_seconds"],
                         row["end_seconds"], row["cpu_share"], std::move(iterations)});
}

}  // namespace

std::size_t PageBoards::run(const OrderedJson& like) {
  const auto [entry, added] = numbers_.try_emplace(like.dump(), runs.size());
  if (added) runs.push_back(like);
  return entry->second;
}

void add_result(const PageRow& row) {
  const ClaimedResult claim = claim_of(row.json);
  if (claim.has_board()) add_board(claim, "board " + quote(claim.id), row);
}

OrderedJson read_census(const PageRow& row) {
  static const auto shape = OrderedJson::parse(R"({
    "radius": "count", "ranks": "count", "threads": "count", "seconds": "amount",
    "complete": "flag", "size": "needed text", "goal": "needed text", "metric": "needed text",
    "widths": ["width", "count"],
    "deepest": ["deepest board", {"board": ["tile", "count"], "length": "count",
                                  "moves": "text"}]})");
  OrderedJson census = picked(row.json, shape, "this census");
  census["file"] = row.file;
  (void)parse_metric(census["metric"].get<std::string>());
  if (census["widths"].empty()) bad_input("\"widths\" of this census is empty, expected depths");
  const Size size = parse_census_size(census["size"].get<std::string>());
  const int blank = with_error_prefix(
      "goal: ", [&] { return parse_goal_blank(census["goal"].get<std::string>(), size); });
  std::uint64_t states = 0;
  for (const OrderedJson& width : census["widths"]) states += width.get<std::uint64_t>();
  const std::uint64_t depth = census["widths"].size() - 1;
  for (const auto& [key, sum] : {std::pair("states", states), std::pair("radius", depth)}) {
    const nlohmann::json& said = field_of(row.json, key);
    if (said.is_null() || said == sum) continue;
    bad_input(
        fmt::format("\"{}\" of this census is {}, its \"widths\" have {}", key, shown(said), sum));
  }
  // A board of one row or column cannot be replayed.
  if (!size.playable()) census["deepest"].clear();
  for (const OrderedJson& deep : census["deepest"]) {
    // As solve --json would report it.
    const nlohmann::json result{{"schema", "tessera.result/1"},
                                {"id", "deepest of " + to_string(size)},
                                {"size", to_string(size)},
                                {"goal", to_string(ordered_board(size, blank))},
                                {"metric", census["metric"]},
                                {"engine", "census"},
                                {"status", "solved"},
                                {"optimal", true},
                                {"verified", true},
                                {"board", deep["board"]},
                                {"length", deep["length"]},
                                {"lower_bound", deep["length"]},
                                {"moves", deep["moves"]}};
    add_board(claim_of(result), "a deepest board", {result, row.file, row.boards});
  }
  census.erase("deepest");
  return census;
}

OrderedJson read_comparison(const PageRow& row) {
  static const auto shape = OrderedJson::parse(R"({
    "version": "text", "command": "text", "study": "text", "repeat": "count",
    "finish_iteration": "flag", "interrupted": "flag",
    "machine": {"cpu": "text", "date": "text", "cpus": "count", "hosts": "count",
                "cpu_share": "amount"},
    "boards": ["board", "text"], "pairs": ["pair", {
      "faster": "text", "slower": "text", "beyond_noise": "flag"}],
    "verdicts": ["verdict", "text"], "summary": ["sentence", "text"],
    "configurations": ["configuration", {
      "name": "needed text", "engine": "text", "heuristic": "text", "backend": "text",
      "schedule": "text", "cut": "text", "ranks": "count", "threads": "count", "workers": "count",
      "split_depth": "count", "speedup": "amount", "efficiency": "amount", "idle": "amount",
      "imbalance": "amount", "search_overhead": "any amount", "work_ratio": "amount",
      "reference": "text", "moves": "count", "answers": "text",
      "seconds": {"median": "amount", "min": "amount", "max": "amount"},
      "nodes": {"expanded": "count", "generated": "count"},
      "sections": {"search": "amount", "split": "amount", "wait": "amount",
                   "communicate": "amount", "other": "amount"}}]})");
  OrderedJson comparison = picked(row.json, shape, "this comparison");
  comparison["boards"] = comparison["boards"].size();
  // None if no board could be solved, as its verdicts say.
  if (comparison["configurations"].empty() && comparison["verdicts"].empty()) {
    bad_input("no \"configurations\" in this comparison");
  }
  return comparison;
}

OrderedJson read_game(const PageRow& row) {
  static const auto shape = OrderedJson::parse(R"({
    "id": "needed text", "size": "text", "metric": "text",
    "length": "count", "optimal_length": "count", "solves": "flag",
    "brackets": ["bracket", ["limit", "count or null"]],
    "mistakes": ["mistake", {"move": "count", "before": "count", "after": "count",
                             "better": "text"}]})");
  OrderedJson game = picked(row.json, shape, "this analysis");
  const auto is_bracket = [](const OrderedJson& bracket) {
    return bracket.size() == 2 && !bracket[0].is_null();
  };
  const bool whole = game["length"].is_number() &&
                     game["brackets"].size() == game["length"].get<std::size_t>() + 1 &&
                     std::ranges::all_of(game["brackets"], is_bracket);
  if (!whole) {
    bad_input("\"brackets\" of this analysis: expected a lower and an upper bound after each move");
  }
  return game;
}

OrderedJson read_shortened(const PageRow& row) {
  static const auto shape = OrderedJson::parse(R"({
    "id": "needed text", "length_before": "count", "length": "count", "optimal": "flag"})");
  OrderedJson shortened = picked(row.json, shape, "this optimization");
  ClaimedResult claim = claim_of(row.json);
  if (!claim.moves || !claim.length || !claim.length_before) {
    bad_input("no \"moves\", \"length\" or \"length_before\" in this optimization");
  }
  claim.status = "solved";  // also if a limit ended it
  add_board(claim, "board " + quote(claim.id), row, "optimize");
  return shortened;
}

OrderedJson read_simulation(const PageRow& row) {
  static const auto shape = OrderedJson::parse(R"({
    "id": "text", "size": "text", "heuristic": "text", "schedule": "text", "limit": "text",
    "bound": "count", "ranks": "count", "threads": "count", "slow_ranks": "count",
    "latency_seconds": "amount", "scale": "amount", "makespan_seconds": "amount",
    "speedup": "amount", "efficiency": "amount"})");
  OrderedJson simulation = picked(row.json, shape, "this simulation");
  simulation["file"] = row.file;
  if (simulation["ranks"].is_null()) bad_input("no number \"ranks\" in this simulation");
  return simulation;
}

}  // namespace tessera
