// SPDX-License-Identifier: MIT
#include "cli/commands/stream_line.hpp"

#include <nlohmann/json.hpp>

#include "base/json_object.hpp"
#include "base/text.hpp"
#include "puzzle/cells.hpp"

namespace tessera {
namespace {

// Ids are texts; a number is its digits.
std::optional<std::string> id_of(const nlohmann::json& json, const char* key) {
  const auto& id = field_of(json, key);
  if (id.is_string()) return id.get<std::string>();
  return id.is_number_integer() ? std::optional(id.dump()) : std::nullopt;
}

// A line with another id is refused later; its row keeps the number.
void set_id(StreamLine& line, std::string_view id) {
  if (is_printable(id)) line.id = id;
}

void read_options(const nlohmann::json& json, SearchOptions& options) {
  options.heuristic = text_of(json, "heuristic", options.heuristic);
  options.metric = parse_metric(text_of(json, "metric", std::string(to_string(options.metric))));
  options.all = flag_of(json, "all", options.all);
  options.good_moves = flag_of(json, "good_moves", options.good_moves);
  if (const auto most = count_of(json, "max_solutions")) options.most_solutions = most;
  if (const auto most = count_of(json, "node_limit")) {
    if (*most == 0) bad_input("node_limit: expected a whole number, 1 or more");
    options.node_limit = *most;
  }
  options.board_time_limit = duration_of(json, "time_limit").value_or(options.board_time_limit);
}

}  // namespace

bool StreamLines::read(std::string_view whole, int number, StreamLine& line) {
  const std::string_view text = trimmed(without_mark(whole));
  line.id = std::to_string(number);
  line.options = config_;
  if (text.starts_with('[') && text.find('{') < text.find('#')) {
    bad_input("a list of objects, expected one object on a line");
  }
  if (!text.starts_with('{')) {
    const auto colon = text.find(':');
    if (colon < text.find('#')) set_id(line, trimmed(text.substr(0, colon)));
  } else {
    const auto json = parse_json_object<nlohmann::json>(text);
    if (json.is_object()) {
      if (json.contains("cancel")) {
        expect_keys(json, {"cancel"});
        line.cancel = id_of(json, "cancel");
        if (!line.cancel) bad_input("cancel: expected the id of a board");
        return true;
      }
      set_id(line, id_of(json, "id").value_or(line.id));
      // Of a row of results, only the board counts.
      if (text_of(json, "schema", "") != "tessera.result/1") {
        expect_keys(json, {"board", "id", "size", "goal", "metric", "heuristic", "all",
                           "good_moves", "max_solutions", "time_limit", "node_limit"});
        read_options(json, line.options);
      }
    }
  }
  const std::optional<NamedBoard> board = boards_.read(whole, number);
  if (!board) return false;
  line.id = board->id;
  line.task = board_task(config_, *board);
  return true;
}

}  // namespace tessera
