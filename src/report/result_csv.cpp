// SPDX-License-Identifier: MIT
#include <boost/algorithm/string/case_conv.hpp>
#include <nlohmann/json.hpp>

#include "report/claimed_result.hpp"

namespace tessera {

bool csv_has_moves(const std::map<std::string, std::string>& row) {
  const auto is = [&](const char* column, std::string_view value) {
    const auto found = row.find(column);
    return found != row.end() && found->second == value;
  };
  if (row.contains("moves") && !is("moves", "")) return true;
  return is("status", "solved") || is("status", "finished") || is("length", "0");
}

nlohmann::json json_of_csv(const std::map<std::string, std::string>& row, int number) {
  const auto text = [&](const char* column, const std::string& otherwise = "") {
    const auto found = row.find(column);
    return found == row.end() || found->second.empty() ? otherwise : found->second;
  };
  const bool has_moves = csv_has_moves(row);
  const std::string status = text("status", has_moves ? "solved" : "error");
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
  return json;
}

}  // namespace tessera
