// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tessera/search/bracket.hpp"
#include "tessera/search/execution.hpp"
#include "tessera/search/limits.hpp"
#include "tessera/search/observer.hpp"

namespace tessera {

/// The answer for one board, of any engine.
struct SearchResult {
  std::optional<std::string> solution;  ///< tile letters
  bool optimal = false;                 ///< proven
  std::optional<Incumbent> incumbent;   ///< what beam search found, and what it cost
  std::optional<Stop> stop;
  int bound = 0;                            ///< the last bound begun; what the length must reach
  Counts counts;                            ///< over all iterations, the root generated once
  std::uint64_t solution_count = 0;         ///< with `all`
  std::vector<IterationReport> iterations;  ///< best-first: layers of equal f; greedy has none
  std::vector<WorkerTimes> times;
  double seconds = 0;
  double setup_seconds = 0;    ///< making tables and waking workers, not in `seconds`
  double earlier_seconds = 0;  ///< of what it went on from, not in `seconds`
  std::uint64_t states = 0;    ///< best-first: boards kept when it ended, on all ranks
  std::uint64_t bytes = 0;     ///< best-first: that they, the open list and the mail took
};

}  // namespace tessera
