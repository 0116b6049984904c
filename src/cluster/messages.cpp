// SPDX-License-Identifier: MIT
#include "cluster/messages.hpp"

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
