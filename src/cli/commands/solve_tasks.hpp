// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "cli/options/boards.hpp"
#include "cli/options/config.hpp"
#include "cli/process/crew.hpp"
#include "puzzle/goal.hpp"
#include "report/cpu_use.hpp"
#include "report/progress.hpp"
#include "report/task_result.hpp"
#include "search/limits.hpp"
#include "search/record/checkpoint.hpp"
#include "solver/board_solver.hpp"
#include "solver/candidates.hpp"
#include "solver/heuristic_choice.hpp"
#include "solver/tables.hpp"

namespace tessera {

/// The boards of a run, each with its heuristic and problem, and the check of its result. Keeps a
/// reference to the configuration.
class SolveTasks {
 public:
  /// Reads the boards. Throws Error(input).
  explicit SolveTasks(const Config& config)
      : config_(config),
        boards_(read_board_tasks(config)),
        asked_(takes_heuristic(config) ? config.heuristic_list : std::vector{config.heuristic}) {
    // Several heuristics: each board becomes as many tasks.
    std::vector<BoardTask> boards = std::exchange(boards_.tasks, {});
    for (const BoardTask& board : boards) {
      boards_.tasks.insert(boards_.tasks.end(), asked_.size(), board);
    }
    table_seconds_.resize(size());
    has_end_.resize(size());
    spent_.resize(size());
  }

  /// Chooses heuristics and checks them against the options. A board in `checkpoint` (may be null,
  /// else used from now on) keeps the heuristic and pruning rule that `auto` chose for it, even if
  /// other tables exist or other memory is allowed by now. Throws Error(input).
  void choose_heuristics(Checkpoint* checkpoint = nullptr) {
    checkpoint_ = checkpoint;
    for (std::size_t i = 0; i < size(); ++i) {
      const BoardTask& task = boards_.tasks[i];
      SearchOptions options = options_of(i);
      if (checkpoint != nullptr) keep_end(i, options);
      ChosenHeuristic chosen = choose_heuristic(options, task.goal, size(), &task.board);
      const auto begun =
          checkpoint && options.heuristic == "auto" ? checkpoint->heuristic(i) : std::nullopt;
      if (begun && *begun != to_string(chosen.spec)) {
        chosen.spec = parse_heuristic(*begun);
        chosen.name = heuristic_name(chosen.spec, chosen.target);
        chosen.advice.clear();
      }
      if (!is_solvable(i)) chosen.advice.clear();
      if (checkpoint && prunes_freely(config_)) options.prune = checkpoint->prune(i);
      plans_.push_back(plan_with(options, size(), std::move(chosen)));
      if (!has_answer(i)) expect_searchable(options, plans_.back(), task.board, task.goal);
    }
    if (size() == 1) choose_end(0);
  }

  /// Chooses once, before `prepare`, from which end to search a board that all workers search
  /// together.
  void choose_end(std::size_t i) {
    if (std::exchange(has_end_[i], true)) return;
    const BoardTask& task = boards_.tasks[i];
    const Stopwatch watch;  // it may open tables
    plans_[i] = plan_alone(options_of(i), std::move(plans_[i]), task.board, task.goal);
    table_seconds_[i] += watch.seconds();
  }

  /// Checks before anything is printed. Throws Error(corrupt) for a checkpoint of other boards, and
  /// other errors for a folder that cannot hold the tables.
  void expect_table_room() const {
    std::string last;  // consecutive boards share their tables
    for (std::size_t i = 0; i < size(); ++i) {
      if (!is_solvable(i)) continue;
      if (checkpoint_ != nullptr) checkpoint_->expect(i, problem(i));
      if (has_answer(i)) continue;
      std::string names = table_names(plans_[i]);
      if (names == last) continue;
      last = std::move(names);
      tessera::expect_table_room(config_.table_directory, plans_[i].heuristic);
    }
  }

  /// Throws Error(resource) if a requested beam search of any board exceeds the memory.
  void expect_beam_memory(const BoardSolver& solver) const {
    if (!requests_beam(config_)) return;
    for (std::size_t i = 0; i < size(); ++i) {
      if (is_solvable(i) && !has_answer(i)) {
        (void)solver.beam_memory(problem(i), plans_[i].table_bytes);
      }
    }
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

  [[nodiscard]] std::size_t size() const { return boards_.tasks.size(); }
  [[nodiscard]] const BoardTask& operator[](std::size_t i) const { return boards_.tasks[i]; }
  [[nodiscard]] const Plan& plan(std::size_t i) const { return plans_[i]; }
  [[nodiscard]] const std::vector<Plan>& plans() const { return plans_; }
  [[nodiscard]] const BoardTasks& boards() const { return boards_; }
  /// The most bytes of tables for any board.
  [[nodiscard]] std::uint64_t table_bytes() const {
    std::uint64_t most = 0;
    for (const Plan& plan : plans_) most = std::max(most, plan.table_bytes);
    return most;
  }

  [[nodiscard]] bool is_solvable(std::size_t i) const {
    return solvable(boards_.tasks[i].board, boards_.tasks[i].goal);
  }

  /// Whether the last iteration is searched to its end.
  [[nodiscard]] bool visits_all() const { return config_.counts_all() || config_.finish_iteration; }
  /// Whether the checkpoint has the answer of a board.
  [[nodiscard]] bool has_answer(std::size_t i) const {
    return checkpoint_ != nullptr && checkpoint_->has_answer(i, visits_all());
  }
  /// For a solvable board.
  [[nodiscard]] Problem problem(std::size_t i) const {
    const BoardTask& task = boards_.tasks[i];
    return problem_of(config_, plans_[i], task.board, task.goal);
  }

  /// Builds or opens the tables of a board, unless they are those opened last; the time counts as
  /// setup of this board. False if a limit or signal stopped it, then and later.
  [[nodiscard]] bool prepare(std::size_t i, BoardSolver& solver, const Limits& limits,
                             ProgressObserver& progress) {
    if (solver.is_prepared(plans_[i])) return true;
    std::string wanted = table_names(plans_[i]);
    if (wanted == given_up_) return false;
    const Stopwatch watch;
    if (!prepare_tables(solver, plans_[i], limits, progress)) {
      given_up_ = std::move(wanted);
      return false;
    }
    table_seconds_[i] += watch.seconds();
    return true;
  }

  /// Seconds that a worker alone has searched a board which was too hard for it.
  [[nodiscard]] double spent(std::size_t i) const { return spent_[i]; }
  void was_too_hard(std::size_t i, double seconds) { spent_[i] = seconds; }

  /// The result, found now, of a board that is not searched: it is unsolvable, or `stop` came
  /// first.
  [[nodiscard]] BoardResult unsearched(std::size_t i, const RunIdentity& run,
                                       std::optional<Stop> stop = {}) const {
    BoardResult result = result_before_search(config_, boards_.tasks[i], plans_[i]);
    result.stop = stop;
    if (stop) result.status = status_of(*stop);
    const auto now = Stopwatch::Clock::now();
    result.origin = origin_of(run, 0, now, now);
    result.setup_seconds = table_seconds_[i];
    return result;
  }

  /// The result of a search, verified. Throws Error(internal) if a solution is wrong.
  [[nodiscard]] BoardResult checked_result(std::size_t i, SearchResult found,
                                           std::optional<Origin> origin) const {
    found.setup_seconds += table_seconds_[i];
    return result_of_search(config_, boards_.tasks[i], plans_[i], std::move(found),
                            std::move(origin));
  }

 private:
  // A resumed search keeps the end from which it was started.
  void keep_end(std::size_t i, SearchOptions& options) {
    const BoardTask& task = boards_.tasks[i];
    if (!checkpoint_->heuristic(i) || !is_solvable(i)) return;
    has_end_[i] = true;
    if (options.search_from != SearchFrom::automatic || options.counts_all()) return;
    const bool from_goal = !checkpoint_->is_of(i, make_instance(task.board, task.goal)) &&
                           checkpoint_->is_of(i, make_instance(task.goal, task.board));
    options.search_from = from_goal ? SearchFrom::goal : SearchFrom::start;
  }
  // What a board's plan depends on. Time limits do not count with a checkpoint: a later run may
  // have more time.
  [[nodiscard]] SearchOptions options_of(std::size_t i) const {
    SearchOptions options = config_;
    options.heuristic = asked_[i % asked_.size()];
    if (checkpoint_ != nullptr) {
      options.time_limit.reset();
      options.board_time_limit = {};
    }
    return options;
  }

  const Config& config_;
  BoardTasks boards_;
  std::vector<std::string> asked_;  // heuristics, by the user
  Checkpoint* checkpoint_ = nullptr;
  std::vector<Plan> plans_;
  std::vector<double> table_seconds_;  // by board
  std::vector<double> spent_;          // by board
  std::vector<char> has_end_;          // whether it was chosen from which end a board is searched
  std::string given_up_;               // whose tables a limit or signal stopped
};

/// Many boards, each solved by one worker, and reported in their original order. Keeps references
/// to the tasks, the solver and the run.
class BoardBatch {
 public:
  BoardBatch(SolveTasks& tasks, BoardSolver& solver, const RunIdentity& run, BatchOptions options)
      : tasks_(tasks), solver_(solver), run_(run), options_(std::move(options)) {}

  using Report = std::function<void(const BoardResult&)>;

  /// How the time was spent; the parts of each worker add up to `seconds`.
  struct Times {
    std::vector<WorkerTimes> workers;
    double seconds = 0;  ///< without building tables
    CpuUse cpu;          ///< of the workers while they searched
  };

  /// Solves boards from `first` on, few enough to report rows regularly, and reports the leading
  /// ones without a gap. `take` has the others that are solved; the rest are too hard for one
  /// worker, or were interrupted.
  Times solve(std::size_t first, const Limits& limits, ProgressObserver& progress,
              const Report& report) {
    constexpr std::size_t boards_per_worker = 4096;
    first_ = reported_ = first;
    const std::size_t most =
        boards_per_worker * static_cast<std::size_t>(solver_.backend().workers());
    results_.assign(std::min(most, tasks_.size() - first), std::nullopt);
    std::vector<BoardJob> jobs;
    for (std::size_t i = first; i < end(); ++i) {
      if (!tasks_.is_solvable(i)) {
        results_[i - first] = tasks_.unsearched(i, run_);
        continue;
      }
      // The caller reaches the same limit and reports it.
      if (limits.reached(0) || !tasks_.prepare(i, solver_, limits, progress)) break;
      jobs.push_back({static_cast<std::uint32_t>(i), tasks_.problem(i)});
    }
    std::size_t done = 0;
    const auto total = static_cast<double>(jobs.size());
    progress.board_started("boards");
    const Stopwatch watch;
    Times times;
    times.workers = solver_.backend().solve_boards(
        std::move(jobs), options_, limits, [&](BoardOutcome outcome) {
          progress.part_done(static_cast<double>(++done) / total);
          times.cpu += cpu_use_of(outcome);
          if (outcome.too_hard) return tasks_.was_too_hard(outcome.index, outcome.wall_seconds);
          const Origin origin = origin_of(run_, outcome);
          results_[outcome.index - first] =
              tasks_.checked_result(outcome.index, std::move(outcome.result), origin);
          report_ready(report);
        });
    report_ready(report);  // boards that need no search
    times.seconds = watch.seconds();
    for (WorkerTimes& worker : times.workers) {
      worker.other += std::max(0.0, times.seconds - worker.sum());
    }
    return times;
  }

  /// One past the last board that it was given.
  [[nodiscard]] std::size_t end() const { return first_ + results_.size(); }
  /// One past the last board that it reported.
  [[nodiscard]] std::size_t reported() const { return reported_; }
  /// The result of a board that was not reported yet, if it has one.
  [[nodiscard]] std::optional<BoardResult> take(std::size_t i) {
    if (i >= end()) return {};
    return std::move(results_[i - first_]);
  }

 private:
  // The leading ones, up to a board that was interrupted or is too hard.
  void report_ready(const Report& report) {
    for (; reported_ < end(); ++reported_) {
      std::optional<BoardResult>& result = results_[reported_ - first_];
      if (!result || result->status == Status::interrupted) return;
      report(*result);
      result.reset();
    }
  }

  SolveTasks& tasks_;
  BoardSolver& solver_;
  const RunIdentity& run_;
  BatchOptions options_;
  std::size_t first_ = 0;
  std::size_t reported_ = 0;
  std::vector<std::optional<BoardResult>> results_;  // from `first_` on
};

}  // namespace tessera
