// SPDX-License-Identifier: MIT
#include "cluster/messages.hpp"

#include <algorithm>
#include <chrono>

namespace tessera {

Setup::Setup(const Problem& problem)
    : width(problem.instance.size().width),
      height(problem.instance.size().height),
      goal_blank(problem.instance.goal_blank),
      heuristic(problem.heuristic),
      kernel(problem.kernel),
      prune(problem.prune),
      metric(problem.metric),
      table_directory(problem.table_directory),
      emulation(problem.emulation) {
  for (int cell = 0; cell < width * height; ++cell) {
    labels.push_back(problem.instance.start.tile(cell));
  }
}

BatchAnnouncement::BatchAnnouncement(const BatchOptions& options, const Limits& limits)
    : finish_iteration(options.ida.finish_iteration),
      all(options.ida.all),
      every_depth(options.ida.every_depth),
      node_limit(options.node_limit),
      patience(options.patience),
      keeps_boards(options.best_first.has_value()) {
  if (options.best_first)
    best_first = {options.best_first->order, options.best_first->memory_bytes};
  if (limits.deadline) {
    const auto left = *limits.deadline - std::chrono::steady_clock::now();
    seconds_left = std::max(0.0, std::chrono::duration<double>(left).count());
  }
}

BatchOptions BatchAnnouncement::options() const {
  BatchOptions options;
  options.ida.finish_iteration = finish_iteration;
  options.ida.all = all;
  options.ida.every_depth = every_depth;
  options.node_limit = node_limit;
  options.patience = patience;
  if (keeps_boards) {
    options.best_first.emplace();
    options.best_first->order = best_first.order;
    options.best_first->memory_bytes = best_first.memory_bytes;
  }
  return options;
}

Problem Setup::problem(int rank) const {
  return {{Board({width, height}, labels), goal_blank},
          heuristic,
          kernel,
          prune,
          metric,
          table_directory,
          emulation,
          rank};
}

}  // namespace tessera
