// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/boards.hpp"
#include "cli/config.hpp"
#include "cli/crew.hpp"
#include "cli/engines.hpp"
#include "cli/heuristics.hpp"
#include "tessera/base/clock.hpp"
#include "tessera/base/error.hpp"
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
  void set_up(Checkpoint* checkpoint) {
    choose_heuristics(checkpoint);
    if (config_.all && config_.prune.starts_with("fsm")) {
      bad_input("--prune " + config_.prune + ": leaves solutions out, --all needs parent");
    }
    expect_table_rooms(checkpoint);
  }

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

  [[nodiscard]] bool is_solvable(std::size_t i) const {
    return solvable(boards_.tasks[i].board, boards_.tasks[i].goal);
  }

  /// Whether the last iteration is searched to its end.
  [[nodiscard]] bool visits_all() const { return config_.all || config_.finish_iteration; }
  /// Of a solvable board.
  [[nodiscard]] Problem problem(std::size_t i) const {
    const BoardTask& task = boards_.tasks[i];
    // Only node by node is a limit met where plain IDA* meets it: the other kernels go through the
    // last iteration in another order.
    const bool exact = config_.node_limit > 0 && config_.kernel == Kernel::automatic;
    Problem problem = problem_of(config_, task.board, task.goal, heuristics_[i].spec);
    if (exact) problem.kernel = Kernel::plain;
    return problem;
  }

  /// A board's result before any search.
  [[nodiscard]] BoardResult unsolved(std::size_t i) const {
    const BoardTask& task = boards_.tasks[i];
    BoardResult result;
    result.id = task.id;
    result.board = task.board;
    result.goal = task.goal_name;
    result.metric = config_.metric;
    result.heuristic = heuristics_[i].name;
    result.solvable = is_solvable(i);
    if (!result.solvable) result.status = Status::unsolvable;
    return result;
  }

  /// The result with what a search found. Throws Error(internal) where the solution does not lead
  /// from the board to the goal.
  [[nodiscard]] BoardResult judged(std::size_t i, SearchResult found) const {
    const BoardTask& task = boards_.tasks[i];
    BoardResult result = unsolved(i);
    if (keeps_boards(config_)) {
      result.memory = {found.states, found.bytes, found.stop == Stop::memory};
    }
    result.status = !found.stop                       ? Status::solved
                    : found.stop == Stop::interrupted ? Status::interrupted
                                                      : Status::limit;
    if (config_.all && found.solution) result.solutions = found.solution_count;
    add_search(result, std::move(found), task.goal);
    return result;
  }

 private:
  void choose_heuristics(Checkpoint* checkpoint) {
    for (std::size_t i = 0; i < size(); ++i) {
      const BoardTask& task = boards_.tasks[i];
      ChosenHeuristic chosen = choose_heuristic(config_, task.goal, size(), &task.board);
      const auto begun =
          checkpoint && config_.heuristic == "auto" ? checkpoint->heuristic(i) : std::nullopt;
      if (begun && *begun != chosen.spec) chosen = {.name = *begun, .spec = *begun, .advice = ""};
      if (!is_solvable(i)) chosen.advice.clear();
      check_board(config_, task.board.size(), chosen.spec);
      heuristics_.push_back(std::move(chosen));
    }
  }

  // A checkpoint of other boards and a folder that cannot hold the tables are found before anything
  // is printed.
  void expect_table_rooms(Checkpoint* checkpoint) const {
    TableRoom room(config_);
    for (std::size_t i = 0; i < size(); ++i) {
      if (!is_solvable(i)) continue;
      if (checkpoint) {
        checkpoint->expect(i, problem(i));
        if (checkpoint->has_answer(i, visits_all())) continue;
      }
      room.expect(heuristics_[i].spec, boards_.tasks[i].goal);
    }
  }

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
  std::optional<double> prepare(std::size_t i, ProgressObserver& progress) {
    const Board& goal = tasks_[i].goal;
    const ChosenHeuristic& heuristic = tasks_.heuristic(i);
    const Problem problem = problem_of(config_, goal, goal, heuristic.spec);
    const std::string wanted = heuristic.spec + " " + to_string(goal);
    const bool has_tables = table_bytes(heuristic.spec, goal) > 0;
    if (wanted == prepared_ || !(has_tables || Pruning::stored_as(problem.prune, goal.size())))
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

 private:
  const Config& config_;
  const SolveTasks& tasks_;
  Crew& crew_;
  const Limits& limits_;
  std::string prepared_;  // what tables were made for last
};

}  // namespace tessera
