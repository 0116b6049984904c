// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "base/error.hpp"
#include "base/json_object.hpp"
#include "base/text.hpp"
#include "model/effort.hpp"
#include "puzzle/board_json.hpp"
#include "puzzle/goal.hpp"
#include "puzzle/move_text.hpp"
#include "report/board_result.hpp"
#include "report/estimate.hpp"
#include "report/lengths.hpp"
#include "report/version.hpp"

namespace tessera {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view wrong_moves =
    "has a move that leaves the board or is not a letter of UDLR";
// By Status.
constexpr std::string_view statuses[] = {"solved", "unsolvable", "limit", "interrupted", "error"};

// The first fields of the record of a board, a BoardResult or a BoardEstimate.
template <class Record>
Json board_json(const char* schema, const Record& record) {
  Json json;
  json["schema"] = schema;
  json["id"] = record.id;
  json["size"] = to_string(record.board.size());
  json["goal"] = record.goal;
  json["metric"] = to_string(record.metric);
  json["board"] = record.board.tiles();
  json["solvable"] = record.solvable;
  return json;
}

// Of a line that is no board, the id alone.
Json result_json(const BoardResult& result) {
  Json json = board_json("tessera.result/1", result);
  if (result.has_board()) return json;
  for (const char* key : {"size", "goal", "board", "solvable"}) json[key] = nullptr;
  return json;
}

void add_workers(Json& json, const RunSetup& setup) {
  json["backend"] = setup.backend;
  json["ranks"] = setup.ranks;
  json["threads"] = setup.threads;
  json["hosts"] = setup.hosts;
}

// For a claim whose length is that of its moves, or which has neither.
std::string flaw_of_bounds(const ClaimedResult& claim) {
  const auto upper = claim.upper_bound;
  const auto lower = claim.lower_bound;
  const bool optimal = claim.optimal.value_or(false);
  if (!claim.length) {
    if (optimal) return "has no moves, the file says optimal";
    if (claim.verified.value_or(false)) return "has no moves, the file says verified";
    return upper ? fmt::format("has no moves, the file says at most {}", *upper) : "";
  }
  const std::string has = "has " + counted(*claim.length, "move");
  if (claim.no_upper_bound) return has + ", the file has no upper bound";
  if (optimal && claim.no_lower_bound) return has + ", optimal, the file has no lower bound";
  if (claim.verified == false) return has + ", the file says not verified";
  if (upper && *upper != *claim.length) {
    return fmt::format("{}, the file says at most {}", has, *upper);
  }
  if (lower && (*lower < 0 || *lower > *claim.length)) {
    return fmt::format("{}, the file says at least {}", has, *lower);
  }
  if (optimal && claim.status != "solved") {
    return fmt::format("{}, the file says optimal and {}", has, claim.status);
  }
  if (claim.optimal && lower && optimal != (*lower == *claim.length)) {
    return fmt::format("{}, the file says {}optimal and at least {}", has, optimal ? "" : "not ",
                       *lower);
  }
  return "";
}

// For a list of solutions.
std::string flaw_of_list(const ClaimedResult& claim, const Board& goal) {
  for (std::size_t i = 0; i < claim.all_moves.size(); ++i) {
    const std::string& moves = claim.all_moves[i];
    if (replayed(claim.board, moves) == goal &&
        solution_length(moves, claim.metric) == claim.length) {
      continue;
    }
    return fmt::format("has a solution {} in its list that is none of {}", i + 1,
                       counted(claim.length.value_or(0), "move"));
  }
  const auto sum = claim.solutions.value_or(0);
  if (claim.all_moves.size() > sum || (claim.good_moves != 0 && claim.good_moves != sum)) {
    return fmt::format("has other numbers of solutions in its lists, the file says {}", sum);
  }
  return "";
}

// For bounds that were searched one after the other.
std::string flaw_of_deepening(const ClaimedResult& claim) {
  for (std::size_t i = 1; i < claim.iterations.size(); ++i) {
    const ClaimedBound& before = claim.iterations[i - 1];
    const std::int64_t bound = claim.iterations[i].bound;
    if (!before.complete) {
      return fmt::format("has bounds after {}, which is not complete", before.bound);
    }
    if (bound <= before.bound) return fmt::format("has bound {} after {}", bound, before.bound);
  }
  const ClaimedBound& last = claim.iterations.back();
  if (claim.length && last.bound > *claim.length) {
    return fmt::format("has {}, the file has a bound of {}", counted(*claim.length, "move"),
                       last.bound);
  }
  if (claim.status == "solved") {
    return last.complete ? "" : fmt::format("is solved, but bound {} is not complete", last.bound);
  }
  if (claim.no_lower_bound) return "has searched bounds, the file has no lower bound";
  if (!claim.lower_bound) return "";
  const std::int64_t lower = *claim.lower_bound;
  const std::size_t complete = claim.iterations.size() - (last.complete ? 0 : 1);
  if (complete > 0 && lower <= claim.iterations[complete - 1].bound) {
    return fmt::format("has no solution within {}, the file says at least {}",
                       claim.iterations[complete - 1].bound, lower);
  }
  if (lower < 0 || (!last.complete && lower > last.bound)) {
    return fmt::format("has not completed bound {}, the file says at least {}", last.bound, lower);
  }
  return "";
}

}  // namespace

std::string to_json(const BoardResult& result, const RunSetup& setup) {
  Json json = result_json(result);
  json["status"] = to_string(result.status);
  if (!result.message.empty()) json["message"] = result.message;
  json["length"] = or_null<Json>(result.length);
  json["lengths"] = nullptr;
  if (result.moves) {
    const Lengths lengths = lengths_of(*result.moves);
    json["lengths"] = {{"single", lengths.single}, {"multi", lengths.multi}};
  }
  json["moves"] = or_null<Json>(result.moves);
  json["optimal"] = result.optimal;
  json["lower_bound"] = or_null<Json>(result.optimal ? result.length : result.lower_bound);
  json["upper_bound"] = result.verified ? Json(*result.length) : Json(nullptr);
  json["incumbent"] = nullptr;
  if (result.incumbent) {
    json["incumbent"] = {{"length", result.incumbent->length},
                         {"width", result.incumbent->width},
                         {"evaluated", result.incumbent->evaluated},
                         {"seconds", result.incumbent->seconds}};
  }
  json["engine"] = setup.engine;
  json["heuristic"] = result.heuristic.empty() ? Json(nullptr) : Json(result.heuristic);
  add_workers(json, setup);
  json["schedule"] = or_null<Json>(setup.schedule);
  json["bounds"] = or_null<Json>(setup.bounds);
  json["prune"] = or_null<Json>(result.prune);
  json["finish_iteration"] = setup.finish_iteration;
  json["seed"] = result.incumbent ? Json(setup.seed) : Json(nullptr);
  json["seconds"] = result.seconds + result.earlier_seconds;
  json["setup_seconds"] = result.setup_seconds;
  json["nodes"] = {{"expanded", result.counts.expanded}, {"generated", result.counts.generated}};
  Json iterations = Json::array();
  for (const IterationReport& iteration : result.iterations) {
    iterations.push_back({{"bound", iteration.bound},
                          {"expanded", iteration.counts.expanded},
                          {"generated", iteration.counts.generated},
                          {"seconds", iteration.seconds},
                          {"idle_fraction", iteration.idle_fraction},
                          {"complete", iteration.complete}});
  }
  json["iterations"] = std::move(iterations);
  if (result.keeps_boards) {
    json["memory"] = {
        {"states", result.states}, {"bytes", result.bytes}, {"full", result.memory_full()}};
  }
  if (result.iterations.size() > 1 && !result.iterations.back().complete) {
    const IterationReport& cut = result.iterations.back();
    const auto left = forecast({result.iterations.begin(), std::prev(result.iterations.end())},
                               static_cast<double>(cut.counts.expanded), cut.seconds);
    json["seconds_left"] = left ? Json(left->seconds_left) : nullptr;
  }
  if (result.solutions) json["solutions"] = *result.solutions;
  if (result.lists_solutions) {
    json["all_moves"] = result.list ? Json(result.list->solutions) : Json(nullptr);
  }
  if (result.counts_first_moves) {
    json["good_moves"] = nullptr;
    if (result.list) {
      json["good_moves"] = Json::object();
      for (const FirstMove& move : result.list->first_moves) {
        json["good_moves"][move.letters] = move.solutions;
      }
    }
  }
  json["verified"] = result.verified;
  json["version"] = version();
  if (result.origin) add_origin(json, *result.origin);
  return to_line(json);
}

std::string to_json(const BoardEstimate& estimate, const RunSetup& setup) {
  Json json = board_json("tessera.estimate/1", estimate);
  json["heuristic"] = estimate.heuristic;
  add_workers(json, setup);
  json["sampled"] = estimate.effort.sampled;
  const auto seconds_or_null = [&](double seconds) {
    return estimate.rate > 0 || estimate.is_solved ? Json(seconds) : Json(nullptr);
  };
  json["expanded_per_second"] = estimate.is_solved ? Json(nullptr) : seconds_or_null(estimate.rate);
  Json rows = Json::array();
  for (const BoundEffort& row : estimate.effort.bounds) {
    rows.push_back({{"bound", row.bound},
                    {"expanded", std::round(row.expanded)},
                    {"expanded_low", std::round(row.low)},
                    {"expanded_high", std::round(row.high)},
                    {"generated", std::round(row.generated)},
                    {"seconds", seconds_or_null(row.expanded / estimate.rate)},
                    {"extrapolated", row.extrapolated}});
  }
  json["bounds"] = std::move(rows);
  if (estimate.solvable) {
    // No bounds: an engine whose search cannot be estimated.
    const bool known = estimate.is_solved || !estimate.effort.bounds.empty();
    json["probable_bound"] = known ? Json(estimate.probable_bound) : nullptr;
    json["upper_bound"] = or_null<Json>(estimate.upper_bound);
    json["seconds"] = seconds_or_null(estimate.seconds_to(estimate.probable_bound));
    // If an incumbent is optimal, its own bound is not searched.
    json["seconds_with_incumbent"] =
        seconds_or_null(estimate.seconds_to(estimate.probable_bound - 1));
    json["table_bytes"] = estimate.table_bytes;
    json["memory_bytes"] = estimate.memory_bytes;
    const JobRequest& request = estimate.request;
    json["request"] = nullptr;
    if (estimate.rate > 0)
      json["request"] = {{"nodes", request.nodes},
                         {"ntasks", request.tasks},
                         {"cpus_per_task", request.cpus_per_task},
                         {"memory_bytes", request.memory_bytes},
                         {"seconds", request.seconds},
                         {"safety", request.safety}};
  }
  json["estimate_seconds"] = estimate.seconds;
  json["version"] = version();
  return to_line(json);
}

ClaimedResult parse_result(std::string_view json_line) {
  const auto json = parse_json_object<nlohmann::json>(json_line);
  // Null if it is absent.
  // Not copied: arrays may be nested deeper than the stack is.
  const nlohmann::json missing;
  const auto field = [&](const char* key) -> const nlohmann::json& {
    const auto found = json.find(key);
    return found == json.end() ? missing : *found;
  };
  const bool is_shortened = json.is_object() && field("schema") == "tessera.optimization/1";
  if (!is_shortened && (!json.is_object() || field("schema") != "tessera.result/1")) {
    bad_input(
        "not a result of solve --json or optimize --json, expected "
        "\"schema\":\"tessera.result/1\", or a CSV whose "
        "first line names the columns, such as id,board,moves");
  }
  const auto text = [&](const char* key) {
    const nlohmann::json& value = field(key);
    if (!value.is_string()) bad_input(std::string("no text \"") + key + "\" in this result");
    return value.get<std::string>();
  };
  ClaimedResult result;
  result.id = text("id");
  result.metric = parse_metric(text("metric"));
  result.status = text("status");
  if (is_shortened && result.status == "finished") result.status = "solved";
  if (result.status == "error" && field("board").is_null()) return result;
  result.goal = text("goal");
  if (std::ranges::find(statuses, result.status) == std::end(statuses)) {
    bad_input("status " + quote(result.status) +
              " is unknown, expected one that solve --json writes");
  }
  const auto size =
      field("size").is_null() ? std::nullopt : std::optional(parse_size(text("size")));
  result.board = parse_board(board_text(field("board")), size);
  if (field("moves").is_string()) {
    try {
      result.moves = parse_moves(text("moves"), Mover::tile);
    } catch (const Error& error) {
      result.malformed = std::string(wrong_moves) + ": " + error.what();
    }
  }
  const nlohmann::json& solutions = field("solutions");
  if (solutions.is_number_unsigned()) result.solutions = solutions.get<std::uint64_t>();
  if (const nlohmann::json& all = field("all_moves"); all.is_array()) {
    for (const auto& listed : all) {
      result.all_moves.push_back(listed.is_string() ? listed.get<std::string>() : "?");
    }
  }
  if (const nlohmann::json& good = field("good_moves"); good.is_object()) {
    for (const auto& begun : good) {
      if (begun.is_number_unsigned()) result.good_moves += begun.get<std::uint64_t>();
    }
  }
  const auto read = [&]<class T>(const char* key, std::optional<T>& into) {
    constexpr bool is_bool = std::is_same_v<T, bool>;
    const nlohmann::json& value = field(key);
    if (is_bool ? value.is_boolean() : value.is_number_integer()) {
      into = value.get<T>();
    } else if (!value.is_null()) {
      result.malformed = fmt::format("has \"{}\" {}, expected {} or null", key, shown(value),
                                     is_bool ? "true, false" : "a whole number");
    }
  };
  read("length", result.length);
  read("lower_bound", result.lower_bound);
  read("upper_bound", result.upper_bound);
  read("solvable", result.solvable);
  read("optimal", result.optimal);
  read("verified", result.verified);
  if (is_shortened) {
    read("solves", result.solves);
    read("length_before", result.length_before);
  }
  if (is_shortened && !result.solves && result.moves && result.has_board()) {
    // In older files.
    const Board goal = parse_goal(result.goal, result.board.size()).board(result.board.size());
    result.solves = replayed(result.board, *result.moves) == goal;
  }
  const auto is_null = [&](const char* key) { return json.contains(key) && field(key).is_null(); };
  result.no_length = is_null("length");
  result.no_lower_bound = is_null("lower_bound");
  result.no_upper_bound = is_null("upper_bound");
  const nlohmann::json& begin = field("begin_seconds");
  const nlohmann::json& end = field("end_seconds");
  if (begin.is_number() && end.is_number() &&
      (begin.get<double>() < 0 || end.get<double>() < begin.get<double>())) {
    result.malformed = "ends before it begins, or begins before its run";
  }
  if (const auto& share = field("cpu_share");
      share.is_number() && (share.get<double>() < 0 || share.get<double>() > 1)) {
    result.malformed = "has a \"cpu_share\" outside of 0 to 1";
  }
  result.independent = field("bounds") == "independent";
  // The levels of the others overlap on several ranks.
  const auto engine = field("engine").is_string() ? text("engine") : "ida";
  result.deepens = engine == "ida" || engine == "iddfs" || engine == "iddfs-pruned";
  // Amounts of other types count as absent: only what can be added up is compared.
  const auto amount = [](const nlohmann::json& object, const char* key) {
    const auto found = object.find(key);
    const bool whole = found != object.end() && found->is_number_integer();
    return whole ? std::optional(found->get<std::int64_t>()) : std::nullopt;
  };
  if (const nlohmann::json& nodes = field("nodes"); nodes.is_object()) {
    result.expanded = amount(nodes, "expanded");
    result.generated = amount(nodes, "generated");
  }
  const nlohmann::json& iterations = field("iterations");
  if (!iterations.is_array()) {
    result.deepens = false;  // for all that this row says
  } else {
    for (const nlohmann::json& iteration : iterations) {
      if (!iteration.is_object()) continue;
      const auto complete = iteration.find("complete");
      result.iterations.push_back({.bound = amount(iteration, "bound").value_or(0),
                                   .expanded = amount(iteration, "expanded").value_or(0),
                                   .generated = amount(iteration, "generated").value_or(0),
                                   .complete = complete == iteration.end() || *complete != false});
    }
  }
  return result;
}

std::string flaw(const ClaimedResult& claim) {
  if (!claim.malformed.empty()) return claim.malformed;
  if (!claim.has_board()) return {};
  const Board goal = parse_goal(claim.goal, claim.board.size()).board(claim.board.size());
  const bool solves = claim.solves.value_or(true);
  const bool has_solution = !solves || solvable(claim.board, goal);
  const bool says_unsolvable = claim.status == "unsolvable";
  const bool replays_wrongly = !has_solution && !says_unsolvable && claim.moves;
  if (!replays_wrongly &&
      (says_unsolvable == has_solution || claim.solvable.value_or(has_solution) != has_solution)) {
    return has_solution ? "is solvable, the file says unsolvable"
                        : "is unsolvable, the file says solvable";
  }
  if (says_unsolvable) {
    if (claim.moves || claim.length) return "is unsolvable, the file has moves";
    if (claim.lower_bound || claim.upper_bound) return "is unsolvable, the file has bounds";
    if (claim.optimal.value_or(false)) return "is unsolvable, the file says optimal";
    return claim.verified.value_or(false) ? "is unsolvable, the file says verified" : "";
  }
  if (!claim.moves) {
    if (claim.status == "solved") return "has no moves, the file says solved";
    if (claim.length) return fmt::format("has no moves, the file says {}", *claim.length);
    return flaw_of_bounds(claim);
  }
  const std::optional<Board> end = replayed(claim.board, *claim.moves);
  if (!end) return std::string(wrong_moves);
  if (solves && *end != goal) return "does not end at its goal";
  if (!solves && *end == goal) return "ends at its goal, the file says that it does not";
  const int length = solution_length(*claim.moves, claim.metric);
  if (claim.length_before && length > *claim.length_before) {
    return fmt::format("has {} moves, more than the {} before", length, *claim.length_before);
  }
  if (!claim.length && !claim.no_length) {
    ClaimedResult full = claim;
    full.length = length;
    return flaw(full);
  }
  if (claim.length == length) {
    const std::string wrong = flaw_of_list(claim, goal);
    return wrong.empty() ? flaw_of_bounds(claim) : wrong;
  }
  return fmt::format("has {} moves, the file says {}", length,
                     claim.length ? std::to_string(*claim.length) : "nothing");
}

std::string flaw_of_iterations(const ClaimedResult& claim) {
  std::uint64_t expanded = 0;
  std::uint64_t generated = 1;  // the board itself, once
  for (const ClaimedBound& iteration : claim.iterations) {
    if (iteration.expanded < 0 || iteration.generated < 0) return "has a negative number of nodes";
    expanded += static_cast<std::uint64_t>(iteration.expanded);
    generated += static_cast<std::uint64_t>(iteration.generated);
  }
  const auto wrong_sum = [](const char* what, std::uint64_t sum, std::optional<std::int64_t> said) {
    if (!said || static_cast<std::uint64_t>(*said) == sum) return std::string();
    return fmt::format("has {} nodes {} in its bounds, the file says {} in all", sum, what, *said);
  };
  std::string wrong = wrong_sum("expanded", expanded, claim.expanded);
  if (claim.iterations.empty()) return claim.deepens ? wrong : "";
  if (wrong.empty()) wrong = wrong_sum("generated", generated, claim.generated);
  if (!wrong.empty()) return wrong;
  // Larger bounds may have ended before smaller ones.
  return claim.deepens && !claim.independent ? flaw_of_deepening(claim) : "";
}

std::string_view to_string(Status status) {
  return statuses[static_cast<std::size_t>(status)];
}

}  // namespace tessera
