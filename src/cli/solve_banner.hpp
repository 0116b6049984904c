// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/context.hpp"
#include "cli/crew.hpp"
#include "cli/heuristics.hpp"

namespace tessera {

/// What a person reads before a search: how it is laid out, its heuristic and the memory of its
/// tables, a tip where another table would be faster, and what is wrong with the layout.
[[nodiscard]] std::string solve_banner(const Crew& crew,
                                       const std::vector<ChosenHeuristic>& heuristics,
                                       std::uint64_t table_bytes, const Context& context);

}  // namespace tessera
