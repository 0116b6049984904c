// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tessera/search/limits.hpp"
#include "tessera/search/subtree_search.hpp"
#include "tessera/search/timeline.hpp"
#include "tessera/search/work_figures.hpp"

namespace tessera {

struct FoundSolution {
  std::size_t item = 0;
  std::string letters;  ///< from the instance's start
};

/// The outcome of a Task, gathered from all workers.
struct Execution {
  Counts counts;
  int next_bound = no_bound;
  std::vector<std::uint64_t> expanded;    ///< by item
  std::optional<FoundSolution> solution;  ///< unless Mode::exhaust
  std::optional<std::string> solved;      ///< Mode::exhaust: a path to or above the first solution
  std::map<int, Counts> by_bound;         ///< independent only
  std::optional<Stop> stop;               ///< a limit or signal ended it
  double search_seconds = 0;              ///< summed over workers
  double wall_seconds = 0;
  std::vector<Track> tracks;  ///< of all threads, in this host's time; where a trace is asked for
  WorkFigures figures;        ///< of this process alone
};

}  // namespace tessera
