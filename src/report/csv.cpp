// SPDX-License-Identifier: MIT
#include "report/csv.hpp"

#include <nlohmann/json.hpp>

#include "base/text.hpp"

namespace tessera {

std::string csv_heading(std::string_view columns) {
  std::string line;
  for (const std::string& column : split_list(columns)) {
    line += column.substr(0, column.find('=')) + ",";
  }
  line.back() = '\n';
  return line;
}

std::string csv_line(std::string_view columns, const nlohmann::ordered_json& row) {
  std::string line;
  for (const std::string& column : split_list(columns)) {
    const nlohmann::ordered_json::json_pointer at(
        std::string("/").append(column, column.find('=') + 1));
    if (row.contains(at)) line += csv_value(row.at(at));
    line += ",";
  }
  line.back() = '\n';
  return line;
}

std::string csv_value(const nlohmann::ordered_json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return csv_field(value.get<std::string>());
  if (!value.is_array()) return value.dump();
  std::string list;
  for (const auto& part : value) list += (list.empty() ? "" : " ") + csv_value(part);
  return list;
}

}  // namespace tessera
