// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

#include "puzzle/direction.hpp"
#include "puzzle/metric.hpp"

namespace tessera {

/// Paths are tile letters from the start. In metric multi a run of equal letters is one move, so
/// the node of "LL" is not below that of "L".

/// Whether the node of `path` is the node of `ancestor` or below it.
[[nodiscard]] inline bool leads_to(std::string_view ancestor, std::string_view path,
                                   Metric metric) {
  if (!path.starts_with(ancestor)) return false;
  const bool cuts_a_run = metric == Metric::multi && !ancestor.empty() &&
                          path.size() > ancestor.size() && path[ancestor.size()] == ancestor.back();
  return !cuts_a_run;
}

/// Whether depth-first search visits the node of `a` before that of `b`.
[[nodiscard]] inline bool comes_before(std::string_view a, std::string_view b, Metric metric) {
  const auto [x, y] = std::ranges::mismatch(a, b);
  if (y == b.end()) return false;
  if (x == a.end()) return true;
  // If one continues in the direction of the previous letter, the other one's run is shorter.
  if (metric == Metric::multi && x != a.begin()) {
    const char before = *std::prev(x);
    if (*x == before) return false;
    if (*y == before) return true;
  }
  return direction_of(*x) < direction_of(*y);
}

}  // namespace tessera
