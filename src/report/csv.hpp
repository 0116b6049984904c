// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace tessera {

/// The line that names columns. `columns` are separated by commas: `id`, or
/// `expanded=nodes/expanded` where a row of JSON has the value deeper.
[[nodiscard]] std::string csv_heading(std::string_view columns);
/// A row of JSON as a line of CSV; what it lacks is empty.
[[nodiscard]] std::string csv_line(std::string_view columns, const nlohmann::ordered_json& row);
/// A value as a field of CSV: null is empty, a list its values with spaces between them.
[[nodiscard]] std::string csv_value(const nlohmann::ordered_json& value);

}  // namespace tessera
