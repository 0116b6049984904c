// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "tessera/search/observer.hpp"

namespace tessera {

/// How much of a running iteration is left, as far as the iterations before it tell: it is expected
/// to exceed the last by as much as that one did its own predecessor.
struct Forecast {
  double expanded = 0;      ///< expected of the whole iteration
  double part_done = 0;     ///< below 1
  double seconds_left = 0;  ///< at the iteration's own pace so far
};

/// `finished` are the complete iterations so far, `expanded` and `seconds` what the running one has
/// done in which time. Nothing where fewer than two iterations are complete, where too little is
/// done to tell its pace, or more than was expected.
[[nodiscard]] std::optional<Forecast> forecast(const std::vector<IterationReport>& finished,
                                               double expanded, double seconds);

}  // namespace tessera
