// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "base/text.hpp"
#include "puzzle/metric.hpp"

namespace tessera {

/// How many moves a sequence has in either metric.
struct Lengths {
  int single = 0;
  int multi = 0;

  [[nodiscard]] int in(Metric metric) const { return metric == Metric::single ? single : multi; }
};

/// Of tile letters.
[[nodiscard]] inline Lengths lengths_of(std::string_view letters) {
  return {solution_length(letters, Metric::single), solution_length(letters, Metric::multi)};
}

[[nodiscard]] constexpr Metric other(Metric metric) {
  return metric == Metric::single ? Metric::multi : Metric::single;
}

/// "4 moves (3 in metric multi)": those of the metric first.
[[nodiscard]] inline std::string to_string(const Lengths& lengths, Metric metric) {
  return fmt::format("{} ({} in metric {})", counted(lengths.in(metric), "move"),
                     lengths.in(other(metric)), to_string(other(metric)));
}

}  // namespace tessera
