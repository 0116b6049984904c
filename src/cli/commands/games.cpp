// SPDX-License-Identifier: MIT
#include "cli/commands/games.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.hpp"
#include "base/json_object.hpp"
#include "base/text.hpp"
#include "puzzle/board_json.hpp"
#include "puzzle/board_line.hpp"
#include "puzzle/move_text.hpp"
#include "report/claimed_result.hpp"

namespace tessera {
namespace {

Game game_of(BoardTask board, const std::string& moves, Mover moves_of) {
  Game game{std::move(board), ""};
  game.moves =
      with_error_prefix("moves: ", [&] { return parse_legal_moves(game.board, moves, moves_of); });
  return game;
}

// A row's fields by name, without those that are null.
using Row = std::map<std::string, std::string>;

Row json_row(const std::string& line) {
  const auto json = parse_json_object<nlohmann::json>(line);
  if (json.is_discarded()) bad_input("not a JSON object, expected \"board\" and \"moves\"");
  for (const char* const key : {"board", "moves"}) {
    if (!json.contains(key)) bad_input(fmt::format("no \"{}\" in this row", key));
  }
  Row row;
  // A line of --stream that is no board has neither.
  if (!json["board"].is_null() || !json["moves"].is_null())
    row["board"] = board_text(json["board"]);
  for (const char* const key : {"id", "size", "goal", "moves"}) {
    const auto& value = field_of(json, key);
    if (value.is_null()) continue;
    if (value.is_structured()) {
      bad_input(fmt::format("\"{}\" is {}, expected a text", key, shown(value)));
    }
    row[key] = value.is_string() ? value.get<std::string>() : value.dump();
  }
  const auto& schema = field_of(json, "schema");
  if (schema.is_string()) row["schema"] = schema.get<std::string>();
  const auto& metric = field_of(json, "metric");
  if (metric.is_string()) row["metric"] = metric.get<std::string>();
  return row;
}

// JSON names its schema, a CSV has columns that together are no other program's.
bool is_of_this_program(const Row& row) {
  const auto schema = row.find("schema");
  if (schema != row.end()) return schema->second.starts_with("tessera.");
  return row.contains("metric") && row.contains("version");
}

// Rows that the program has written have the tiles' moves, whatever --moves-of.
Game game_of_row(const Config& config, Row row) {
  const Mover moves_of = is_of_this_program(row) ? Mover::tile : config.moves_of;
  const std::optional<Size> size = row["size"].empty() ? config.size : parse_size(row["size"]);
  const NamedBoard board{row["id"], parse_board(row["board"], size), row["goal"]};
  if (config.size) expect_size(board.board.size(), *config.size);
  return game_of(board_task(config, board), row["moves"], moves_of);
}

void expect_columns(const CsvHeader& header) {
  for (const char* const column : {"board", "moves"}) {
    if (std::ranges::count(header.columns, column) > 0) continue;
    bad_input(
        "expected JSON with \"board\" and \"moves\", or a CSV whose first line names these "
        "columns, such as id,board,moves");
  }
}

// Of a row of a file, which has no moves if somebody found none.
Row game_row(std::string_view text, const TextRows& rows) {
  if (!rows.is_csv()) return json_row(std::string(trimmed(text)));
  Row row = csv_row(text, rows.header());
  if (!csv_has_moves(row)) row.erase("moves");
  return row;
}

}  // namespace

Games read_games(const Config& config, const CheckGame& check) {
  const bool has_words = !config.words.empty();
  const int sources = has_words + config.scramble_moves.has_value() + config.file.has_value();
  if (sources != 1) {
    bad_input("expected one of BOARD and --scramble, with --moves MOVES, or --file FILE");
  }
  if (const std::size_t asked = config.heuristic_list.size(); asked > 1) {
    bad_input(fmt::format("--heuristic: {} heuristics, expected one", asked));
  }
  if (!config.file) {
    if (!config.moves) bad_input("--moves: missing, expected letters such as RULD or R3 U2");
    Game game = game_of(has_words ? parse_board_task(config, config.words) : scrambled_task(config),
                        *config.moves, config.moves_of);
    check(game);
    return {{std::move(game)}, {}, {}};
  }
  if (config.moves) bad_input("--moves: not with --file, whose rows have moves");
  Games found;
  std::vector<std::string> skipped;
  const Metric other = config.metric == Metric::single ? Metric::multi : Metric::single;
  bool has_other = false;
  const std::string text = read_text_file(*config.file);
  const std::string file = file_name(*config.file);
  TextRows rows(text);
  for (int number = 1; const auto next = rows.next(); ++number) {
    const std::string place = line_place(file, next->line);
    const auto expect_form = [&] {
      const bool is_json = !rows.is_csv() && trimmed(next->text).starts_with('{');
      if (!is_json) expect_columns(rows.header());
    };
    // If not even the first row is in a known form, none is.
    if (number == 1) {
      with_error_prefix(rows.is_csv() ? line_place(file, rows.header().line) : place, expect_form);
    }
    try {
      with_error_prefix(place, [&] {
        expect_form();
        Row row = game_row(next->text, rows);
        std::string& id = row["id"];
        if (id.empty()) id = std::to_string(number);
        if (!row.contains("moves")) return skipped.push_back(id);
        const bool is_other = is_of_this_program(row) && row["metric"] == to_string(other);
        Game game = game_of_row(config, std::move(row));
        check(game);
        found.games.push_back(std::move(game));
        has_other = has_other || is_other;
      });
    } catch (const Error& error) {
      if (!config.keep_going || error.kind() != ErrorKind::input) throw;
      found.complaints.emplace_back(error.what());
    }
  }
  if (!skipped.empty()) {
    found.notes.push_back(
        fmt::format("skipped, as they have no moves: {}", fmt::join(skipped, ", ")));
  }
  if (has_other) {
    found.notes.push_back(
        fmt::format("solutions in metric {0} are counted in metric {1}; --metric {0} "
                    "counts them as their rows do",
                    to_string(other), to_string(config.metric)));
  }
  if (found.games.empty() && found.complaints.empty()) {
    bad_input(file + ": no game in this file, expected rows with moves");
  }
  return found;
}

}  // namespace tessera
