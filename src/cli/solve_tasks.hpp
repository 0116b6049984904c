// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/boards.hpp"
#include "cli/config.hpp"
#include "cli/crew.hpp"
#include "cli/heuristics.hpp"
#include "tessera/report/board_result.hpp"
#include "tessera/report/progress.hpp"
#include "tessera/search/best_first.hpp"
#include "tessera/search/checkpoint.hpp"
#include "tessera/search/limits.hpp"

namespace tessera {

/// The boards of a run, each with its heuristic, its problem and how its result is judged. Refers
/// to the configuration.
class SolveTasks {
 public:
  /// Reads the boards. Throws Error(input).
  explicit SolveTasks(const Config& config) : config_(config), boards_(read_board_tasks(config)) {}

  /// Chooses heuristics and checks them against the options. A board that a `checkpoint` (or null)
  /// has keeps the heuristic that `auto` chose then, though other tables may be ready by now.
  /// Throws Error(input), and Error(corrupt) for a checkpoint of other boards.
  void set_up(Checkpoint* checkpoint);

  [[nodiscard]] std::size_t size() const { return boards_.tasks.size(); }
  [[nodiscard]] const BoardTask& operator[](std::size_t i) const { return boards_.tasks[i]; }
  [[nodiscard]] const ChosenHeuristic& heuristic(std::size_t i) const { return heuristics_[i]; }
  [[nodiscard]] const std::vector<ChosenHeuristic>& heuristics() const { return heuristics_; }
  /// Bad boards, with --keep-going.
  [[nodiscard]] const std::vector<std::string>& complaints() const { return boards_.complaints; }
  /// The bytes of the largest tables of a board.
  [[nodiscard]] std::uint64_t table_bytes() const {
    return most_table_bytes(heuristics_, boards_.tasks);
  }

  [[nodiscard]] bool is_solvable(std::size_t i) const;
  /// Whether the last iteration is searched to its end.
  [[nodiscard]] bool visits_all() const { return config_.all || config_.finish_iteration; }
  /// Of a solvable board.
  [[nodiscard]] Problem problem(std::size_t i) const;

  /// A board's result before any search.
  [[nodiscard]] BoardResult unsolved(std::size_t i) const;
  /// The result with what a search found. Throws Error(internal) where the solution does not lead
  /// from the board to the goal.
  [[nodiscard]] BoardResult judged(std::size_t i, SearchResult found) const;

 private:
  void choose_heuristics(Checkpoint* checkpoint);
  void expect_table_rooms(Checkpoint* checkpoint) const;

  const Config& config_;
  BoardTasks boards_;
  std::vector<ChosenHeuristic> heuristics_;
};

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
