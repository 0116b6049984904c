// SPDX-License-Identifier: MIT
#include "search/pruning/move_order.hpp"

#include <algorithm>

#include "puzzle/direction.hpp"

namespace tessera {

bool leads_to(std::string_view ancestor, std::string_view path, Metric metric) {
  if (!path.starts_with(ancestor)) return false;
  const bool cuts_a_run = metric == Metric::multi && !ancestor.empty() &&
                          path.size() > ancestor.size() && path[ancestor.size()] == ancestor.back();
  return !cuts_a_run;
}

bool comes_before(std::string_view a, std::string_view b, Metric metric) {
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
