// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "search/tree/ida_star.hpp"
#include "search/tree/serial_executor.hpp"

namespace tessera {

/// ida_star on one thread if no executor is named, observed by nobody if no observer is.
inline SearchResult solve(SubtreeExecutor& executor, const Problem& problem,
                          const IdaStarOptions& options = {}, const Limits& limits = {}) {
  Observer nobody;
  return ida_star(problem, options, executor, limits, nobody);
}
inline SearchResult solve(const Problem& problem, const IdaStarOptions& options = {},
                          const Limits& limits = {}) {
  SerialExecutor executor;
  return solve(executor, problem, options, limits);
}
inline SearchResult solve(const Problem& problem, const IdaStarOptions& options, Observer& observer,
                          const Limits& limits = {}) {
  SerialExecutor executor;
  return ida_star(problem, options, executor, limits, observer);
}

inline bool leads_to_goal(const Problem& problem, const std::string& moves) {
  return replayed(problem.instance.start, moves) == problem.instance.goal();
}
inline bool leads_to_goal(const Problem& problem, const SearchResult& result) {
  return result.solution && leads_to_goal(problem, *result.solution);
}

}  // namespace tessera
