// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/machine.hpp"
#include "base/text.hpp"
#include "cli/commands/command_output.hpp"
#include "cli/options/configurations.hpp"
#include "cli/process/crew.hpp"
#include "compare/time_left.hpp"
#include "compare/verdicts.hpp"
#include "puzzle/goal.hpp"
#include "report/cpu_use.hpp"
#include "report/progress.hpp"
#include "report/run_identity.hpp"
#include "report/tables.hpp"
#include "report/version.hpp"
#include "solver/board_solver.hpp"
#include "solver/memory.hpp"
#include "solver/plan.hpp"
#include "threads/threads_executor.hpp"

namespace tessera {
namespace {

// Each configuration searches before anything is timed, to touch table pages and raise clock
// speeds: it repeats its first board until the first of these times, and stops by the second.
constexpr std::chrono::milliseconds least_warm_up{50};
constexpr std::chrono::milliseconds most_warm_up{200};

// Passes are repeated for at most this long, even if little of it is search, as on a busy machine.
constexpr std::chrono::seconds most_repeating{2};

class Comparer {
 public:
  Comparer(const Config& config, Context& context)
      : config_(config),
        context_(context),
        boards_(read_board_tasks(config)),
        plan_(plan_solvable()),
        output_(config) {}

  int run() {
    context_.stop_on_signals();
    describe();
    if (boards_.tasks.empty()) {  // the unsolvable ones are the answer
      report();
      return code_;
    }
    for (const std::string& id : comparison_.unsolvable) {
      output_.remark("note: board " + id + " is left out: it is unsolvable\n");
    }
    for (const std::string& note : boards_.notes) output_.remark("note: " + note + "\n");
    for (const std::string& note : plan_.notes) output_.remark("note: " + note + "\n");
    output_.remark(banner());
    ProgressObserver progress(output_.errors(), config_.shown_progress());
    if (!make_tables(progress)) {
      output_.complain("stopped by a signal while tables were being built");
      return exit_stopped;
    }
    progress.board_started("comparing");
    time_all(progress);
    for (Measured& measured : comparison_.configurations) {
      if (measured.runs.empty() && measured.cut.empty()) measured.cut = "stopped by a signal";
    }
    progress.clear();
    report();
    return code_;
  }

 private:
  // Reports bad boards. Leaves out unsolvable ones, which are answered by parity: there is nothing
  // to time.
  ComparisonPlan plan_solvable() {
    for (const std::string& complaint : boards_.complaints) CommandOutput::complain(complaint);
    auto& tasks = boards_.tasks;
    std::erase_if(tasks, [&](const BoardTask& task) {
      if (solvable(task.board, task.goal)) return false;
      comparison_.unsolvable.push_back(task.id);
      return true;
    });
    if (tasks.empty() && comparison_.unsolvable.empty()) {
      bad_input("no board to compare on, expected at least one");
    }
    return tasks.empty() ? ComparisonPlan{} : Planner(config_, tasks, context_).plan();
  }

  void describe() {
    comparison_.run = begin_run(config_.command_line);
    comparison_.cpus = host_cpus();
    comparison_.hosts = context_.hosts();
    comparison_.set = config_.set.value_or("");
    comparison_.seed = config_.seed;
    std::set<std::string> sizes;
    std::set<std::string> goals;
    for (const BoardTask& task : boards_.tasks) {
      sizes.insert(to_string(task.board.size()));
      goals.insert(task.goal_name);
      comparison_.boards.push_back(task.id);
      comparison_.tiles.push_back(task.board.tiles());
    }
    if (sizes.size() == 1) comparison_.size = *sizes.begin();
    if (goals.size() == 1) comparison_.goal = *goals.begin();
    comparison_.repeat = config_.repeat;
    comparison_.study = study_names[static_cast<std::size_t>(config_.study)];
    comparison_.finish_iteration = config_.finish_iteration;
    for (const Planned& planned : plan_.configurations) {
      comparison_.configurations.push_back({planned.configuration, {}, {}});
    }
  }

  [[nodiscard]] std::string banner() {
    std::string text =
        fmt::format("tessera {}: {} on {}, {} each\n", version(),
                    counted(plan_.configurations.size(), "configuration"),
                    counted(boards_.tasks.size(), "board"), counted(config_.repeat, "time"));
    std::string warned;  // once per reason
    for (const Planned& planned : plan_.configurations) {
      const std::string warning = binding_warning(config_, workers_of(planned), "--workers");
      if (!warning.empty() && warned.find(warning) == std::string::npos) warned += warning;
    }
    return text + warned;
  }

  [[nodiscard]] Workers workers_of(const Planned& planned) const {
    return tessera::workers_of(planned.options, context_, planned.configuration.ranks);
  }

  [[nodiscard]] Crew make_crew_for(const Planned& planned) {
    Workers workers = workers_of(planned);
    if (workers.backend == BackendKind::mpi) {
      Backend* const team = context_.team(workers.ranks(), workers.threads());
      return Crew(std::move(workers), team);
    }
    context_.end_team();
    return Crew(std::move(workers));
  }

  [[nodiscard]] Problem problem_of(const Planned& planned, std::size_t board) const {
    const BoardTask& task = boards_.tasks[board];
    Problem problem =
        tessera::problem_of(planned.options, planned.plans[board], task.board, task.goal);
    // The fastest with --node-limit, too; any suits a solved board.
    if (task.board != task.goal) problem.kernel = planned.options.kernel;
    return problem;
  }

  // Builds all tables before the first timing. False if a signal stopped it.
  bool make_tables(ProgressObserver& progress) {
    for (const Planned& planned : plan_.configurations) {
      expect_memory(planned.options, workers_of(planned), planned.table_bytes);
    }
    std::set<std::string> made;
    ThreadsExecutor own(context_.places(0).front().threads);
    const Limits limits{.interrupted = &context_.interrupted};
    for (const Planned& planned : plan_.configurations) {
      for (const Plan& plan : planned.plans) {
        const bool everywhere = planned.options.backend == BackendKind::mpi;
        if (!made.insert(fmt::format("{} {}", table_names(plan), everywhere)).second) continue;
        BoardSolver builder(planned.options, workers_of(planned),
                            everywhere ? *context_.team(context_.ranks(), 1) : own);
        if (!prepare_tables(builder, plan, limits, progress)) return false;
      }
    }
    context_.end_team();
    return true;
  }

  // ---- timing

  void time_all(ProgressObserver& progress) {
    TimeLeft left(plan_.configurations.size(), config_.repeat);
    Stopwatch run;
    const auto show = [&](double seconds) {
      const TimeLeft::Estimate estimate = left.estimate(seconds);
      progress.part_done(estimate.done, estimate.seconds_left);
    };
    OnProgress observer([&] { show(run.seconds()); });
    for (const Planned& planned : plan_.configurations) warm_up(planned, observer);
    // The order within a repetition is random: a machine that gets warm or busy favors none.
    std::mt19937_64 random(config_.seed);
    std::vector<std::size_t> order(plan_.configurations.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (int repetition = 0; repetition < config_.repeat; ++repetition) {
      std::ranges::shuffle(order, random);
      for (const std::size_t index : order) {
        Measured& measured = comparison_.configurations[index];
        if (!measured.cut.empty()) continue;
        left.begins(index);
        run = Stopwatch();
        time_run(plan_.configurations[index], measured, observer);
        left.ended(run.seconds());
        if (!measured.cut.empty()) left.cut(index);
        show(0);
        if (comparison_.interrupted || context_.interrupted) {
          comparison_.interrupted = true;
          return;
        }
      }
    }
    context_.end_team();
  }

  void warm_up(const Planned& planned, Observer& observer) {
    Crew crew = make_crew_for(planned);
    const auto start = std::chrono::steady_clock::now();
    const Limits limits{.deadline = start + most_warm_up, .interrupted = &context_.interrupted};
    while (search(planned, crew, 0, limits, observer).solution &&
           std::chrono::steady_clock::now() - start < least_warm_up) {
    }
  }

  void time_run(const Planned& planned, Measured& measured, Observer& observer) {
    Crew crew = make_crew_for(planned);
    const auto start = std::chrono::steady_clock::now();
    std::vector<TimedRun> passes;
    double seconds = 0;
    do {
      std::optional<TimedRun> pass = time_pass(planned, measured, crew, observer);
      if (!pass) return;
      seconds += pass->seconds;
      passes.push_back(std::move(*pass));
    } while (seconds < least_run_seconds &&
             std::chrono::steady_clock::now() - start < most_repeating);
    measured.runs.push_back(average_of(passes));
  }

  // Empty if a limit, a signal or a lack of memory stopped it, which is recorded.
  std::optional<TimedRun> time_pass(const Planned& planned, Measured& measured, Crew& crew,
                                    Observer& observer) {
    const Limits limits = limits_of(config_, context_, config_.node_limit);
    TimedRun pass;
    for (std::size_t i = 0; i < boards_.tasks.size(); ++i) {
      const std::clock_t before = std::clock();
      SearchResult result = search(planned, crew, i, limits, observer);
      cpu_use_ += cpu_use_of(result, static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
      if (!result.solution ||
          result.stop) {  // with a limit, a solution may be that of a beam search
        note_stop(measured, result, boards_.tasks[i].id);
        return std::nullopt;
      }
      pass.boards.push_back(checked(planned, i, result));
      pass.seconds += result.seconds;
      pass.counts += result.counts;
      add_times(pass.times, result.times);
    }
    return pass;
  }

  void note_stop(Measured& measured, const SearchResult& result, const std::string& board) {
    const std::string where = boards_.tasks.size() > 1 ? " on board " + board : "";
    if (result.stop == Stop::interrupted) {
      comparison_.interrupted = true;
    } else if (result.stop == Stop::memory) {
      const std::string full =
          result.states == 0 ? "no wider beam fits"
                             : fmt::format("{} boards in {:.1f} MiB", with_commas(result.states),
                                           mebibytes(result.bytes));
      measured.cut = fmt::format("memory is full{}: {}", where, full);
      code_ = std::max<int>(code_, exit_resource);
    } else if (result.stop == Stop::node_limit) {
      measured.cut = fmt::format("cut by --node-limit {}{}", config_.node_limit, where);
      code_ = std::max<int>(code_, exit_stopped);
    } else {
      const Seconds limit = config_.time_limit.value_or(std::chrono::seconds(0));
      measured.cut = fmt::format("cut by --time-limit {:g} s{}", limit.count(), where);
      code_ = std::max<int>(code_, exit_stopped);
    }
  }

  SearchResult search(const Planned& planned, Crew& crew, std::size_t board, const Limits& limits,
                      Observer& observer) {
    return BoardSolver(planned.options, crew.workers, *crew.backend)
        .search(problem_of(planned, board), planned.table_bytes, limits, observer,
                ida_star_options(planned.options));
  }

  // A wrong answer has no time: it must lead to the goal, and be as short as all others.
  BoardTime checked(const Planned& planned, std::size_t board, SearchResult& result) {
    const BoardTask& task = boards_.tasks[board];
    const int length = *with_error_prefix("board " + task.id + ": ", [&] {
      return verify(result, planned.plans[board], task.board, task.goal, planned.options.metric);
    });
    if (result.optimal) {
      const int known = lengths_.try_emplace(board, length).first->second;
      if (known != length) {
        internal_failure(fmt::format("board {}: {} finds {} moves optimal, others {}", task.id,
                                     name_of(planned.configuration), length, known));
      }
    }
    return {task.id, length, result.optimal, result.seconds};
  }

  void report() {
    // An emulated machine sleeps.
    if (config_.emulation.nodes_per_second == 0) comparison_.cpu_share = cpu_use_.share();
    if (!config_.quiet && !comparison_.configurations.empty()) {
      output_.answer(comparison_table(comparison_) + "\n");
    }
    for (const std::string& line : summary_of(comparison_)) output_.answer(line + "\n");
    output_.remark(cpu_note(comparison_.cpu_share));
    if (cpu_use_.search_seconds > 0 && !cpu_use_.share()) {
      output_.remark(
          "note: the searches took less than 1 s in all, too short to tell whether other programs "
          "slowed them down; choose harder boards\n");
    }
    output_.write_json(to_json(comparison_));
    output_.write_csv(to_csv(comparison_));
    if (comparison_.interrupted) {
      output_.complain(comparison_.configurations.empty()
                           ? "stopped by a signal before anything was timed"
                           : "stopped by a signal; the timings until then are shown");
      code_ = std::max<int>(code_, exit_stopped);
    }
    if (!boards_.complaints.empty()) code_ = std::max<int>(code_, exit_bad_input);
  }

  const Config& config_;
  Context& context_;
  Comparison comparison_;
  BoardTasks boards_;
  ComparisonPlan plan_;
  CommandOutput output_;                // last of these: if planning fails, an earlier file is kept
  std::map<std::size_t, int> lengths_;  // optimal lengths, by board
  CpuUse cpu_use_;
  int code_ = exit_answered;
};

}  // namespace

int command_compare(const Config& config, Context& context) {
  return Comparer(config, context).run();
}

}  // namespace tessera
