// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/boards.hpp"
#include "cli/context.hpp"
#include "cli/heuristics.hpp"
#include "tessera/compare/comparison.hpp"

namespace tessera {

/// A configuration to time: what it is called, and the options that make it.
struct Planned {
  Configuration configuration;
  Config config;
  std::vector<ChosenHeuristic> heuristics;  ///< by board
};

struct ComparisonPlan {
  std::vector<Planned> configurations;
  std::vector<std::string> notes;  ///< what was left out of the product, and why; a line each
};

/// Engines x heuristics x backends x workers, and what --study varies; combinations that cannot be
/// are left out. Throws Error(input) where nothing is left, an option is wrong for all, or tables
/// cannot be written.
[[nodiscard]] ComparisonPlan plan_comparison(const Config& config,
                                             const std::vector<BoardTask>& boards,
                                             const Context& context);

}  // namespace tessera
