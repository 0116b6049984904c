// SPDX-License-Identifier: MIT
#include "tessera/search/batch.hpp"

#include <algorithm>

namespace tessera {

BoardOutcome solve_board(const BoardJob& job, const BatchOptions& options, Limits limits) {
  const std::uint64_t own = options.node_limit;
  const bool easy_only = options.easy_nodes > 0 && (own == 0 || options.easy_nodes < own);
  limits.nodes = easy_only ? options.easy_nodes : own;
  Observer nobody;
  BoardOutcome outcome;
  outcome.index = job.index;
  if (options.best_first) {
    outcome.result = best_first(job.problem, *options.best_first, limits, nobody);
  } else {
    SerialExecutor executor;
    outcome.result = ida_star(job.problem, options.ida, executor, limits, nobody);
  }
  outcome.too_hard = easy_only && outcome.result.stop == Stop::node_limit;
  return outcome;
}

}  // namespace tessera
