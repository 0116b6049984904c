// SPDX-License-Identifier: MIT
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "analysis/game_analysis.hpp"
#include "base/json_object.hpp"
#include "model/effort.hpp"
#include "report/estimate.hpp"
#include "report/task_result.hpp"
#include "report/version.hpp"

namespace tessera {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

Json board_json(const char* schema, const std::string& id, const Board& board,
                const std::string& goal, Metric metric) {
  return {{"schema", schema},
          {"id", id},
          {"size", to_string(board.size())},
          {"goal", goal},
          {"metric", to_string(metric)},
          {"board", board.tiles()}};
}

Json lengths_json(std::string_view letters) {
  return {{"single", solution_length(letters, Metric::single)},
          {"multi", solution_length(letters, Metric::multi)}};
}

Json iteration_json(const IterationReport& report) {
  return {{"bound", report.bound},
          {"expanded", report.counts.expanded},
          {"generated", report.counts.generated},
          {"seconds", report.seconds},
          {"idle_fraction", report.idle_fraction},
          {"complete", report.complete}};
}

Json row_of(const BoardResult& result, const RunSetup& setup) {
  Json json = board_json("tessera.result/1", result.id, result.board, result.goal, result.metric);
  json["solvable"] = result.solvable;
  if (!result.has_board()) {  // of a line that is no board, the id alone
    for (const char* key : {"size", "goal", "board", "solvable"}) json[key] = nullptr;
  }
  json["status"] = to_string(result.status);
  if (!result.message.empty()) json["message"] = result.message;
  json["length"] = or_null<Json>(result.length);
  json["lengths"] = result.solution ? lengths_json(*result.solution) : Json(nullptr);
  json["moves"] = or_null<Json>(result.solution);
  json["optimal"] = result.optimal;
  json["lower_bound"] = or_null<Json>(result.optimal ? result.length : result.lower_bound);
  json["upper_bound"] = or_null<Json>(result.length);
  json["incumbent"] = nullptr;
  if (result.incumbent) {
    json["incumbent"] = {{"length", result.incumbent->length},
                         {"width", result.incumbent->width},
                         {"evaluated", result.incumbent->evaluated},
                         {"seconds", result.incumbent->seconds}};
  }
  json["engine"] = setup.engine;
  json["heuristic"] = or_null<Json>(result.heuristic);
  if (result.from_goal) json["search_from"] = "goal";
  const bool has_layout = result.origin && result.origin->layout;
  add_workers(json, has_layout ? *result.origin->layout : setup);
  json["schedule"] = or_null<Json>(setup.schedule);
  json["bounds"] = or_null<Json>(setup.bounds);
  json["prune"] = or_null<Json>(result.prune);
  json["finish_iteration"] = setup.finish_iteration;
  json["seed"] = result.incumbent ? Json(setup.seed) : Json(nullptr);
  json["seconds"] = result.seconds + result.earlier_seconds;
  json["setup_seconds"] = result.setup_seconds;
  json["nodes"] = {{"expanded", result.counts.expanded}, {"generated", result.counts.generated}};
  json["iterations"] = Json::array();
  for (const IterationReport& report : result.iterations) {
    json["iterations"].push_back(iteration_json(report));
  }
  if (result.stores_boards) {
    json["memory"] = {
        {"states", result.states}, {"bytes", result.bytes}, {"full", result.memory_full()}};
  }
  if (result.iterations.size() > 1 && !result.iterations.back().complete) {
    const IterationReport& cut = result.iterations.back();
    const auto left = forecast({result.iterations.begin(), std::prev(result.iterations.end())},
                               static_cast<double>(cut.counts.expanded), cut.seconds);
    json["seconds_left"] = left ? Json(left->seconds_left) : nullptr;
  }
  json["solutions"] = or_null<Json>(result.solutions);
  json["all_moves"] = nullptr;
  json["good_moves"] = nullptr;
  if (result.list && result.lists_solutions) json["all_moves"] = result.list->solutions;
  if (result.list && result.counts_first_moves) {
    json["good_moves"] = Json::object();
    for (const FirstMove& move : result.list->first_moves) {
      json["good_moves"][move.letters] = move.solutions;
    }
  }
  json["verified"] = result.solution.has_value();
  json["version"] = version();
  if (result.origin) add_origin(json, *result.origin);
  return json;
}

Json row_of(const BoardTask& game, const std::string& moves, Metric metric,
            const GameAnalysis& found, const std::string& heuristic, double seconds) {
  Json json = board_json("tessera.analysis/1", game.id, game.board, game.goal_name, metric);
  const auto distance = [&](std::size_t i) {
    return found.is_exact(i) ? Json(found.brackets[i].lower) : Json(nullptr);
  };
  json["moves"] = moves;
  json["length"] = found.length;
  json["optimal_length"] = distance(0);
  json["solves"] = found.solves;
  json["distances"] = Json::array();
  json["brackets"] = Json::array();
  for (std::size_t i = 0; i < found.brackets.size(); ++i) {
    json["distances"].push_back(distance(i));
    json["brackets"].push_back({found.brackets[i].lower, or_null<Json>(found.brackets[i].upper)});
  }
  json["mistakes"] = Json::array();
  for (const Mistake& mistake : found.mistakes) {
    json["mistakes"].push_back({{"move", mistake.move},
                                {"before", mistake.before},
                                {"after", mistake.after},
                                {"better", or_null<Json>(mistake.better)}});
  }
  json["heuristic"] = heuristic;
  json["seconds"] = seconds;
  json["version"] = version();
  return json;
}

std::string to_json(const BoardResult& result, const RunSetup& setup) {
  return to_line(row_of(result, setup));
}

std::string to_json(const BoardEstimate& estimate, const RunSetup& setup) {
  Json json =
      board_json("tessera.estimate/1", estimate.id, estimate.board, estimate.goal, estimate.metric);
  json["solvable"] = estimate.solvable;
  json["heuristic"] = estimate.heuristic;
  if (estimate.from_goal) json["search_from"] = "goal";
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
                    {"extrapolated", false}});
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
                         {"ntasks", request.nodes},
                         {"cpus_per_task", request.cpus_per_task},
                         {"memory_bytes", request.memory_bytes},
                         {"seconds", request.seconds},
                         {"safety", request.safety}};
  }
  json["estimate_seconds"] = estimate.seconds;
  json["version"] = version();
  return to_line(json);
}

}  // namespace tessera
