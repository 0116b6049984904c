// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <limits>
#include <optional>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/mapped_file.hpp"
#include "base/text.hpp"
#include "cli/commands/command_output.hpp"
#include "cli/commands/solve_tasks.hpp"
#include "cli/process/context.hpp"
#include "cli/process/crew.hpp"
#include "heuristic/length_guess.hpp"
#include "model/effort.hpp"
#include "puzzle/metric.hpp"
#include "report/estimate.hpp"
#include "report/tables.hpp"
#include "report/version.hpp"
#include "search/beam/beam.hpp"
#include "solver/board_solver.hpp"
#include "solver/heuristic_choice.hpp"
#include "solver/memory.hpp"
#include "solver/tables.hpp"

namespace tessera {
namespace {

constexpr double rate_seconds = 0.4;
// About a CPU second.
constexpr std::uint64_t widest_beam = 65'536;
// The most evaluations, as a fraction of the nodes of the proof.
constexpr double beam_share = 1.0 / 8;

class Estimation {
 public:
  Estimation(const Config& asked, Context& context)
      : config_(asked),
        notes_(adapt_to_engine(config_, context.ranks())),
        context_(context),
        tasks_(config_),
        workers_(workers_of(config_, context_, context_.ranks())),
        setup_(setup_of(config_, workers_)) {
    if (!config_.dry_run && !has_model()) {
      bad_input("--engine " + to_string(config_.engine) +
                ": its nodes and time cannot be estimated, expected ida; solve --dry-run shows its "
                "memory");
    }
    tasks_.choose_heuristics();
    tasks_.expect_recordable();
    if (!config_.dry_run) tasks_.expect_table_room();
    limits_ = limits_of(config_, context_);
    if (config_.dry_run) limits_.deadline.reset();  // a plan is shown whole
    output_.emplace(config_);
  }

  int run() {
    context_.stop_on_signals();
    const Crew crew = make_crew(workers_, config_, context_);
    // What the search would reject.
    expect_memory(config_, workers_, tasks_.table_bytes());
    solver_.emplace(config_, workers_, *crew.backend);
    (void)tasks_.beam_memory(*solver_);
    for (const std::string& complaint : tasks_.complaints()) output_->complain(complaint);
    ProgressObserver observer(output_->errors(), config_.shown_progress());
    for (const std::string& note : tasks_.notes()) output_->remark("note: " + note + "\n");
    for (const std::string& note : notes_) output_->remark("note: " + note + "\n");
    const char* what = config_.dry_run ? "plan, nothing is searched" : "estimate";
    output_->remark(fmt::format("tessera {}: {}, {} backend, {}\n", version(), what, setup_.backend,
                                layout_text(setup_)));
    ProgressObserver all(output_->errors(), config_.shown_progress());
    all.board_started("estimating boards");
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      if (i > 0 && limits_.reached(0)) return stopped(all, i);
      if (i > 0) all.part_done(static_cast<double>(i) / static_cast<double>(tasks_.size()));
      tasks_.choose_end(i);
      BoardEstimate estimate = described(i);
      if (config_.dry_run) {
        all.clear();
        output_->answer(fmt::format(
            "board {}: {}\n", estimate.id,
            plan_text(estimate.heuristic, estimate.table_bytes, estimate.memory_bytes)));
      }
      if (estimate.solvable && !estimate.is_solved && has_model()) {
        const ChosenHeuristic& heuristic = tasks_[i].plan.heuristic;
        if (config_.dry_run && missing_table_bytes(config_.table_directory, heuristic) > 0) {
          const std::string command = build_command(config_, heuristic.name, heuristic.target);
          output_->answer(
              "its tables are not built yet, and without them nothing can be sampled: " +
              (command.empty() ? "the first search" : command) + " builds them\n");
          output_->write_json(to_json(estimate, setup_));
          continue;
        }
        if (!tasks_.prepare(i, *solver_, limits_, observer) ||
            !sample(tasks_.problem(i), estimate)) {
          return stopped(all, i);
        }
      }
      all.clear();
      tell(estimate);
      add(estimate);
    }
    output_->end_rows();
    // With several heuristics, boards would be counted several times.
    if (tasks_.size() > 1 && config_.heuristic_list.size() == 1) tell_total();
    return tasks_.complaints().empty() ? exit_answered : exit_bad_input;
  }

 private:
  // The sampled tree is that of IDA*.
  [[nodiscard]] bool has_model() const { return config_.engine == Engine::ida; }

  [[nodiscard]] BoardEstimate described(std::size_t i) {
    const SolveTask& task = tasks_[i];
    const Plan& plan = task.plan;
    BoardEstimate estimate;
    static_cast<BoardFacts&>(estimate) = facts_of(config_, task, plan);
    estimate.is_solved = task.board == task.goal;
    estimate.table_bytes = plan.table_bytes;
    estimate.memory_bytes = search_memory(config_, workers_, plan);
    const IncumbentOptions incumbents = incumbents_of(estimate);
    if (incumbents.width == 0 || !estimate.solvable || estimate.is_solved) return estimate;
    const Problem problem = tasks_.problem(i);
    const int ranks = solver_->backend().beam_ranks(incumbents.width);
    estimate.memory_bytes +=
        beam_bytes(problem, incumbents.width, ranks) * static_cast<std::uint64_t>(ranks);
    return estimate;
  }

  [[nodiscard]] IncumbentOptions incumbents_of(const BoardEstimate& estimate) const {
    return incumbent_options(config_, workers_, estimate.board.size(), estimate.table_bytes);
  }

  // If the search itself starts with beam searches, finds a solution by the same: one of the given
  // width, or ever wider ones, as long as they are cheap compared to the proof.
  void find_solution(const Problem& problem, const SubtreeSearch& search, EffortOptions effort,
                     BoardEstimate& estimate) {
    const IncumbentOptions incumbents = incumbents_of(estimate);
    if (config_.dry_run || (!incumbents.automatic && incumbents.width == 0)) return;
    const std::uint64_t first = incumbents.automatic ? 1024 : incumbents.width;
    const std::uint64_t widest = incumbents.automatic ? widest_beam : first;
    Observer nobody;
    double proof = std::numeric_limits<double>::infinity();  // nodes
    for (BeamOptions beam{.width = first, .seed = config_.seed}; beam.width <= widest;
         beam.width *= 4) {
      const int ranks = solver_->backend().beam_ranks(beam.width);
      if (beam_bytes(problem, beam.width, ranks) > incumbents.memory_bytes) return;
      const BeamResult found = solver_->backend().beam(problem, beam, limits_, nobody);
      if (found.stop) return;
      if (found.moves) {
        beam.shorter_than = solution_length(*found.moves, problem.metric);
        estimate.upper_bound = beam.shorter_than;
        effort.last_bound = beam.shorter_than - length_step(problem.metric);
        proof = estimate_effort(search, effort).expanded_to(effort.last_bound);
      }
      if (4 * static_cast<double>(found.evaluated) > proof * beam_share) return;
    }
  }

  int stopped(ProgressObserver& progress, std::size_t estimated) {
    progress.clear();
    output_->complain(fmt::format("stopped by a limit or signal, {} of {} done", estimated,
                                  counted(tasks_.size(), "estimate")));
    return exit_stopped;
  }

  // A limit makes it coarser. False if a signal stopped it.
  bool sample(const Problem& problem, BoardEstimate& estimate) {
    const Stopwatch watch;
    const std::uint64_t earlier = noticed_file_changes();
    const auto search = make_subtree_search(problem);
    const int least = search->node_at("").f();
    const LengthGuess guess = guess_length(problem.instance, config_.metric, least);
    EffortOptions options;
    options.nodes = config_.sample_nodes;
    options.stopped = [this] { return limits_.reached(0).has_value(); };
    estimate.bound_given = config_.last_bound.has_value();
    if (!estimate.bound_given) find_solution(problem, *search, options, estimate);
    const std::optional<int> last =
        estimate.bound_given ? config_.last_bound : estimate.upper_bound;
    estimate.probable_bound = std::max(least, last.value_or(guess.likely));
    options.last_bound = estimate.probable_bound;
    estimate.effort = estimate_effort(*search, options);
    if (!last && guess.high > estimate.probable_bound) {
      options.last_bound = guess.high;
      options.nodes /= 4;
      sample_above(estimate.effort, *search, options);
    }
    estimate.rate = measure_rate(problem, solver_->backend(), estimate.probable_bound, rate_seconds,
                                 &context_.interrupted);
    estimate.request = request(estimate.nodes_to_search(), estimate.rate, estimate.table_bytes);
    estimate.seconds = watch.seconds();
    expect_unchanged_mapped_files(earlier);
    return !context_.interrupted;
  }

  [[nodiscard]] JobRequest request(double nodes, double rate, std::uint64_t table_bytes) const {
    return suggest_request({.nodes = nodes,
                            .rate_of_worker = rate / std::max(1, workers_.count()),
                            .cpus_of_node = workers_.places[0].host_cpus,
                            .table_bytes = table_bytes});
  }

  void tell(const BoardEstimate& estimate) {
    std::string text = estimate.solvable && !estimate.is_solved && !has_model()
                           ? "nodes and time of --engine " + to_string(config_.engine) +
                                 " cannot be estimated, only those of ida\n"
                           : estimate_table(estimate, setup_);
    if (estimate.solvable && estimate.rate > 0 && !config_.quiet) {
      text += suggestion(estimate.request);
    }
    output_->answer(text);
    output_->write_json(to_json(estimate, setup_));
  }

  void add(const BoardEstimate& estimate) {
    if (estimate.rate <= 0) return;
    const double nodes = estimate.nodes_to_search();
    ++total_.boards;
    total_.nodes += nodes;
    total_.seconds += nodes / estimate.rate;
    total_.table_bytes = std::max(total_.table_bytes, estimate.table_bytes);
  }

  void tell_total() {
    if (total_.seconds <= 0) return;
    std::string text = fmt::format(
        "in all: {} to search, {} expanded, {}, if each ends at its marked bound; those "
        "that end later may cost far more\n",
        counted(total_.boards, "board"), rough_count(total_.nodes), rough_time(total_.seconds));
    if (!config_.quiet) {
      text += suggestion(request(total_.nodes, total_.nodes / total_.seconds, total_.table_bytes),
                         " for all of them");
    }
    output_->answer(text);
  }

  // Of the boards whose time was estimated.
  struct Total {
    int boards = 0;
    double nodes = 0;
    double seconds = 0;
    std::uint64_t table_bytes = 0;
  };

  Config config_;
  std::vector<std::string> notes_;
  Context& context_;
  SolveTasks tasks_;
  const Workers workers_;
  const RunSetup setup_;
  Limits limits_;
  std::optional<CommandOutput> output_;
  std::optional<BoardSolver> solver_;  // of `run`, whose backend it uses
  Total total_;
};

}  // namespace

int command_estimate(const Config& config, Context& context) {
  return Estimation(config, context).run();
}

}  // namespace tessera
