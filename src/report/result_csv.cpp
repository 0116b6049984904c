// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <boost/algorithm/string/case_conv.hpp>
#include <nlohmann/json.hpp>

#include "report/board_result.hpp"
#include "report/claimed_result.hpp"
#include "report/lengths.hpp"
#include "report/tables.hpp"
#include "report/version.hpp"

namespace tessera {
std::string result_csv_heading() {
  return "id,size,goal,metric,heuristic,engine,backend,ranks,threads,workers,status,solvable,"
         "length,optimal,lower_bound,upper_bound,expanded,generated,seconds,setup_seconds,"
         "begin_seconds,end_seconds,cpu_share,prune,run,date,revision,cpu,version,board,moves,"
         "lengths_single,lengths_multi\n";
}

std::string to_csv(const BoardResult& result, const RunSetup& setup) {
  const auto lower = result.optimal ? result.length : result.lower_bound;
  const auto upper = result.verified ? result.length : std::nullopt;
  std::string row = fmt::format(
      "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},", csv_field(result.id),
      result.has_board() ? to_string(result.board.size()) : "", csv_field(result.goal),
      to_string(result.metric), csv_field(result.heuristic), setup.engine, setup.backend,
      setup.ranks, setup.threads, result.origin ? std::to_string(result.origin->workers) : "",
      to_string(result.status), result.has_board() ? fmt::format("{}", result.solvable) : "",
      csv_field(result.length), result.optimal, csv_field(lower), csv_field(upper),
      result.counts.expanded, result.counts.generated, result.seconds + result.earlier_seconds,
      result.setup_seconds);
  if (const auto& origin = result.origin) {
    row += fmt::format("{},{},{},{},{},{},{},{},", origin->begin_seconds, origin->end_seconds,
                       csv_field(origin->cpu_share), csv_field(result.prune), origin->run,
                       origin->date, origin->revision, csv_field(origin->cpu));
  } else {
    row += fmt::format(",,,{},,,,,", csv_field(result.prune));
  }
  row += fmt::format("{},{},{},", version(), to_string(result.board), csv_field(result.moves));
  if (!result.moves) return row + ",\n";
  const Lengths lengths = lengths_of(*result.moves);
  return row + fmt::format("{},{}\n", lengths.single, lengths.multi);
}

bool csv_has_moves(const std::map<std::string, std::string>& row) {
  const auto is = [&](const char* column, std::string_view value) {
    const auto found = row.find(column);
    return found != row.end() && found->second == value;
  };
  if (row.contains("moves") && !is("moves", "")) return true;
  return is("status", "solved") || is("status", "finished") || is("length", "0");
}

std::string json_of_csv(const std::map<std::string, std::string>& row, int number) {
  const auto text = [&](const char* column, const std::string& otherwise = "") {
    const auto found = row.find(column);
    return found == row.end() || found->second.empty() ? otherwise : found->second;
  };
  const bool has_moves = csv_has_moves(row);
  const std::string status = text("status", has_moves ? "solved" : "limit");
  const bool is_shortened = status == "finished" || !text("length_before").empty();
  nlohmann::json json{{"schema", is_shortened ? "tessera.optimization/1" : "tessera.result/1"},
                      {"id", text("id", std::to_string(number))},
                      {"goal", text("goal", "last")},
                      {"metric", text("metric", "single")},
                      {"status", status}};
  for (const char* const column : {"size", "board"}) {
    if (!text(column).empty()) json[column] = text(column);
  }
  if (has_moves) json["moves"] = text("moves");
  for (const char* const column :
       {"length", "optimal", "solvable", "lower_bound", "upper_bound", "length_before", "solves",
        "begin_seconds", "end_seconds", "cpu_share"}) {
    // Other programs write True, and numbers in columns with gaps as 57.0.
    std::string value = boost::to_lower_copy(text(column));
    if (value.ends_with(".0")) value.resize(value.size() - 2);
    if (value.empty()) continue;
    auto typed = nlohmann::json::parse(value, nullptr, false);
    json[column] = typed.is_primitive() && !typed.is_discarded() ? typed : nlohmann::json(value);
  }
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace tessera
