// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "search/limits.hpp"
#include "search/observer.hpp"
#include "search/tree/bracket.hpp"
#include "search/tree/execution.hpp"
#include "search/tree/solution_list.hpp"

namespace tessera {

/// The answer for one board, from any engine.
struct SearchResult {
  std::optional<std::string> solution;  ///< tile letters
  bool optimal = false;                 ///< proven
  std::optional<Incumbent> incumbent;   ///< what beam search found, and its cost
  std::optional<Stop> stop;
  int bound = 0;                            ///< the last bound begun; a lower bound on the length
  Counts counts;                            ///< over all iterations, the root generated once
  std::uint64_t solution_count = 0;         ///< with `all`
  std::optional<SolutionList> list;         ///< if asked for; empty if a limit came first
  std::vector<IterationReport> iterations;  ///< best-first: layers of equal f; greedy has none
  std::vector<WorkerTimes> times;
  double seconds = 0;
  double setup_seconds = 0;    ///< building tables and waking workers, not in `seconds`
  double earlier_seconds = 0;  ///< of the run that it resumed, not in `seconds`
  std::uint64_t states = 0;    ///< best-first: boards stored at the end, on all ranks
  std::uint64_t bytes = 0;     ///< best-first: used by them, the open list and messages
};

}  // namespace tessera
