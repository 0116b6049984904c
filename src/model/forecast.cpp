// SPDX-License-Identifier: MIT
#include "tessera/model/forecast.hpp"

namespace tessera {

std::optional<Forecast> forecast(const std::vector<IterationReport>& finished, double expanded,
                                 double seconds) {
  constexpr double least_seconds = 0.1;
  if (finished.size() < 2 || expanded <= 0 || seconds < least_seconds) return {};
  const auto last = static_cast<double>(finished.back().counts.expanded);
  const auto before = static_cast<double>(finished[finished.size() - 2].counts.expanded);
  if (before <= 0) return {};
  Forecast forecast;
  forecast.expanded = last * (last / before);
  if (expanded >= forecast.expanded) return {};
  forecast.part_done = expanded / forecast.expanded;
  forecast.seconds_left = seconds / forecast.part_done - seconds;
  return forecast;
}

}  // namespace tessera
