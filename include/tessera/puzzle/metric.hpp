// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace tessera {

/// How moves are counted: one tile one step, or a run of equal letters as one move.
enum class Metric { single, multi };

[[nodiscard]] constexpr std::string_view to_string(Metric metric) {
  return metric == Metric::single ? "single" : "multi";
}

/// Throws Error(input) with the nearest known name.
[[nodiscard]] Metric parse_metric(std::string_view text);

/// The length of a solution printed as tile letters.
[[nodiscard]] int solution_length(std::string_view letters, Metric metric);

// Paths are tile letters from the start. In metric multi a run of equal letters is one move, so the
// node of "LL" does not lie below that of "L".

/// Whether the node of `path` is that of `ancestor` or lies below it.
[[nodiscard]] bool leads_to(std::string_view ancestor, std::string_view path, Metric metric);
/// Whether depth-first search meets the node of `a` before that of `b`.
[[nodiscard]] bool comes_before(std::string_view a, std::string_view b, Metric metric);

}  // namespace tessera
