// SPDX-License-Identifier: MIT
#include "cli/commands/games.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/json_object.hpp"
#include "base/text.hpp"
#include "puzzle/goal.hpp"
#include "puzzle/move_text.hpp"

namespace tessera {
namespace {

Game game_of(const Config& config, const Board& board, const std::string& goal,
             const std::string& moves) {
  Game game{.id = "1", .start = board, .goal = {}, .goal_name = goal, .moves = ""};
  game.goal =
      at_place("goal: ", [&] { return parse_goal(goal, board.size()).board(board.size()); });
  game.moves = at_place("moves: ", [&] {
    std::string letters = parse_moves(moves, config.moves_of);
    (void)after_moves(board, letters, config.moves_of);
    return letters;
  });
  return game;
}

std::optional<Game> game_of_row(const Config& config, const std::string& line, std::size_t number) {
  const auto row = parse_json_object<nlohmann::json>(line);
  if (row.is_discarded()) bad_input("not a JSON object, expected \"board\" and \"moves\"");
  const auto text = [&](const char* key, const std::string& otherwise) {
    const auto found = row.find(key);
    if (found == row.end() || found->is_null()) return otherwise;
    return found->is_string() ? found->template get<std::string>() : found->dump();
  };
  for (const char* const key : {"board", "moves"}) {
    if (!row.contains(key)) bad_input(fmt::format("no \"{}\" in this row", key));
  }
  if (row["moves"].is_null()) return {};  // not solved
  if (!row["moves"].is_string()) bad_input("moves: expected letters such as RULD");
  std::optional<Size> size = config.size;
  if (row.contains("size")) size = parse_size(text("size", ""));
  const Board board = parse_board(text("board", ""), size);
  Game game = game_of(config, board, config.goal.value_or(text("goal", "last")), text("moves", ""));
  game.id = text("id", std::to_string(number));
  return game;
}

}  // namespace

std::pair<std::string, std::string> board_and_moves(const std::vector<std::string>& words) {
  if (words.size() < 2) bad_input("expected tessera moves BOARD MOVES");
  const auto is_move = [](const std::string& word) { return word.find_first_of("UDLRudlr") == 0; };
  const auto moves =
      words.size() == 2 ? words.begin() + 1 : std::find_if(words.begin() + 1, words.end(), is_move);
  return {fmt::format("{}", fmt::join(words.begin(), moves, " ")),
          fmt::format("{}", fmt::join(moves, words.end(), " "))};
}

std::vector<Game> read_games(const Config& config) {
  const bool has_board = !config.words.empty();
  if (has_board == config.file.has_value()) {
    bad_input("expected either BOARD with --moves MOVES, or --file FILE");
  }
  if (has_board) {
    if (!config.moves) bad_input("--moves: missing, expected letters such as RULD or R3 U2");
    const std::string text = fmt::format("{}", fmt::join(config.words, " "));
    const Board board = at_place("BOARD: ", [&] { return parse_board(text, config.size); });
    return {game_of(config, board, config.goal.value_or("last"), *config.moves)};
  }
  if (config.moves) bad_input("--moves: not with --file, whose rows have moves");
  std::vector<Game> games;
  std::size_t number = 0;
  for (const std::string& line : split_list(read_text_file(*config.file), '\n')) {
    ++number;
    if (line.empty()) continue;
    auto game = at_place(fmt::format("{}:{}: ", file_name(*config.file), number),
                         [&] { return game_of_row(config, line, games.size() + 1); });
    if (game) games.push_back(std::move(*game));
  }
  if (games.empty()) bad_input(file_name(*config.file) + ": no game in this file");
  return games;
}

}  // namespace tessera
