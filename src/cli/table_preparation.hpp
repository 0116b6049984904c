// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "cli/crew.hpp"
#include "cli/solve_tasks.hpp"
#include "tessera/report/progress.hpp"
#include "tessera/search/limits.hpp"

namespace tessera {

/// Makes or opens the tables of one board after another, once for neighbours that share them.
/// Refers to all that it is given.
class TablePreparation {
 public:
  TablePreparation(const Config& config, const SolveTasks& tasks, Crew& crew, const Limits& limits)
      : config_(config), tasks_(tasks), crew_(crew), limits_(limits) {}

  /// The seconds that it took, or nothing where a limit or signal ended it.
  std::optional<double> prepare(std::size_t i, ProgressObserver& progress);

 private:
  const Config& config_;
  const SolveTasks& tasks_;
  Crew& crew_;
  const Limits& limits_;
  std::string prepared_;  // what tables were made for last
};

}  // namespace tessera
