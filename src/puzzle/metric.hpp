// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace tessera {

/// How moves are counted: each tile step is a move, or a run of equal letters is one move.
enum class Metric { single, multi };

[[nodiscard]] constexpr std::string_view to_string(Metric metric) {
  return metric == Metric::single ? "single" : "multi";
}

[[nodiscard]] constexpr Metric other(Metric metric) {
  return metric == Metric::single ? Metric::multi : Metric::single;
}

/// Throws Error(input) with the nearest known name.
[[nodiscard]] Metric parse_metric(std::string_view text);

/// The lengths of a board's solutions differ by multiples of it: of 2 by the parity of the tiles.
[[nodiscard]] constexpr int length_step(Metric metric) {
  return metric == Metric::single ? 2 : 1;
}

/// The length of a solution printed as tile letters.
[[nodiscard]] int solution_length(std::string_view letters, Metric metric);

}  // namespace tessera
