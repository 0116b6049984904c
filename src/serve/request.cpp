// SPDX-License-Identifier: MIT
#include "serve/request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <vector>

#include "base/error.hpp"
#include "base/json_object.hpp"
#include "base/text.hpp"
#include "heuristic/heuristic_spec.hpp"
#include "heuristic/registry.hpp"
#include "puzzle/board_file.hpp"
#include "puzzle/board_json.hpp"
#include "puzzle/goal.hpp"
#include "puzzle/move_text.hpp"
#include "puzzle/random_board.hpp"
#include "solver/candidates.hpp"
#include "solver/tables.hpp"

namespace tessera {
namespace {

using Parsed = nlohmann::json;
using Json = nlohmann::ordered_json;

// A request's body. Throws Error(input), also for a key that the request does not have.
Parsed parse_body(const std::string& body, const std::vector<std::string>& known) {
  Parsed json = parse_json_object<Parsed>(body);
  if (json.is_discarded()) bad_input("the body is not a JSON object");
  expect_keys(json, known);
  return json;
}

// For strings that are stored with a search, and for nested heuristics.
void expect_short(const char* key, const std::string& text) {
  constexpr std::size_t most_bytes = 256;
  if (text.size() > most_bytes) {
    bad_input(std::string(key) + " is longer than " + std::to_string(most_bytes) + " bytes");
  }
}

// A board or goal as text, perhaps an array of tiles.
std::string tiles_of(const Parsed& json, const char* key) {
  const Parsed& tiles = field_of(json, key);
  if (!tiles.is_array()) return text_of(json, key, "");
  return with_error_prefix(std::string(key) + ": ", [&] { return board_text(tiles); });
}

std::optional<Size> size_of(const Parsed& json) {
  const std::string text = text_of(json, "size", "");
  if (text.empty()) return {};
  return parse_size(text);
}

// As a file, or as one board in a form that files do not have.
std::vector<NamedBoard> read_text(const std::string& text, std::optional<Size> size) {
  BoardFileOptions options;
  options.size = size;
  try {
    return parse_boards(text, "board", options);
  } catch (const Error& of_file) {
    try {
      return {parse_named_board(text, size)};
    } catch (const Error&) {
      throw of_file;
    }
  }
}

// Texts in any format, or arrays of tiles.
struct BoardRequest : BoardTask {
  std::size_t others = 0;   // further boards of the text, ignored
  bool names_goal = false;  // the text does
};

BoardRequest boards_of(const Parsed& json) {
  const std::optional<Size> size = size_of(json);
  const std::string text = tiles_of(json, "board");
  if (trimmed(text).empty()) bad_input("no board, expected tiles such as 1 2 3 4 5 6 7 0 8");
  const std::vector<NamedBoard> boards = read_text(text, size);
  BoardRequest request;
  request.id = boards[0].id;
  request.board = boards[0].board;
  request.others = boards.size() - 1;
  request.names_goal = !boards[0].goal.empty();
  std::string goal_text = tiles_of(json, "goal");
  if (goal_text.empty()) goal_text = boards[0].goal;
  if (goal_text.empty()) goal_text = "last";
  with_error_prefix("goal: ", [&] {
    const Goal goal = parse_goal(goal_text, request.board.size());
    request.goal = goal.board(request.board.size());
    request.goal_name = to_string(goal);
  });
  return request;
}

// In one sentence; empty if it is solvable.
std::string unsolvable_reason(const Board& board, const Board& goal) {
  if (solvable(board, goal)) return {};
  const int swaps = swaps_between(board, goal);
  const int steps = board.size().distance(board.blank(), goal.blank());
  const auto parity = [](int number) { return number % 2 == 0 ? "even" : "odd"; };
  const std::vector<std::string> goals = reachable_goals(board);
  return fmt::format(
      "Sorting these tiles takes an {} number of swaps ({}), and the blank reaches its goal in an "
      "{} number of steps ({}). A move changes both by one, so they can never end together. Swap "
      "any two tiles to make it solvable{}.",
      parity(swaps), swaps, parity(steps), steps,
      goals.empty() ? "" : ", or choose the goal " + alternatives(goals));
}

std::chrono::nanoseconds time_of(const Parsed& json, const ServeLimits& limits) {
  const auto time = duration_of(json, "time_limit").value_or(limits.default_time);
  if (time > limits.most_time) {
    bad_input("time_limit: at most " + std::to_string(limits.most_time.count()) + "s");
  }
  return time;
}

struct Offer {
  std::string name;
  std::string_view summary;
  bool consistent = false;
};

// Everything offered for boards of that goal, including the registry's entries.
std::vector<Offer> offers(const Board& goal, Metric metric) {
  std::vector<Offer> all{{"auto", "the strongest whose tables exist or are built quickly"}};
  for (const HeuristicInfo& info : heuristic_infos(metric)) {
    all.push_back({std::string(info.name), info.summary, info.consistent});
  }
  if (metric == Metric::multi) return all;
  for (const std::string& name : offered_partitions(goal)) {
    all.push_back({name, "additive pattern databases, with their mirror image"});
  }
  return all;
}

// Throws Error(input) if heuristic_list does not offer that name: so a request cannot name a file,
// or make the server build a partition of the client's own.
void expect_offered(const std::string& name, const Board& goal, Metric metric) {
  std::vector<std::string> names;
  for (const Offer& offer : offers(goal, metric)) names.push_back(offer.name);
  if (std::ranges::find(names, name) != names.end()) return;
  const bool composed = name.starts_with("pdb:") || name.starts_with("max(");
  const std::string nearest = composed ? "" : nearest_name(name, names);
  bad_input(fmt::format("heuristic {} is not offered for {} boards, {}", quote(name),
                        to_string(goal.size()),
                        nearest.empty() ? fmt::format("expected one of {}", fmt::join(names, " "))
                                        : "did you mean " + nearest + "?"));
}

// The tables of a heuristic. Throws Error(input) if building a missing one takes more memory than
// ServeLimits allows.
std::vector<TableRequest> tables_of(const ChosenHeuristic& heuristic, const ServeOptions& options) {
  std::vector<TableRequest> tables = requests_of(heuristic);
  for (const TableRequest& table : tables) {
    if (table.cost.build_bytes > options.limits.build_bytes &&
        !is_cached(options.table_directory, table)) {
      bad_input(fmt::format(
          "heuristic {} needs {} MiB to build a table, at most {} MiB are allowed here; tessera "
          "pdb build has no such limit",
          heuristic.name, table.cost.build_bytes >> 20, options.limits.build_bytes >> 20));
    }
  }
  return tables;
}

// The part that all searches share.
SearchRequest search_of(const Parsed& json, const ServeOptions& options) {
  SearchRequest request;
  static_cast<BoardTask&>(request) = boards_of(json);
  SearchOptions& wanted = request.options;
  wanted.metric = parse_metric(text_of(json, "metric", "single"));
  wanted.heuristic = text_of(json, "heuristic", "auto");
  wanted.prune = PruneRule::parent;  // an automaton would have to be built first
  wanted.table_directory = options.table_directory;
  wanted.board_time_limit = time_of(json, options.limits);
  const Board& goal = request.goal;
  expect_short("heuristic", wanted.heuristic);
  expect_offered(wanted.heuristic, goal, wanted.metric);
  expect_short("id", request.id);
  request.plan = make_plan(wanted, goal, 1);
  (void)tables_of(request.plan.heuristic, options);
  // Limit for a beam search, besides the tables.
  constexpr std::uint64_t most_beam_bytes = std::uint64_t{256} << 20;
  wanted.memory_bytes = request.plan.table_bytes + most_beam_bytes;
  return request;
}

}  // namespace

std::string check_boards(const std::string& body) {
  const Parsed json = parse_body(body, {"board", "size", "goal"});
  try {
    const BoardRequest boards = boards_of(json);
    const std::string reason = unsolvable_reason(boards.board, boards.goal);
    return Json{{"size", to_string(boards.board.size())},
                {"board", boards.board.tiles()},
                {"goal", boards.goal_name},
                {"goal_board", boards.goal.tiles()},
                {"solvable", reason.empty()},
                {"reason", or_null<Json>(reason)},
                {"others", boards.others},
                {"names_goal", boards.names_goal}}
        .dump();
  } catch (const Error& error) {
    return to_line(Json{{"error", error.what()}});
  }
}

SearchRequest parse_search_request(const std::string& body, const ServeOptions& options) {
  const Parsed json = parse_body(
      body, {"board", "size", "goal", "metric", "heuristic", "time_limit", "good_moves"});
  SearchRequest request = search_of(json, options);
  request.options.good_moves = flag_of(json, "good_moves", false);
  return request;
}

SearchRequest parse_analysis_request(const std::string& body, const ServeOptions& options) {
  constexpr std::size_t longest_game = 2'000;
  const Parsed json =
      parse_body(body, {"board", "size", "goal", "metric", "heuristic", "time_limit", "moves"});
  SearchRequest request = search_of(json, options);
  const Board& start = request.board;
  if (!solvable(start, request.goal)) bad_input("the board is unsolvable");
  request.moves = with_error_prefix("moves: ", [&] {
    std::string letters = parse_moves(text_of(json, "moves", ""), Mover::tile);
    if (letters.empty() || letters.size() > longest_game) {
      bad_input(fmt::format("expected 1 to {} moves such as RULD", longest_game));
    }
    (void)after_moves(start, letters, Mover::tile);
    return letters;
  });
  return request;
}

std::string scramble_board(const std::string& body) {
  constexpr std::uint64_t longest_scramble = 100'000;
  const Parsed json = parse_body(body, {"size", "goal", "moves", "seed"});
  const std::optional<Size> size = size_of(json);
  const std::string goal_text = tiles_of(json, "goal");
  if (!size) bad_input("no size, expected WxH such as 4x4");
  const Board goal = with_error_prefix("goal: ", [&] {
    return parse_goal(goal_text.empty() ? "last" : goal_text, size).board(*size);
  });
  const std::uint64_t moves = count_of(json, "moves").value_or(0);
  if (moves > longest_scramble) {
    bad_input(fmt::format("moves: expected a whole number, 0 to {}", longest_scramble));
  }
  const auto seed = count_of(json, "seed");
  Random random(seed ? *seed
                     : std::uint64_t{std::random_device{}()} << 32 | std::random_device{}());
  const Board board =
      moves > 0 ? scrambled(goal, static_cast<int>(moves), random) : random_board(goal, random);
  return Json{{"size", to_string(*size)}, {"board", board.tiles()}}.dump();
}

std::string heuristic_list(const Board& goal, Metric metric, const std::string& time_limit,
                           const ServeOptions& options) {
  Json list = Json::array();
  SearchOptions wanted;
  wanted.metric = metric;
  wanted.table_directory = options.table_directory;
  wanted.board_time_limit = time_of(
      time_limit.empty() ? Parsed::object() : Parsed{{"time_limit", time_limit}}, options.limits);
  for (const Offer& offer : offers(goal, metric)) {
    Json json{{"name", offer.name}, {"summary", offer.summary}, {"consistent", offer.consistent}};
    try {
      wanted.heuristic = offer.name;
      const ChosenHeuristic heuristic = choose_heuristic(wanted, goal, 1);
      const std::vector<TableRequest> tables = tables_of(heuristic, options);
      const std::vector<TableRequest> missing = missing_of(tables, options.table_directory);
      if (offer.name == "auto") json["stands_for"] = heuristic.name;
      json["bytes"] = total_cost(tables).file_bytes;
      json["ready"] = missing.empty();
      json["seconds_to_make"] = build_seconds(missing);
    } catch (const Error&) {
      continue;  // not for boards of that size, or its tables take too much memory
    }
    list.push_back(std::move(json));
  }
  return list.dump();
}

}  // namespace tessera
