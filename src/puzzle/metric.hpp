// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include <tessera/metric.hpp>

namespace tessera {

using api::Metric;
using api::parse_metric;

[[nodiscard]] constexpr Metric other(Metric metric) {
  return metric == Metric::single ? Metric::multi : Metric::single;
}

/// The lengths of a board's solutions differ by multiples of it: of 2 by the parity of the tiles.
[[nodiscard]] constexpr int length_step(Metric metric) {
  return metric == Metric::single ? 2 : 1;
}

/// The length of a solution printed as tile letters.
[[nodiscard]] int solution_length(std::string_view letters, Metric metric);

}  // namespace tessera
