// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/json_object.hpp"
#include "cli/commands/command_output.hpp"
#include "cli/options/boards.hpp"
#include "cli/process/context.hpp"
#include "heuristic/registry.hpp"
#include "puzzle/goal.hpp"
#include "puzzle/move_sequence.hpp"
#include "report/tables.hpp"
#include "report/version.hpp"

namespace tessera {
namespace {

MoveSequence sequence_of(const Config& config) {
  const std::vector<std::string>& words = config.words;
  if (words.size() < 2) bad_input("expected tessera moves BOARD MOVES");
  // Quotes are easily forgotten: a board may come in several words, and moves in those from the
  // first that begins with a move.
  const auto is_move = [](const std::string& word) { return word.find_first_of("UDLRudlr") == 0; };
  const auto moves =
      words.size() == 2 ? words.begin() + 1 : std::find_if(words.begin() + 1, words.end(), is_move);
  const BoardTask task = parse_board_task(config, {words.begin(), moves});
  MoveSequence sequence{task.board, task.goal, ""};
  sequence.moves = with_error_prefix("MOVES: ", [&] {
    const std::string text = fmt::format("{}", fmt::join(moves, words.end(), " "));
    return parse_legal_moves(task.board, text, config.moves_of);
  });
  if (config.invert) sequence = sequence.inverted();
  if (config.simplify) sequence = sequence.simplified();
  if (config.reflect) sequence = sequence.reflected();
  if (config.rotate) sequence = sequence.rotated();
  return sequence;
}

}  // namespace

int command_moves(const Config& config, Context& /*context*/) {
  const MoveSequence sequence = sequence_of(config);
  if (config.heuristic != "auto") {  // not used, but a misspelled one is an error everywhere
    (void)resolve_heuristic(config.heuristic, sequence.goal, config.metric);
  }
  const Board end = sequence.end();
  CommandOutput output(config);

  // All but the board is comments, so that solve --file reads it. JSON has none.
  const bool comments = config.format != BoardFormat::json;
  const std::string goal = goal_name(sequence.goal);
  std::string text = format_board_header(end.size(), goal, config.format);
  std::string remarks = fmt::format("# from {}\n# {}{}: {}\n", to_string(sequence.start),
                                    lengths_text(sequence.moves, config.metric),
                                    end == sequence.goal ? ", to the goal" : "",
                                    format_moves(sequence.moves, config.notation, config.moves_of));
  if (comments) text = remarks + text;
  else output.remark(remarks);
  output.answer(text + format_board({"1", end, goal}, config.format));

  using Json = nlohmann::ordered_json;
  Json json{{"schema", "tessera.moves/1"}};
  json["size"] = to_string(end.size());
  json["goal"] = goal;
  json["board"] = sequence.start.tiles();
  json["moves"] = sequence.moves;
  json["end"] = end.tiles();
  json["lengths"] = lengths_json(sequence.moves);
  json["version"] = version();
  output.write_json(to_line(json));
  return exit_answered;
}

}  // namespace tessera
