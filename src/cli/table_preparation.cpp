// SPDX-License-Identifier: MIT
#include "cli/table_preparation.hpp"

#include "cli/engines.hpp"
#include "cli/heuristics.hpp"
#include "tessera/base/clock.hpp"

namespace tessera {

std::optional<double> TablePreparation::prepare(std::size_t i, ProgressObserver& progress) {
  const Board& goal = tasks_[i].goal;
  const ChosenHeuristic& heuristic = tasks_.heuristic(i);
  const Problem problem = problem_of(config_, goal, goal, heuristic.spec);
  const std::string wanted = heuristic.spec + " " + to_string(goal);
  const bool has_tables = table_bytes(heuristic.spec, goal) > 0;
  if (wanted == prepared_ || !(has_tables || Pruning::is_stored(problem.prune, goal.size())))
    return 0;
  const Stopwatch watch;
  progress.board_started("building tables of " + (has_tables ? heuristic.name : problem.prune));
  const bool made = crew_.backend->prepare(problem, [&](double done) {
    progress.table_progress(done);
    return !limits_.reached(0);
  });
  progress.clear();
  prepared_ = made ? wanted : "";
  if (!made) return {};
  return watch.seconds();
}

}  // namespace tessera
