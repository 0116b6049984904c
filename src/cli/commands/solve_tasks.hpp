// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "cli/options/boards.hpp"
#include "cli/options/config.hpp"
#include "cli/process/crew.hpp"
#include "heuristic/registry.hpp"
#include "puzzle/goal.hpp"
#include "report/progress.hpp"
#include "report/task_result.hpp"
#include "search/limits.hpp"
#include "search/record/checkpoint.hpp"
#include "solver/board_solver.hpp"
#include "solver/candidates.hpp"
#include "solver/heuristic_choice.hpp"
#include "solver/tables.hpp"

namespace tessera {

/// A board of a run.
struct SolveTask : BoardTask {
  std::string asked;  ///< its heuristic, as the user wrote it
  bool solvable = true;
  Plan plan = {};
  bool has_end = false;      ///< whether it was chosen from which end it is searched
  double table_seconds = 0;  ///< building or opening its tables
  double spent = 0;          ///< seconds that a worker alone searched it, if too hard for it
};

/// The boards of a run, each with its heuristic and problem, and the check of its result. Keeps a
/// reference to the configuration.
class SolveTasks {
 public:
  /// Reads the boards. Throws Error(input).
  explicit SolveTasks(const Config& config) : config_(config) {
    BoardTasks boards = read_board_tasks(config);
    complaints_ = std::move(boards.complaints);
    notes_ = std::move(boards.notes);
    const std::vector<std::string> heuristics =
        takes_heuristic(config) ? config.heuristic_list : std::vector{config.heuristic};
    for (const std::string& heuristic : heuristics) {
      if (heuristic != "auto") expect_known_heuristic(heuristic, config.metric);
    }
    for (const BoardTask& board : boards.tasks) {
      for (const std::string& heuristic : heuristics) {
        tasks_.push_back({board, heuristic, tessera::solvable(board.board, board.goal)});
      }
    }
  }

  /// Chooses heuristics and checks them against the options. A board in `checkpoint` (may be null,
  /// else used from now on) keeps the heuristic and pruning rule that `auto` chose for it, even if
  /// other tables exist or other memory is allowed by now. With --keep-going and boards of
  /// several sizes, one that the options do not suit is left out, with a complaint. Throws
  /// Error(input).
  void choose_heuristics(Checkpoint* checkpoint = nullptr) {
    checkpoint_ = checkpoint;
    const bool names_boards = have_several_sizes(tasks_);
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < size(); ++i) {
      if (chosen < i) tasks_[chosen] = std::move(tasks_[i]);
      try {
        with_error_prefix(names_boards ? "board " + tasks_[chosen].id + ": " : "",
                          [&] { choose_heuristic_of(chosen); });
        ++chosen;
      } catch (const Error& error) {
        if (!config_.keep_going || !names_boards || error.kind() != ErrorKind::input) throw;
        complaints_.emplace_back(error.what());
      }
    }
    tasks_.erase(tasks_.begin() + static_cast<std::ptrdiff_t>(chosen), tasks_.end());
    if (size() == 1) choose_end(0);
  }

  /// Chooses once, before `prepare`, from which end to search a board that all workers search
  /// together.
  void choose_end(std::size_t i) {
    SolveTask& task = tasks_[i];
    if (std::exchange(task.has_end, true)) return;
    const Stopwatch watch;  // it may open tables
    task.plan = plan_alone(options_of(task), std::move(task.plan), task.board, task.goal);
    task.table_seconds += watch.seconds();
  }

  /// Checks before anything is printed. Throws Error(corrupt) for a checkpoint of other boards, and
  /// other errors for a folder that cannot hold the tables.
  void expect_table_room() const {
    std::string last;  // consecutive boards share their tables
    for (std::size_t i = 0; i < size(); ++i) {
      const SolveTask& task = tasks_[i];
      if (checkpoint_ != nullptr) checkpoint_->expect(i, problem(i));
      if (!task.solvable || has_answer(i)) continue;
      std::string names = table_names(task.plan);
      if (names == last) continue;
      last = std::move(names);
      tessera::expect_table_room(config_.table_directory, task.plan.heuristic);
    }
  }

  /// A line about the memory of a requested beam search, of the first board that needs one. Throws
  /// Error(resource) if that of any board exceeds the memory.
  [[nodiscard]] std::string beam_memory(const BoardSolver& solver) const {
    std::string first;
    if (!requests_beam(config_)) return first;
    for (std::size_t i = 0; i < size(); ++i) {
      if (!tasks_[i].solvable || has_answer(i)) continue;
      std::string line = solver.beam_memory(problem(i), tasks_[i].plan.table_bytes);
      if (first.empty()) first = std::move(line);
    }
    return first;
  }

  /// Checks, for --record, the number of boards and the path. Throws Error(input).
  void expect_recordable() const {
    if (!config_.record) return;
    if (size() != 1) bad_input("--record: takes one board, not several");
    std::error_code none;
    const auto there = std::filesystem::status(*config_.record, none);
    if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there)) {
      bad_input("--record: " + *config_.record + " is not a file");
    }
  }

  [[nodiscard]] std::size_t size() const { return tasks_.size(); }
  [[nodiscard]] const SolveTask& operator[](std::size_t i) const { return tasks_[i]; }
  [[nodiscard]] std::vector<Plan> plans() const {
    std::vector<Plan> plans;
    for (const SolveTask& task : tasks_) plans.push_back(task.plan);
    return plans;
  }
  /// About bad boards, with --keep-going.
  [[nodiscard]] const std::vector<std::string>& complaints() const { return complaints_; }
  /// What may be a mistake in the file.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
  /// The most bytes of tables for any board.
  [[nodiscard]] std::uint64_t table_bytes() const {
    std::uint64_t most = 0;
    for (const SolveTask& task : tasks_) most = std::max(most, task.plan.table_bytes);
    return most;
  }

  /// Whether the last iteration is searched to its end.
  [[nodiscard]] bool visits_all() const { return config_.counts_all() || config_.finish_iteration; }
  /// Whether the checkpoint has the answer of a board.
  [[nodiscard]] bool has_answer(std::size_t i) const {
    return checkpoint_ != nullptr && checkpoint_->has_answer(i, visits_all());
  }
  [[nodiscard]] Problem problem(std::size_t i) const {
    const SolveTask& task = tasks_[i];
    return problem_of(config_, task.plan, task.board, task.goal);
  }

  /// Builds or opens the tables of a board, unless they are those opened last; the time counts as
  /// setup of this board. False if a limit or signal stopped it, then and later.
  [[nodiscard]] bool prepare(std::size_t i, BoardSolver& solver, const Limits& limits,
                             ProgressObserver& progress) {
    SolveTask& task = tasks_[i];
    if (solver.is_prepared(task.plan)) return true;
    std::string wanted = table_names(task.plan);
    if (wanted == given_up_) return false;
    const Stopwatch watch;
    if (!prepare_tables(solver, task.plan, limits, progress)) {
      given_up_ = std::move(wanted);
      return false;
    }
    task.table_seconds += watch.seconds();
    return true;
  }

  /// A worker alone searched it for so many seconds.
  void was_too_hard(std::size_t i, double seconds) { tasks_[i].spent = seconds; }

  /// The result, found now, of a board that is not searched: it is unsolvable, or `stop` came
  /// first.
  [[nodiscard]] BoardResult unsearched(std::size_t i, const RunIdentity& run,
                                       std::optional<Stop> stop = {}) const {
    BoardResult result = result_before_search(config_, tasks_[i], tasks_[i].plan);
    result.stop = stop;
    if (stop) result.status = status_of(*stop);
    const auto now = Stopwatch::Clock::now();
    result.origin = origin_of(run, 0, now, now);
    result.setup_seconds = tasks_[i].table_seconds;
    return result;
  }

  /// The result of a search, verified. Throws Error(internal) if a solution is wrong.
  [[nodiscard]] BoardResult checked_result(std::size_t i, SearchResult found,
                                           std::optional<Origin> origin) const {
    found.setup_seconds += tasks_[i].table_seconds;
    return result_of_search(config_, tasks_[i], tasks_[i].plan, std::move(found),
                            std::move(origin));
  }

 private:
  void choose_heuristic_of(std::size_t i) {
    SolveTask& task = tasks_[i];
    SearchOptions options = options_of(task);
    if (checkpoint_ != nullptr) keep_end(i, options);
    ChosenHeuristic chosen = choose_heuristic(options, task.goal, size(), &task.board);
    const auto begun =
        checkpoint_ && options.heuristic == "auto" ? checkpoint_->heuristic(i) : std::nullopt;
    if (begun && *begun != to_string(chosen.spec)) {
      chosen.spec = parse_heuristic(*begun);
      chosen.name = heuristic_name(chosen.spec, chosen.target);
      chosen.advice.clear();
    }
    if (!task.solvable) chosen.advice.clear();
    if (checkpoint_ && prunes_freely(config_)) options.prune = checkpoint_->prune(i);
    task.plan = plan_with(options, size(), std::move(chosen));
    if (!has_answer(i)) expect_searchable(options, task.plan, task.board, task.goal);
  }

  // A resumed search keeps the end from which it was started.
  void keep_end(std::size_t i, SearchOptions& options) {
    SolveTask& task = tasks_[i];
    if (!checkpoint_->heuristic(i) || !task.solvable) return;
    task.has_end = true;
    if (options.search_from != SearchFrom::automatic || options.counts_all()) return;
    const bool from_goal = !checkpoint_->is_of(i, make_instance(task.board, task.goal)) &&
                           checkpoint_->is_of(i, make_instance(task.goal, task.board));
    options.search_from = from_goal ? SearchFrom::goal : SearchFrom::start;
  }
  // What a board's plan depends on. Time limits do not count with a checkpoint: a later run may
  // have more time.
  [[nodiscard]] SearchOptions options_of(const SolveTask& task) const {
    SearchOptions options = config_;
    options.heuristic = task.asked;
    if (checkpoint_ != nullptr) {
      options.time_limit.reset();
      options.board_time_limit = {};
    }
    return options;
  }

  const Config& config_;
  std::vector<SolveTask> tasks_;  // with several heuristics, each board once for each
  std::vector<std::string> complaints_;
  std::vector<std::string> notes_;
  Checkpoint* checkpoint_ = nullptr;
  std::string given_up_;  // whose tables a limit or signal stopped
};

}  // namespace tessera
