// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace tessera::api {

/// What a move is: a step of one tile, or of a row of tiles in line (multi).
enum class Metric { single, multi };

[[nodiscard]] constexpr std::string_view to_string(Metric metric) {
  return metric == Metric::single ? "single" : "multi";
}

/// Reads "single", "multi", "stm" or "mtm", in any case. Throws Error(input).
[[nodiscard]] Metric parse_metric(std::string_view name);

}  // namespace tessera::api
