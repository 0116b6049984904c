// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "cli/commands/solve_output.hpp"
#include "cli/commands/solve_tasks.hpp"
#include "cli/process/context.hpp"
#include "cli/process/crew.hpp"
#include "model/work_record.hpp"
#include "report/cpu_use.hpp"
#include "report/run_identity.hpp"
#include "report/tables.hpp"
#include "report/task_result.hpp"
#include "search/record/checkpoint.hpp"
#include "search/tree/ida_star.hpp"
#include "solver/board_solver.hpp"
#include "solver/memory.hpp"

namespace tessera {
namespace {

// Only some engines write checkpoints.
std::string stopped_by_signal(const Config& config) {
  return config.engine == Engine::ida && !config.independent
             ? "stopped by a signal; without --checkpoint the search in progress is lost"
             : "stopped by a signal; the search in progress is lost";
}

// What an earlier run has done of a search; empty if there was none.
std::string resumed_line(const SavedSearch& saved) {
  if (saved.iterations.empty() && saved.finished.empty() && saved.beams.empty()) return {};
  const std::string bounds = counted(saved.iterations.size(), "bound");
  const std::string subtrees = counted(saved.finished.size(), "subtree") + " of the next";
  if (saved.beams.empty()) return fmt::format("resumed: {} and {} are done\n", bounds, subtrees);
  return fmt::format("resumed: {}, {} and {} are done\n", bounds, subtrees,
                     counted(saved.beams.size(), "beam"));
}

// Nodes that a thread expanded per second of searching. Recording is slower, with Manhattan
// distance up to 18 times. Empty if the search was too short to measure. The first iterations may
// be `restored`, from a run with other workers.
std::optional<double> search_rate(const BoardResult& result, std::size_t restored, int workers) {
  constexpr double least = 0.01;  // seconds
  double expanded = 0;
  double seconds = 0;  // of all threads
  for (std::size_t i = restored; i < result.iterations.size(); ++i) {
    const IterationReport& report = result.iterations[i];
    if (!report.timed) continue;
    expanded += static_cast<double>(report.counts.expanded);
    seconds += report.seconds * workers * (1 - report.idle_fraction);
  }
  if (seconds < least) return {};
  return expanded / seconds;
}

class Solver {
 public:
  Solver(const Config& asked, Context& context)
      : config_(asked),
        notes_(adapt_to_engine(config_, context.ranks())),
        context_(context),
        tasks_(config_),
        workers_(workers_of(config_, context_, context_.ranks())),
        setup_(setup_of(config_, workers_)),
        options_(ida_star_options(config_)),
        run_(begin_run(config_.command_line)) {
    if (!takes_heuristic(config_) && asked.heuristic_list.size() > 1) {
      notes_.push_back("of several --heuristics, only " + config_.heuristic + " is searched here");
    }
    if (config_.checkpoint) open_checkpoint();
    tasks_.choose_heuristics(checkpoint_.get());
    tasks_.expect_table_room();
    tasks_.expect_recordable();
    limits_ = limits_of(config_, context_, config_.node_limit);
    // Before the other ranks are called, so that an unwritable path ends only this rank.
    output_.emplace(config_, tasks_.size() > 1, workers_, setup_);
  }

  int run() {
    context_.stop_on_signals();
    const Crew crew = make_crew(workers_, config_, context_);
    const std::uint64_t tables = tasks_.table_bytes();
    expect_memory(config_, workers_, tables);
    solver_.emplace(config_, workers_, *crew.backend);
    const std::string beam_memory = tasks_.beam_memory(*solver_);
    for (const std::string& complaint : tasks_.complaints()) output_->complain(complaint);
    for (const std::string& note : tasks_.notes()) output_->remark("note: " + note + "\n");
    for (const std::string& note : notes_) output_->remark("note: " + note + "\n");
    output_->write_banner(tasks_.plans(), tables, context_);
    output_->remark(beam_memory);
    output_->write_heading(tasks_.size() > 0 && tasks_[0].solvable &&
                           config_.engine != Engine::beam);
    const int code = solve_all();
    output_->write_sums(run_, cpu_use_.share());
    if (checkpoint_ && checkpoint_->failure()) std::rethrow_exception(checkpoint_->failure());
    output_->end();
    if (unwritten_record_) internal_failure(*unwritten_record_);
    return code;
  }

 private:
  void open_checkpoint() {
    const double every = config_.checkpoint_every.value_or(Seconds(30)).count();
    checkpoint_ = std::make_unique<Checkpoint>(*config_.checkpoint, config_.resume, every);
    checkpoint_->stop_on_failure(context_.interrupted);
    if (checkpoint_->dropped()) {
      CommandOutput::complain(
          checkpoint_->path() +
          (checkpoint_->is_empty()
               ? ": no record was written completely, the search starts over"
               : ": the last record was not written completely and is ignored"));
    }
    if (checkpoint_->replaced_unfinished()) {
      CommandOutput::complain(fmt::format(
          "{0} held an unfinished search, kept as {0}~; without --resume the search starts over",
          checkpoint_->path()));
    }
    options_.journal = checkpoint_.get();
    options_.journal_seconds = every;
  }

  void close_checkpoint(int code) {
    if (!checkpoint_) return;
    checkpoint_->close();
    if (checkpoint_->failure()) return;
    if (code == exit_stopped_with_checkpoint && !checkpoint_->is_empty()) {
      checkpoint_->expect_in_place();
      output_->complain("stopped by a limit or signal; " + checkpoint_->path() +
                        " holds the progress, --resume continues from there");
    }
  }

  // Returns the exit code.
  int solve_all() {
    code_ = tasks_.complaints().empty() ? exit_answered : exit_bad_input;
    const bool is_batch = solver_->is_batch(tasks_.size());
    const BatchOptions batch = batch_options(config_, workers_, tasks_.table_bytes());
    const std::size_t step =  // few enough boards to report rows regularly
        is_batch ? 4096 * static_cast<std::size_t>(solver_->backend().workers()) : 1;
    for (std::size_t i = 0; i < tasks_.size() && !is_interrupted_; i += step) {
      if (is_batch) solve_batch(i, std::min(i + step, tasks_.size()), batch);
      else solve_and_report(i);
    }
    close_checkpoint(code_);
    if (answered_before_ > 0) {
      output_->remark(fmt::format("{} of {} answered from {}\n", answered_before_,
                                  counted(tasks_.size(), "board"), checkpoint_->path()));
    }
    const std::string cpus = cpu_note(cpu_use_.share());
    output_->remark(cpus);
    if (!times_.empty()) {
      // The advice concerns tree cutting only; threads without a CPU are waited for in any case.
      const bool is_advised = !is_batch && cpus.empty();
      output_->remark(time_table(times_, seconds_) +
                      (is_advised ? advice(times_, seconds_, setup_) : ""));
    }
    return code_;
  }

  void report(const BoardResult& result, const RunSetup& setup) {
    output_->write_result(result, setup, run_);
    code_ = std::max<int>(
        code_, code_of(result, checkpoint_ ? exit_stopped_with_checkpoint : exit_stopped));
  }

  // Boards from `first` to before `end`, each with one worker; then, with all workers, those that
  // are too hard for one. Reports them in their order.
  void solve_batch(std::size_t first, std::size_t end, const BatchOptions& batch) {
    RunSetup whole_boards = setup_;  // nothing is scheduled within a board
    whole_boards.schedule.reset();
    std::vector<std::optional<BoardResult>> results(end - first);
    std::size_t next = first;  // to report
    const auto report_ready = [&] {
      for (; next < end; ++next) {
        std::optional<BoardResult>& result = results[next - first];
        if (!result || result->status == Status::interrupted) return;
        report(*result, whole_boards);
        result.reset();
      }
    };
    std::vector<BoardJob> jobs;
    for (std::size_t i = first; i < end; ++i) {
      if (!tasks_[i].solvable) {
        results[i - first] = tasks_.unsearched(i, run_);
        continue;
      }
      // The boards that are left reach the same limit, and report it.
      if (limits_.reached(0) || !tasks_.prepare(i, *solver_, limits_, output_->progress())) break;
      jobs.push_back({static_cast<std::uint32_t>(i), tasks_.problem(i)});
    }
    std::size_t done = 0;
    const auto total = static_cast<double>(jobs.size());
    output_->progress().board_started("boards");
    const Stopwatch watch;
    std::vector<WorkerTimes> times =
        solver_->backend().solve_boards(std::move(jobs), batch, limits_, [&](BoardOutcome outcome) {
          output_->progress().part_done(static_cast<double>(++done) / total);
          cpu_use_ += cpu_use_of(outcome);
          if (outcome.too_hard) return tasks_.was_too_hard(outcome.index, outcome.wall_seconds);
          const Origin origin = origin_of(run_, outcome);
          results[outcome.index - first] =
              tasks_.checked_result(outcome.index, std::move(outcome.result), origin);
          report_ready();
        });
    report_ready();  // boards that need no search
    const double seconds = watch.seconds();
    for (WorkerTimes& worker : times) worker.other += std::max(0.0, seconds - worker.sum());
    add_times(times_, times);
    seconds_ += seconds;
    for (; next < end; ++next) {
      if (const auto& result = results[next - first]) {
        report(*result, whole_boards);
        if (result->status == Status::interrupted && !std::exchange(is_interrupted_, true)) {
          output_->complain(stopped_by_signal(config_));
        }
      } else if (!is_interrupted_) {
        solve_and_report(next);
      }
    }
  }

  // With all workers.
  void solve_and_report(std::size_t i) {
    const bool answered = tasks_.has_answer(i);
    if (!answered && !limits_.reached(0)) tasks_.choose_end(i);
    const bool is_searched = tasks_[i].solvable && (!answered || options_.listed);
    if (is_searched && !prepare(i) && !answered) {
      const BoardResult result =
          tasks_.unsearched(i, run_, limits_.reached(0).value_or(Stop::interrupted));
      report(result, setup_);
      if (config_.record) record(i, result);
      is_interrupted_ = result.status == Status::interrupted;
      return;
    }
    answered_before_ += answered ? 1 : 0;
    output_->board_started(tasks_[i].id);
    const BoardResult result = solve(i);
    output_->board_finished(result);
    report(result, setup_);
    if (config_.record) record(i, result);
    if (result.seconds > 0) add_times(times_, result.times);
    seconds_ += result.seconds;
    if (result.status == Status::interrupted || result.status == Status::error) {
      if (!checkpoint_) output_->complain(stopped_by_signal(config_));
      is_interrupted_ = true;
    }
  }

  // False, with a complaint about tables, if a limit or signal came first.
  bool prepare(std::size_t i) {
    const Plan& plan = tasks_[i].plan;
    // Without tables, each size still takes some tenths of a second. The first one gets them.
    const bool is_late = i > 0 && plan.table_bytes == 0 && !solver_->is_prepared(plan);
    if (is_late && limits_.reached(0)) return false;
    if (tasks_.prepare(i, *solver_, limits_, output_->progress())) return true;
    if (!std::exchange(lacks_tables_, true)) {
      output_->complain("stopped by a limit or signal while tables were being built");
    }
    return false;
  }

  BoardResult solve(std::size_t i) {
    if (!tasks_[i].solvable) return tasks_.unsearched(i, run_);
    const Problem problem = tasks_.problem(i);
    if (checkpoint_) checkpoint_->begin(i, problem);
    BoardResult result =
        tasks_.has_answer(i)
            ? tasks_.checked_result(i, kept_answer(problem), parse_origin(checkpoint_->origin()))
            : searched(i, problem);
    // The checkpoint stopped the search, not a signal; close_checkpoint reports it.
    if (result.status == Status::interrupted && checkpoint_ && checkpoint_->failure()) {
      result.status = Status::error;
    }
    return result;
  }

  // The checkpoint's, with the solutions listed again.
  SearchResult kept_answer(const Problem& problem) {
    SearchResult answer = checkpoint_->answer();
    restored_ = answer.iterations.size();
    if (!options_.listed || answer.iterations.empty() || limits_.reached(0)) return answer;
    solver_->backend().begin(problem);
    FinishedSubtree root;
    root.counts = answer.iterations.back().counts;
    answer.list = list_solutions(problem, *answer.solution, {root}, *options_.listed,
                                 solver_->backend(), limits_of_board());
    return answer;
  }

  BoardResult searched(std::size_t i, const Problem& problem) {
    const auto begin = Stopwatch::Clock::now();
    const std::clock_t cpu_begin = std::clock();
    SearchResult found = search(i, problem);
    Origin origin = origin_of(run_, workers_.count(), begin, Stopwatch::Clock::now());
    origin.layout = setup_;
    if (config_.emulation.nodes_per_second == 0) {  // an emulated machine sleeps
      const CpuUse use =
          cpu_use_of(found, static_cast<double>(std::clock() - cpu_begin) / CLOCKS_PER_SEC);
      origin.cpu_share = use.share();
      cpu_use_ += use;
    }
    if (checkpoint_ && found.solution && !found.stop) {
      checkpoint_->answered(found, tasks_.visits_all(), to_text(origin));
    }
    return tasks_.checked_result(i, std::move(found), std::move(origin));
  }

  SearchResult search(std::size_t i, const Problem& problem) {
    if (checkpoint_) {
      options_.saved = checkpoint_->saved();
      restored_ = options_.saved.iterations.size() + (options_.saved.finished.empty() ? 0 : 1);
      output_->remark(resumed_line(options_.saved));
    }
    return solver_->search(problem, tasks_[i].plan.table_bytes,
                           limits_of_board(tasks_[i].spent + options_.saved.seconds()),
                           output_->observer(), options_);
  }

  // Searches the complete iterations of a board again and writes --record's file.
  void record(std::size_t i, const BoardResult& result) {
    const auto nothing = [&](const char* why) {
      std::error_code none;
      std::filesystem::remove(*config_.record, none);  // of an earlier run
      output_->remark(fmt::format("note: nothing is recorded, {}\n", why));
    };
    std::vector<int> bounds;
    for (const IterationReport& report : result.iterations) {
      if (report.complete) bounds.push_back(report.bound);
    }
    if (bounds.empty() || result.counts.expanded == 0) {
      return nothing(result.status == Status::unsolvable ? "the board is unsolvable"
                     : result.status == Status::solved   ? "the board needs no search"
                                                         : "no bound was searched to its end");
    }
    const Stopwatch watch;
    const BoardTask& task = tasks_[i];
    WorkRecord record;
    record.id = task.id;
    record.size = to_string(task.board.size());
    record.board = to_string(task.board);
    record.goal = task.goal_name;
    record.metric = to_string(config_.metric);
    record.heuristic = result.heuristic;
    const Limits limits{.deadline = limits_.deadline, .interrupted = limits_.interrupted};
    if (!record_work(tasks_.problem(i), solver_->backend(), bounds, record, limits)) {
      return nothing("a limit or signal came first");
    }
    record.rate = search_rate(result, restored_, workers_.count()).value_or(record.rate);
    try {
      write_record(*config_.record, record);
    } catch (const Error& error) {
      unwritten_record_ = error.what();
      return;
    }
    std::size_t subtrees = 0;
    for (const WorkTree& tree : record.iterations) subtrees += tree.nodes.size();
    output_->remark(fmt::format(
        "recorded {} subtrees of {} iterations in {} s, {:.1f} M expanded/s per thread: {}\n",
        with_commas(subtrees), record.iterations.size(), seconds_text(watch.seconds()),
        record.rate / 1e6, *config_.record));
  }

  // For a board on which earlier runs spent so many seconds.
  [[nodiscard]] Limits limits_of_board(double spent = 0) const {
    return limits_.for_board(config_.board_time_limit, spent);
  }

  Config config_;
  std::vector<std::string> notes_;
  Context& context_;
  SolveTasks tasks_;
  const Workers workers_;
  const RunSetup setup_;
  std::unique_ptr<Checkpoint> checkpoint_;
  std::optional<SolveOutput> output_;
  Limits limits_;
  IdaStarOptions options_;
  RunIdentity run_;
  CpuUse cpu_use_;
  std::optional<BoardSolver> solver_;  // of `run`, whose backend it uses
  int code_ = exit_answered;
  std::vector<WorkerTimes> times_;
  double seconds_ = 0;  // of all searches
  std::size_t answered_before_ = 0;
  bool lacks_tables_ = false;
  bool is_interrupted_ = false;  // what is answered is still reported, nothing else begun
  std::size_t restored_ = 0;     // iterations of the board that an earlier run searched
  std::optional<std::string> unwritten_record_;  // why
};

}  // namespace

int command_solve(const Config& config, Context& context) {
  if (config.stream) return command_stream(config, context);
  if (config.unordered) bad_input("--unordered: needs --stream");
  if (config.dry_run) {
    if (config.csv) bad_input("--csv: not with --dry-run, expected --json");
    if (config.summary) bad_input("--summary: not with --dry-run, expected --json");
    return command_estimate(config, context);
  }
  return Solver(config, context).run();
}

}  // namespace tessera
