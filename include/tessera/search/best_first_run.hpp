// SPDX-License-Identifier: MIT
#pragma once

#include "tessera/search/best_first_core.hpp"
#include "tessera/search/layers.hpp"

namespace tessera {

/// A* or greedy best-first in the calling thread, over any expander.
template <class State>
[[nodiscard]] SearchResult run_best_first(Expander<State>& expander, const Problem& problem,
                                          const BestFirstOptions& options, const Limits& limits,
                                          Observer& observer) {
  const Stopwatch watch;
  const bool greedy = options.order == BestFirstOrder::greedy;
  SearchResult result;
  MemoryBudget budget(options.memory_bytes);
  BestFirstCore<State> core(expander, options, budget, problem.metric);
  Layers layers(result, observer);
  const Reached<State> start = core.start();
  result.bound = start.h;

  std::optional<int> found;
  try {
    core.push(start);
    // Looked at seldom, for the clock; the node limit's end is met to the batch.
    for (unsigned turn = 0; !found && !result.stop; ++turn) {
      if (core.empty()) throw Error(ErrorKind::internal, "a solvable board has no solution");
      if (!greedy) layers.enter(core.rank(), core.counts());
      found = core.expand();
      const bool near_limit = limits.nodes > 0 && core.counts().generated + 1 >= limits.nodes;
      if (!found && (turn % 256 == 255 || near_limit)) {
        observer.progress({.bound = result.bound, .counts = core.counts()});
        result.stop = limits.reached(core.counts().generated + 1);
      }
    }
  } catch (const MemoryFull&) {
    result.stop = Stop::memory;
  }
  if (found) {
    result.solution = path_to_goal(core);
    const int length = solution_length(*result.solution, problem.metric);
    result.optimal = !greedy || length <= start.h;
    observer.incumbent(length);
  }
  layers.close(core.counts(), !result.stop);
  result.counts = core.counts();
  ++result.counts.generated;  // the root
  result.states = core.states();
  result.bytes = budget.used();
  result.seconds = watch.seconds();
  WorkerTimes times;
  times.search = result.seconds;
  result.times = {times};
  return result;
}

}  // namespace tessera
