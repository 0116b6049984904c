// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/boards.hpp"
#include "cli/context.hpp"
#include "cli/crew.hpp"
#include "cli/engines.hpp"
#include "cli/exit_code.hpp"
#include "cli/heuristics.hpp"
#include "cli/incumbents.hpp"
#include "cli/record.hpp"
#include "cli/signals.hpp"
#include "cli/solve_banner.hpp"
#include "tessera/base/clock.hpp"
#include "tessera/base/error.hpp"
#include "tessera/base/text.hpp"
#include "tessera/report/board_result.hpp"
#include "tessera/report/output.hpp"
#include "tessera/report/tables.hpp"
#include "tessera/report/trace_writer.hpp"
#include "tessera/report/version.hpp"
#include "tessera/search/batch.hpp"
#include "tessera/search/checkpoint.hpp"
#include "tessera/search/ida_star.hpp"
#include "tessera/search/work_log.hpp"

namespace tessera {
namespace {

constexpr const char* stopped_by_signal =
    "tessera: stopped by a signal; nothing is saved without --checkpoint\n";

// Generated nodes after which a board is not easy: some 50 ms of a thread.
constexpr std::uint64_t batch_patience = 4'000'000;

class Solver {
 public:
  Solver(const Config& asked, Context& context)
      : config_(for_engine(asked, context.ranks(), notes_)),
        context_(context),
        boards_(read_board_tasks(config_)),
        json_to_stdout_(config_.json == "-"),
        errors_(Output::standard_error()),
        answers_(json_to_stdout_ ? Output::standard_error() : Output::standard_output()) {
    const Config& config = config_;
    if (config.checkpoint) open_checkpoint();
    else if (config.resume) bad_input("--resume: needs --checkpoint FILE");
    for (const BoardTask& task : boards_.tasks) {
      heuristics_.push_back(choose_heuristic(config, task.goal, boards_.tasks.size(), &task.board));
      // What `auto` chose then, though other tables may lie ready by now.
      const auto begun = checkpoint_ && config.heuristic == "auto"
                             ? checkpoint_->heuristic(heuristics_.size() - 1)
                             : std::nullopt;
      if (begun && *begun != heuristics_.back().spec) heuristics_.back() = {*begun, *begun, ""};
      if (!solvable(task.board, task.goal)) heuristics_.back().advice.clear();
      check_board(config, task.board.size(), heuristics_.back().spec);
    }
    if (config.all && config.prune.starts_with("fsm")) {
      bad_input("--prune " + config.prune + ": leaves solutions out, --all needs parent");
    }
    if (config.record) expect_recordable(config, boards_.tasks.size());
    expect_set_up();
    if (config.json) {
      json_.emplace(json_to_stdout_ ? Output::standard_output() : Output::file(*config.json));
    }
    if (config.trace) trace_file_.emplace(Output::file(*config.trace));
    options_.trace = config.trace.has_value();
    if (config.time_limit) limits_.deadline = std::chrono::steady_clock::now() + *config.time_limit;
    limits_.nodes = config.node_limit;
    limits_.interrupted = &context.interrupted;
    options_.all = config.all;
    options_.finish_iteration = config.finish_iteration;
    options_.independent = config.independent;
    options_.every_depth = config.engine.starts_with("iddfs");
    options_.schedule = config.schedule;
    options_.frontier = config.frontier;
    options_.split_depth = config.split_depth;
    if (config.independent && (config.all || config.finish_iteration)) {
      bad_input(
          "--bounds independent: has no last iteration to finish, expected shared with --all "
          "and --finish-iteration");
    }
  }

  int run() {
    stop_on_signals(context_.interrupted);
    // Before the ranks are called, so that a folder that cannot be written ends only this one.
    std::optional<WorkLog> log;
    if (config_.log_dir) log.emplace(*config_.log_dir, 0);
    Crew crew = hire(config_, context_);
    crew.setup.engine = config_.engine;
    const std::uint64_t tables = most_table_bytes(heuristics_, boards_.tasks);
    if (keeps_boards(config_)) best_first_ = best_first_options(config_, crew, tables);
    else expect_memory(config_, crew.setup, tables);
    for (const std::string& complaint : boards_.complaints) {
      errors_.write("tessera: " + complaint + "\n");
    }
    if (!config_.quiet) {
      for (const std::string& note : notes_) errors_.write("note: " + note + "\n");
    }
    const bool many = boards_.tasks.size() > 1;
    ProgressObserver progress(errors_, config_.quiet ? ProgressStyle::none : config_.progress,
                              !config_.quiet && !many);
    std::vector<std::string> hosts;
    for (const RankPlace& place : crew.places) hosts.push_back(place.host);
    progress.ranks_are_on(std::move(hosts));
    Observers observers;
    observers.add(progress);
    if (log) {
      log->threads(crew.places[0].threads);
      observers.add(*log);
    }
    std::optional<TraceWriter> trace;
    if (trace_file_) {
      observers.add(trace.emplace(std::move(*trace_file_), crew.setup, traced_ranks(crew)));
    }
    if (!config_.quiet) {
      errors_.write(solve_banner(crew, heuristics_, tables, context_));
      if (many) errors_.write(board_heading());
      else if (is_solvable(0)) errors_.write(bound_heading());
    }
    int code = boards_.complaints.empty() ? exit_answered : exit_bad_input;
    std::vector<WorkerTimes> times;
    double seconds = 0;
    // The rest of a board's row, once its result is there.
    const auto tell = [&](const BoardResult& result, const RunSetup& setup) {
      progress.clear();
      if (many && !config_.quiet) errors_.write(board_row(result));
      if (!(config_.quiet && json_to_stdout_)) answers_.write(answer_line(result));
      if (!config_.quiet && !many) errors_.write(memory_line(result));
      if (result.memory && result.memory->full) {
        errors_.write("tessera: " + memory_complaint(result, config_) + "\n");
      }
      if (json_) json_->write(to_json(result, setup) + "\n");
      code = std::max(code, code_of(result));
    };
    RunSetup whole_boards = crew.setup;  // a worker each: nothing is scheduled within one
    whole_boards.schedule.reset();
    const auto tell_whole = [&](const BoardResult& result) { tell(result, whole_boards); };
    for (std::size_t i = 0; i < boards_.tasks.size(); ++i) {
      if (is_batch(crew) && i >= batch_end_) {
        const Stopwatch watch;
        const std::vector<WorkerTimes> spent = solve_batch(i, crew, progress, tell_whole);
        add_times(times, spent);
        seconds += watch.seconds();
      }
      if (i < told_) continue;
      if (const auto batched = batched_result(i)) {
        tell_whole(*batched);
        if (batched->status != Status::interrupted) continue;
        errors_.write(stopped_by_signal);
        break;
      }
      const bool answered = checkpoint_ && checkpoint_->has_answer(i, visits_all());
      const double table_seconds = answered ? 0 : prepare_tables(i, crew, progress);
      if (table_seconds < 0) {
        errors_.write("tessera: stopped by a limit or signal while tables were being built\n");
        if (!checkpoint_) return exit_stopped;
        close_checkpoint(exit_stopped_with_checkpoint);
        return exit_stopped_with_checkpoint;
      }
      progress.board_started(boards_.tasks[i].id);
      if (trace) trace->board_started(boards_.tasks[i].id);
      if (log) log->board_started(boards_.tasks[i].id);
      BoardResult result = solve(i, crew, observers);
      result.setup_seconds += table_seconds;
      if (trace) trace->board_finished(result);
      tell(result, crew.setup);
      if (result.seconds > 0) add_times(times, result.times);
      seconds += result.seconds;
      if (result.status == Status::interrupted) {
        if (!checkpoint_) {
          errors_.write(stopped_by_signal);
        }
        break;
      }
    }
    if (checkpoint_) close_checkpoint(code);
    if (log) log->check();
    if (!config_.quiet && !times.empty()) {
      // Advice is about the cutting of trees.
      errors_.write(time_table(times, seconds) +
                    (batch_end_ > 0 ? "" : advice(times, seconds, crew.setup)));
    }
    return code;
  }

 private:
  [[nodiscard]] static std::vector<TracedRank> traced_ranks(const Crew& crew) {
    std::vector<TracedRank> ranks;
    for (const RankPlace& place : crew.places) ranks.push_back({place.host, place.threads});
    return ranks;
  }

  [[nodiscard]] bool is_solvable(std::size_t i) const {
    return i < boards_.tasks.size() && solvable(boards_.tasks[i].board, boards_.tasks[i].goal);
  }

  // A checkpoint of other boards and a folder that cannot hold the tables are found here, before
  // anything is printed.
  void expect_set_up() {
    std::string last;
    for (std::size_t i = 0; i < boards_.tasks.size(); ++i) {
      if (!is_solvable(i)) continue;
      if (checkpoint_) {
        checkpoint_->expect(i, problem_of(i));
        if (checkpoint_->has_answer(i, visits_all())) continue;
      }
      const Board& goal = boards_.tasks[i].goal;
      std::string wanted = heuristics_[i].spec + " " + to_string(goal);
      if (wanted == last) continue;
      last = std::move(wanted);
      expect_table_room(config_, heuristics_[i].spec, goal);
    }
  }

  // Makes or opens a board's tables, unless the board before had the same; returns the seconds, or
  // less than 0 where a signal ended it.
  double prepare_tables(std::size_t i, Crew& crew, ProgressObserver& observer) {
    const BoardTask& task = boards_.tasks[i];
    const ChosenHeuristic& heuristic = heuristics_[i];
    const std::string prune = prune_of(config_, task.goal.size(), heuristic.spec);
    const std::string wanted = heuristic.spec + " " + to_string(task.goal);
    const bool has_tables = table_bytes(heuristic.spec, task.goal) > 0;
    if (wanted == prepared_ || !(has_tables || Pruning::is_stored(prune, task.goal.size()))) {
      return 0;
    }
    prepared_ = wanted;
    const Stopwatch watch;
    observer.board_started("building tables of " + (has_tables ? heuristic.name : prune));
    const Problem problem{make_instance(task.goal, task.goal),
                          heuristic.spec,
                          config_.kernel,
                          prune,
                          config_.metric,
                          config_.table_directory};
    const bool made = crew.executor->prepare(problem, [&](double done) {
      observer.table_progress(done);
      return !limits_.reached(0);
    });
    observer.clear();
    if (!made) prepared_.clear();
    return made ? watch.seconds() : -1;
  }

  void open_checkpoint() {
    if (config_.independent) bad_input("--checkpoint: needs --bounds shared");
    checkpoint_.emplace(
        *config_.checkpoint, config_.resume,
        std::chrono::duration<double>(config_.checkpoint_every.value_or(std::chrono::seconds(30)))
            .count());
    checkpoint_->stop_on_failure(context_.interrupted);
    if (checkpoint_->dropped()) {
      errors_.write("tessera: " + checkpoint_->path() +
                    ": the last record was not written completely and is ignored\n");
    }
    if (checkpoint_->replaced_unfinished()) {
      errors_.write(
          fmt::format("tessera: {0} held an unfinished search, kept as {0}~; without --resume the "
                      "search starts over\n",
                      checkpoint_->path()));
    }
    options_.keeper = &*checkpoint_;
    options_.keep_seconds = checkpoint_->every();
  }

  // Whether the last iteration is searched to its end.
  [[nodiscard]] bool visits_all() const { return config_.all || config_.finish_iteration; }

  // Throws what kept the checkpoint from being written.
  void close_checkpoint(int code) {
    checkpoint_->close();
    if (checkpoint_->failure()) std::rethrow_exception(checkpoint_->failure());
    if (code == exit_stopped_with_checkpoint) {
      errors_.write("tessera: stopped by a limit or signal; " + checkpoint_->path() +
                    " holds the progress, --resume continues from there\n");
    }
  }

  IdaStarResult search(std::size_t i, const Problem& problem, Crew& crew, Observer& observer) {
    const BoardTask& task = boards_.tasks[i];
    options_.incumbent = incumbent_options(config_, crew.setup, task.board.size(),
                                           table_bytes(heuristics_[i].spec, task.goal));
    const std::string beam = beam_memory_line(problem, options_.incumbent, *crew.executor);
    if (!config_.quiet && !std::exchange(beam_told_, true)) errors_.write(beam);
    if (!checkpoint_) return ida_star(problem, options_, *crew.executor, limits_, observer);
    checkpoint_->begin(i, problem);
    if (checkpoint_->has_answer(i, visits_all())) return checkpoint_->answer();
    options_.saved = checkpoint_->saved();
    IdaStarResult result = ida_star(problem, options_, *crew.executor, limits_, observer);
    if (result.solution && !result.stop) checkpoint_->answered(result, visits_all());
    return result;
  }

  [[nodiscard]] BoardResult unsolved(std::size_t i) const {
    const BoardTask& task = boards_.tasks[i];
    BoardResult result;
    result.id = task.id;
    result.board = task.board;
    result.goal = task.goal_name;
    result.metric = config_.metric;
    result.heuristic = heuristics_[i].name;
    result.solvable = solvable(task.board, task.goal);
    if (!result.solvable) result.status = Status::unsolvable;
    return result;
  }

  [[nodiscard]] Problem problem_of(std::size_t i) const {
    const BoardTask& task = boards_.tasks[i];
    // Only node by node is a limit met where plain IDA* meets it: the other kernels go through the
    // last iteration in another order.
    const bool exact = config_.node_limit > 0 && config_.kernel == Kernel::automatic;
    return {make_instance(task.board, task.goal),
            heuristics_[i].spec,
            exact ? Kernel::plain : config_.kernel,
            prune_of(config_, task.goal.size(), heuristics_[i].spec),
            config_.metric,
            config_.table_directory,
            config_.emulation};
  }

  BoardResult solve(std::size_t i, Crew& crew, Observer& observer) {
    BoardResult result = unsolved(i);
    if (!result.solvable) return result;
    BestFirstResult found;
    if (keeps_boards(config_)) {
      found = crew.executor->best_first(problem_of(i), best_first_, limits_, observer);
    } else {
      static_cast<IdaStarResult&>(found) = search(i, problem_of(i), crew, observer);
    }
    result = judged(i, std::move(result), std::move(found));
    if (config_.record && result.status == Status::solved) {
      record_search(config_, problem_of(i), boards_.tasks[i], result, crew, errors_);
    }
    return result;
  }

  // The result with what the search found, once that is verified.
  [[nodiscard]] BoardResult judged(std::size_t i, BoardResult result, BestFirstResult found) const {
    const BoardTask& task = boards_.tasks[i];
    if (keeps_boards(config_)) {
      result.memory = {found.states, found.bytes, found.stop == Stop::memory};
    }
    result.seconds = found.seconds;
    result.earlier_seconds = found.earlier_seconds;
    result.setup_seconds = found.setup_seconds;
    result.counts = found.counts;
    result.iterations = std::move(found.iterations);
    result.times = std::move(found.times);
    result.incumbent = std::move(found.incumbent);
    result.lower_bound = found.bound;
    result.status = !found.stop                       ? Status::solved
                    : found.stop == Stop::interrupted ? Status::interrupted
                                                      : Status::limit;
    if (!found.solution) return result;
    // Replayed on the board as given, with nothing that the search used.
    const std::optional<Board> end = replayed(task.board, *found.solution);
    result.verified = end && *end == task.goal;
    if (!result.verified) {
      throw Error(ErrorKind::internal,
                  "board " + task.id + ": the solution found does not lead to the goal");
    }
    result.length = solution_length(*found.solution, config_.metric);
    result.moves = std::move(found.solution);
    result.optimal = found.optimal;
    if (config_.all) result.solutions = found.solution_count;
    return result;
  }

  // ---- many boards, each by one worker

  [[nodiscard]] bool is_batch(const Crew& crew) const {
    if (config_.batch == Batch::boards) return true;
    return config_.batch == Batch::automatic && boards_.tasks.size() > 1 &&
           crew.setup.workers > 1 && why_no_batch(config_) == nullptr && !keeps_boards(config_);
  }

  // Solves boards from `first` on, up to a number that still leaves rows to be told now and then;
  // tells those that stand in a row without a gap, up to told_. What is left is too hard for one
  // worker, or was interrupted.
  template <class Tell>
  std::vector<WorkerTimes> solve_batch(std::size_t first, Crew& crew, ProgressObserver& progress,
                                       const Tell& tell) {
    constexpr std::size_t boards_a_worker = 4096;
    batch_end_ = std::min(boards_.tasks.size(),
                          first + boards_a_worker * static_cast<std::size_t>(crew.setup.workers));
    BatchOptions options;
    options.ida = options_;
    options.node_limit = config_.node_limit;
    if (keeps_boards(config_)) options.best_first = best_first_;
    if (config_.batch == Batch::automatic) options.patience = batch_patience;
    std::vector<BoardJob> jobs;
    std::vector<std::optional<BoardResult>> results(batch_end_ - first);
    for (std::size_t i = first; i < batch_end_; ++i) {
      BoardResult result = unsolved(i);
      if (!result.solvable) {
        results[i - first] = std::move(result);
        continue;
      }
      const double table_seconds = prepare_tables(i, crew, progress);
      if (table_seconds < 0) break;  // the caller meets the same limit and says so
      jobs.push_back({static_cast<std::uint32_t>(i), problem_of(i)});
    }
    // Nothing is told behind a board that was interrupted.
    const auto tell_ready = [&] {
      for (; told_ < batch_end_; ++told_) {
        std::optional<BoardResult>& result = results[told_ - first];
        if (!result || result->status == Status::interrupted) return;
        tell(*result);
        result.reset();
      }
    };
    told_ = first;
    std::size_t done = 0;
    const auto total = static_cast<double>(jobs.size());
    progress.board_started("boards");
    std::vector<WorkerTimes> times =
        crew.executor->solve_boards(std::move(jobs), options, limits_, [&](BoardOutcome outcome) {
          progress.table_progress(static_cast<double>(++done) / total);
          if (outcome.too_hard) return;
          const std::size_t i = outcome.index;
          results[i - first] = judged(i, unsolved(i), std::move(outcome.result));
          tell_ready();
        });
    tell_ready();  // boards that need no search
    kept_results_ = std::move(results);
    batch_first_ = first;
    return times;
  }

  // What the batch has for a board that it has not told.
  [[nodiscard]] std::optional<BoardResult> batched_result(std::size_t i) {
    if (i >= batch_end_) return {};
    return std::move(kept_results_[i - batch_first_]);
  }

  [[nodiscard]] int code_of(const BoardResult& result) const {
    if (result.memory && result.memory->full) return exit_resource;
    switch (result.status) {
      case Status::solved:
      case Status::unsolvable:
        return exit_answered;
      case Status::limit:
      case Status::interrupted:
        return checkpoint_ ? exit_stopped_with_checkpoint : exit_stopped;
      case Status::error:
        break;
    }
    return exit_internal;
  }

  std::vector<std::string> notes_;  // before config_, which adds to them
  const Config config_;
  Context& context_;
  BoardTasks boards_;
  bool json_to_stdout_;
  Output errors_;
  Output answers_;
  std::optional<Output> json_;
  std::optional<Output> trace_file_;  // until the search begins
  std::vector<ChosenHeuristic> heuristics_;
  std::string prepared_;    // what tables were made for last
  bool beam_told_ = false;  // what memory a beam search takes
  Limits limits_;
  IdaStarOptions options_;
  BestFirstOptions best_first_;

  // Of the last batch: its boards, those told, and results behind one that was left out.
  std::size_t batch_first_ = 0;
  std::size_t batch_end_ = 0;
  std::size_t told_ = 0;
  std::vector<std::optional<BoardResult>> kept_results_;

  std::optional<Checkpoint> checkpoint_;
};

}  // namespace

int command_solve(const Config& config, Context& context) {
  return Solver(config, context).run();
}

}  // namespace tessera
