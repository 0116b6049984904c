// SPDX-License-Identifier: MIT
#include "cli/table_preparation.hpp"

#include "cli/engines.hpp"
#include "cli/heuristics.hpp"
#include "tessera/base/clock.hpp"

namespace tessera {

std::optional<double> TablePreparation::prepare(std::size_t i, ProgressObserver& progress) {
  const Board& goal = tasks_[i].goal;
  const ChosenHeuristic& heuristic = tasks_.heuristic(i);
  const std::string prune = prune_of(config_, goal.size(), heuristic.spec);
  const std::string wanted = heuristic.spec + " " + to_string(goal);
  const bool has_tables = table_bytes(heuristic.spec, goal) > 0;
  if (wanted == prepared_ || !(has_tables || Pruning::is_stored(prune, goal.size()))) return 0;
  const Stopwatch watch;
  progress.board_started("building tables of " + (has_tables ? heuristic.name : prune));
  const Problem problem{.instance = make_instance(goal, goal),
                        .heuristic = heuristic.spec,
                        .kernel = config_.kernel,
                        .prune = prune,
                        .metric = config_.metric,
                        .table_directory = config_.table_directory};
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
