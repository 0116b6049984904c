// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "analysis/game_search.hpp"
#include "analysis/shorten.hpp"
#include "base/clock.hpp"
#include "base/json_object.hpp"
#include "base/text.hpp"
#include "cli/commands/command_output.hpp"
#include "cli/commands/games.hpp"
#include "cli/process/context.hpp"
#include "cli/process/crew.hpp"
#include "puzzle/move_text.hpp"
#include "report/board_result.hpp"
#include "report/version.hpp"

namespace tessera {
namespace {

constexpr std::string_view optimization_columns =
    "id,size,goal,metric,board,length_before,length,moves,lengths_single=lengths/single,"
    "lengths_multi=lengths/multi,optimal,solves,window,status,seconds,version";

nlohmann::ordered_json json_of(const Config& config, const Game& game, const Shortened& found,
                               double seconds) {
  nlohmann::ordered_json json =
      board_json("tessera.optimization/1", game.id, game.board, game.goal_name, config.metric);
  json["length_before"] = solution_length(game.moves, config.metric);
  json["length"] = solution_length(found.moves, config.metric);
  json["moves"] = found.moves;
  json["lengths"] = lengths_json(found.moves);
  json["optimal"] = found.is_optimal;
  json["solves"] = replayed(game.board, game.moves) == game.goal;
  json["window"] = found.longest_window;
  json["status"] = !found.stop                       ? "finished"
                   : found.stop == Stop::interrupted ? "interrupted"
                                                     : "limit";
  json["seconds"] = seconds;
  json["version"] = version();
  return json;
}

}  // namespace

int command_optimize(const Config& config, Context& context) {
  const ShortenOptions options = shorten_options(config, config.window.value_or(0));
  const auto [games, complaints, notes] = read_games(config, [&](const Game& game) {
    expect_shortenable(replayed(game.board, game.moves).value(), options);
  });
  CommandOutput output(config);
  for (const std::string& complaint : complaints) output.complain(complaint);
  for (const std::string& note : notes) output.remark("note: " + note + "\n");
  context.stop_on_signals();
  Crew crew = make_crew(config, context);
  const Limits limits = limits_of(config, context);
  int code = complaints.empty() ? exit_answered : exit_bad_input;
  std::size_t games_left = games.size();
  for (const Game& game : games) {
    const Stopwatch watch;
    ProgressObserver progress(output.errors(), config.shown_progress());
    progress.board_started(game.id);
    const Limits part = equal_part(limits, games_left--).for_board(config.board_time_limit);
    const auto report = [&](const std::string& moves, int window) {
      progress.doing(fmt::format("{}, windows of {}",
                                 counted(solution_length(moves, config.metric), "move"), window));
    };
    const Shortened found = shorten(game.board, game.moves, options, *crew.backend, part, report);
    progress.clear();
    const auto json = json_of(config, game, found, watch.seconds());
    output.answer(fmt::format("{}: {} instead of {}{}: {}\n", game.id,
                              counted(solution_length(found.moves, config.metric), "move"),
                              json["length_before"].get<int>(),
                              found.is_optimal ? ", optimal for these boards" : "",
                              format_moves(found.moves, config.notation, config.moves_of)));
    if (json["solves"] == false) {
      output.remark(
          fmt::format("{}: these moves do not lead to the goal ({})\n", game.id, game.goal_name));
    }
    output.write_json(to_line(json));
    output.write_csv(optimization_columns, json);
    if (!found.stop) continue;
    code = exit_stopped;
    if (found.stop != Stop::interrupted) continue;
    output.complain(fmt::format("stopped by a signal after {} of {}", games.size() - games_left,
                                counted(games.size(), "game")));
    break;
  }
  output.end_rows(optimization_columns);
  return code;
}

}  // namespace tessera
