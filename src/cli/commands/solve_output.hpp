// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/machine.hpp"
#include "base/text.hpp"
#include "cli/commands/command_output.hpp"
#include "cli/options/config.hpp"
#include "cli/process/context.hpp"
#include "cli/process/crew.hpp"
#include "report/board_result.hpp"
#include "report/output.hpp"
#include "report/progress.hpp"
#include "report/run_summary.hpp"
#include "report/tables.hpp"
#include "report/trace_writer.hpp"
#include "report/version.hpp"
#include "search/record/work_log.hpp"
#include "solver/plan.hpp"

namespace tessera {

/// Of a board; `stopped`: if a limit or signal ended its search.
[[nodiscard]] inline ExitCode code_of(const BoardResult& result, ExitCode stopped) {
  if (result.memory_full()) return exit_resource;
  if (result.status == Status::error) return exit_internal;
  return result.is_answered() ? exit_answered : stopped;
}

/// Everything that `solve` prints and writes: answers, the table of boards, progress, JSON, trace
/// and log. Keeps references to the configuration, the workers and their setup.
class SolveOutput : public CommandOutput {
 public:
  /// Opens the files. Throws Error if one cannot be written.
  SolveOutput(const Config& config, bool many, const Workers& workers, const RunSetup& setup)
      : CommandOutput(config),
        config_(config),
        many_(many),
        workers_(workers),
        setup_(setup),
        progress_(errors(), config.shown_progress(), !config.quiet && !many) {
    observers_.add(progress_);
    if (config.trace) {
      observers_.add(trace_.emplace(Output::file(*config.trace), setup, workers.places));
    }
    if (config.log_dir) {
      observers_.add(log_.emplace(*config.log_dir, 0));
      log_->threads(workers.threads());
    }
  }

  [[nodiscard]] Observer& observer() { return observers_; }
  [[nodiscard]] ProgressObserver& progress() { return progress_; }

  /// The layout of the search, its heuristic and the memory of its tables, a tip if another table
  /// is faster for hard boards, and warnings about the layout.
  void write_banner(const std::vector<Plan>& plans, std::uint64_t table_bytes,
                    const Context& context) {
    std::set<std::string> names;
    for (const Plan& plan : plans) names.insert(plan.heuristic.name);
    const std::string memory =
        table_bytes == 0 ? "no table" : fmt::format("{:.1f} MiB of tables", mebibytes(table_bytes));
    std::string text = fmt::format("tessera {}: {} backend, {}, {}", version(), setup_.backend,
                                   layout_text(setup_), cpus_text(workers_));
    text +=
        plans.empty() ? "\n" : fmt::format(", heuristic {} ({})\n", fmt::join(names, ", "), memory);
    const auto turned =
        std::ranges::count_if(plans, [](const Plan& plan) { return plan.heuristic.from_goal; });
    if (turned > 0) {
      text += plans.size() == 1 ? "searched from the goal to the board\n"
                                : fmt::format("{} of {} searched from the goal to the board\n",
                                              turned, counted(plans.size(), "board"));
    }
    std::set<std::string> notes;
    for (const Plan& plan : plans) {
      const std::string& note = plan.heuristic.note;
      if (notes.insert(note).second && !note.empty()) text += "note: " + note + "\n";
    }
    for (const Plan& plan : plans) {
      if (plan.heuristic.advice.empty()) continue;
      text += "tip: " + plan.heuristic.advice + "\n";
      break;
    }
    remark(text + independent_tasks_warning(context) +
           binding_warning(config_, workers_, "--threads"));
  }

  /// The heading of the table that follows: bounds if `bounds`, else boards.
  void write_heading(bool bounds) {
    if (many_) remark(with_heuristic(board_heading(config_.metric), "heuristic"));
    else if (bounds) remark(bound_heading());
  }

  void board_started(const std::string& id) {
    progress_.board_started(id);
    if (trace_) trace_->board_started(id);
    if (log_) log_->board_started(id);
  }

  /// After a search of this board alone.
  void board_finished(const BoardResult& result) {
    if (trace_) trace_->board_finished(result);
  }

  /// After the last board. Throws Error if the trace or a line of the log could not be written.
  void end() {
    end_rows(result_columns);
    if (trace_) trace_->end();
    if (log_) log_->check();
  }

  /// The rest of a board's row, its answer and its JSON.
  void write_result(const BoardResult& result, const RunSetup& setup, const RunIdentity& run) {
    progress_.clear();
    if (many_) remark(with_heuristic(board_row(result), result.heuristic));
    write_answer(result, setup, run);
    remark(unlisted_line(result));
    if (result.list_is_missing()) {
      complain("board " + result.id + ": stopped by a limit or signal before its " +
               with_commas(*result.solutions) + " solutions were listed");
    }
    if (!many_)
      remark((result.solution ? "length: " + lengths_text(*result.solution, result.metric) + "\n"
                              : "") +
             memory_line(result));
    if (result.memory_full()) complain(memory_complaint(result));
  }

  /// Its answer, its JSON and its CSV. If one output fails, the others still get the board; then
  /// throws Error.
  void write_answer(const BoardResult& result, const RunSetup& setup, const RunIdentity& run) {
    summary_.add(result, run);
    std::exception_ptr failure;
    const auto attempt = [&](const auto& write) {
      try {
        write();
      } catch (const Error&) {
        if (!failure) failure = std::current_exception();
      }
    };
    attempt([&] {
      answer(answer_line(named(result), {config_.notation, config_.moves_of}));
      answer(solution_lines(result, {config_.notation, config_.moves_of}));
    });
    attempt([&] {
      if (config_.json) write_json(to_json(result, setup));
    });
    attempt([&] {
      if (config_.csv) write_csv(result_columns, row_of(result, setup));
    });
    if (failure) std::rethrow_exception(failure);
  }

  /// What all results add up to.
  void write_sums(const RunIdentity& run, std::optional<double> cpu_share) {
    if (many_) remark(summary_.text());
    if (config_.summary) write_summary(summary_.json(run, setup_, cpu_share));
  }

 private:
  // With several heuristics, rows and answers say which one it is.
  [[nodiscard]] bool names_heuristics() const { return config_.heuristic_list.size() > 1; }
  [[nodiscard]] std::string with_heuristic(std::string row, const std::string& text) const {
    if (names_heuristics()) row.insert(row.size() - 1, "  " + text);
    return row;
  }
  [[nodiscard]] BoardResult named(BoardResult result) const {
    if (names_heuristics()) result.id += ", " + result.heuristic;
    return result;
  }

  // Without PMIx, srun's tasks are independent programs.
  static std::string independent_tasks_warning(const Context& context) {
    const auto tasks = parse_integer(environment("SLURM_STEP_NUM_TASKS"));
    if (context.ranks() > 1 || environment("SLURM_PROCID") != "0") return {};
    if (!tasks || *tasks < 2) return {};
    return fmt::format(
        "warning: srun started {} independent tasks, each does all of the work; "
        "try srun --mpi=pmix, or mpirun\n",
        *tasks);
  }

  // One line about a board whose search ran out of memory, with the numbers.
  [[nodiscard]] std::string memory_complaint(const BoardResult& result) const {
    const std::string full = config_.engine == Engine::beam
                                 ? "no solution was found, and no wider beam fits"
                                 : fmt::format("{} boards fill {:.1f} MiB",
                                               with_commas(result.states), mebibytes(result.bytes));
    return fmt::format("board {}: --engine {}: memory is full: {}; try {}", result.id,
                       to_string(config_.engine), full,
                       config_.memory_bytes
                           ? "a larger --memory, or --engine ida, which stores no boards"
                           : "--engine ida, which stores no boards");
  }

  const Config& config_;
  const bool many_;
  RunSummary summary_;
  const Workers& workers_;
  const RunSetup& setup_;
  ProgressObserver progress_;
  std::optional<TraceWriter> trace_;
  std::optional<WorkLog> log_;
  Observer observers_;
};

}  // namespace tessera
