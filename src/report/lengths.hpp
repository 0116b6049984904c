// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/text.hpp"
#include "puzzle/metric.hpp"

namespace tessera {

/// Of tile letters, in both metrics.
[[nodiscard]] inline nlohmann::ordered_json lengths_json(std::string_view letters) {
  return {{"single", solution_length(letters, Metric::single)},
          {"multi", solution_length(letters, Metric::multi)}};
}

/// "4 moves (3 in metric multi)": those of the metric first.
[[nodiscard]] inline std::string lengths_text(std::string_view letters, Metric metric) {
  return fmt::format("{} ({} in metric {})", counted(solution_length(letters, metric), "move"),
                     solution_length(letters, other(metric)), to_string(other(metric)));
}

}  // namespace tessera
