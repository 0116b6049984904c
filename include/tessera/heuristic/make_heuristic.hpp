// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <string>

#include "tessera/heuristic/heuristic.hpp"

namespace tessera {

/// A heuristic for an instance: some take the folder with their tables.
template <Heuristic H>
H make_heuristic(const Instance& instance, const std::string& table_directory) {
  if constexpr (std::constructible_from<H, const Instance&, const std::string&>) {
    return H(instance, table_directory);
  } else {
    return H(instance);
  }
}

/// The same for a problem, of which some need the rest: which tables.
template <Heuristic H, class ProblemT>
H make_heuristic(const ProblemT& problem) {
  if constexpr (std::constructible_from<H, const ProblemT&>) return H(problem);
  else return make_heuristic<H>(problem.instance, problem.table_directory);
}

}  // namespace tessera
