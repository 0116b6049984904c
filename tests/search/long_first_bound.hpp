// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "built_in_problem.hpp"
#include "heuristic/own_heuristic.hpp"

namespace tessera {

/// A 4x4 board with Manhattan distance that is exact at the start: the first bound, 52, is the
/// last, of some million nodes.
inline Problem long_first_bound() {
  static const Problem made = [] {
    Problem problem = built_in_problem("korf100:28");
    problem.heuristic = "exact-at-the-start";
    add_own_heuristic(problem.heuristic, [instance = problem.instance](
                                             Size size, std::span<const int> homes, int blank) {
      int h = 0;
      bool is_start = true;
      for (int cell = 0; cell < size.cells(); ++cell) {
        const int home = homes[static_cast<std::size_t>(cell)];
        is_start = is_start && home == instance.home(instance.start.tile(cell));
        if (cell != blank) h += size.distance(cell, home);
      }
      return is_start ? 52 : h;
    });
    return problem;
  }();
  return made;
}

}  // namespace tessera
