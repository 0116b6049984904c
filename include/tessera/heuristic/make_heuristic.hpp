// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>

#include "tessera/heuristic/heuristic.hpp"

namespace tessera {

/// A heuristic for a problem: most need the instance only, some the rest of it (which tables, and
/// where they lie).
template <Heuristic H, class ProblemT>
H make_heuristic(const ProblemT& problem) {
  if constexpr (std::constructible_from<H, const ProblemT&>) return H(problem);
  else return H(problem.instance);
}

}  // namespace tessera
