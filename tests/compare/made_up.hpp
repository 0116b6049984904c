// SPDX-License-Identifier: MIT
// Comparisons that were never run.
#pragma once

#include <string>
#include <vector>

#include "compare/comparison.hpp"

namespace tessera {

inline Measured made_up(const std::string& engine, const std::string& backend, int workers,
                        const std::vector<double>& seconds, std::uint64_t expanded = 1000) {
  Measured measured;
  measured.configuration.engine = engine;
  measured.configuration.heuristic = "manhattan";
  measured.configuration.backend = backend;
  (backend == "mpi" ? measured.configuration.ranks : measured.configuration.threads) = workers;
  for (const double wall : seconds) {
    TimedRun run;
    run.seconds = wall;
    run.counts.expanded = expanded;
    for (int worker = 0; worker < workers; ++worker) {
      WorkerTimes times;
      times.search = wall * (worker == 0 ? 0.8 : 0.6);
      times.communicate = wall * 0.05;
      times.wait = wall - times.search - times.communicate;
      run.times.push_back(times);
    }
    run.boards = {{"7", 40, true, wall}};
    measured.runs.push_back(std::move(run));
  }
  return measured;
}

inline Comparison three() {
  Comparison comparison;
  comparison.repeat = 5;
  comparison.boards = {"7"};
  comparison.configurations = {
      made_up("ida", "serial", 1, {2.0, 2.1, 2.2, 2.0, 2.1}),
      made_up("ida", "threads", 2, {1.0, 1.1, 1.2, 1.0, 1.05}, 1100),
      made_up("ida", "mpi", 2, {1.02, 1.12, 1.15, 1.01, 1.06}, 1200),
  };
  return comparison;
}

}  // namespace tessera
