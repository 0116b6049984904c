// SPDX-License-Identifier: MIT
#include "search/tree/ida_star.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/mapped_file.hpp"
#include "search/tree/balance_policy.hpp"
#include "search/tree/frontier.hpp"
#include "search/tree/incumbent_search.hpp"
#include "search/tree/serial_executor.hpp"

namespace tessera {
namespace {

// The first iterations are too small to show the growth from one to the next.
constexpr double least_growth = 2;
constexpr double most_growth = 20;

// Spans per thread that a trace keeps for one execution: about half a megabyte.
constexpr std::size_t trace_room = 8192;

class Run {
 public:
  Run(const Problem& problem, const IdaStarOptions& options, SubtreeExecutor& executor,
      const Limits& limits, Observer& observer)
      : problem_(problem),
        options_(options),
        executor_(executor),
        limits_(limits),
        observer_(observer),
        search_(make_subtree_search(problem)),
        metric_(problem.metric),
        is_solved_(problem.instance.start == problem.instance.goal()),
        frontier_(*search_,
                  [this] { return limits_.reached(result_.counts.generated).has_value(); }),
        incumbents_(problem, options, executor, limits, observer),
        local_(executor.workers() > 1 || options.journal != nullptr ? balance.local_most
                                                                    : SerialExecutor::any) {
    if (options.trace) timeline_.start(trace_room);
    local_.begin(problem);
    executor_.begin(problem);
    result_.setup_seconds = watch_.lap();
  }

  SearchResult solve() {
    result_.counts.generated = 1;  // the root
    if (options_.independent) solve_independently();
    else deepen();
    if (options_.listed && result_.optimal) list();
    result_.incumbent = incumbents_.best();
    result_.seconds = watch_.seconds();
    show_tracks({});
    fill_times();
    return std::move(result_);
  }

 private:
  // Restores what an earlier run saved; returns the bound to continue with.
  int resumed(int bound) {
    const SavedSearch& saved = options_.saved;
    earlier_beam_seconds_ = incumbents_.seconds();
    result_.earlier_seconds = saved.seconds();
    for (const IterationReport& report : saved.iterations) {
      observer_.iteration_started(report.bound);
      finish(report);
      note_growth(report.counts.expanded);
    }
    if (!saved.iterations.empty()) bound = saved.next_bound;
    if (!saved.finished.empty()) {
      restored_ = frontier_.restore(saved.finished, bound, metric_);
      bound_seconds_ = saved.bound_seconds;
    }
    return bound;
  }

  // Bound by bound, until a solution is found or the bounds below the incumbent's length are
  // exhausted.
  void deepen() {
    int bound = resumed(options_.every_depth ? 0 : search_->node_at("").f());
    result_.bound = bound;
    const bool needs_beams = !is_solved_ && !has_restored_solution();
    if (needs_beams) incumbents_.run_first(bound);
    while (bound < no_bound) {
      const double nodes = static_cast<double>(last_expanded_) * growth_;
      if (needs_beams) incumbents_.run_before(bound, nodes);
      if (!result_.stop) result_.stop = incumbents_.stop();
      if (is_proven_at(bound) || result_.stop || !(options_.incumbent.prove || is_solved_)) {
        return end_with_incumbent(bound);
      }
      bound = iterate(bound);
      if (bound < no_bound) incumbents_.show(bound);
    }
    if (result_.stop) end_with_incumbent(result_.bound);
  }

  // Searches no more bounds: the beam search's solution is the answer, if there is one.
  void end_with_incumbent(int bound) {
    result_.bound = bound;
    if (!incumbents_.best()) {
      // Beam search alone widens until it finds a solution or memory runs out.
      if (!result_.stop) result_.stop = Stop::memory;
      return;
    }
    result_.solution = incumbents_.best()->moves;
    result_.optimal = is_proven_at(bound);
    if (result_.optimal) result_.stop.reset();
    observer_.incumbent(incumbents_.length());
  }

  // Whether nothing is left to search before this bound. If all nodes of the last bound are wanted,
  // an incumbent, possibly from an earlier run, does not shorten the search.
  [[nodiscard]] bool is_proven_at(int bound) const {
    return incumbents_.length() <= bound && !visits_all();
  }

  [[nodiscard]] bool visits_all() const { return options_.all || options_.finish_iteration; }

  // Whether an earlier run that visited all nodes recorded a solution at the bound to continue
  // with, and this one needs no other.
  [[nodiscard]] bool has_restored_solution() const {
    return restored_ && restored_->counts.solutions > 0 && !visits_all();
  }

  // What was done below the cut at one bound.
  struct BelowCut {
    Execution execution;
    std::vector<Frontier::Leaf*> leaves;
    bool in_order;  // leaves were searched one after the other
  };

  // Searches below the cut, in this thread as long as that is short.
  BelowCut search_below_cut(int bound) {
    Task task{.bound = bound,
              .mode = visits_all() ? Mode::exhaust : Mode::any,
              .schedule = options_.schedule,
              .growth = growth_,
              .trace_room = room()};
    const bool is_cut_forced = options_.frontier > 0 || options_.split_depth;
    bool local = !is_cut_forced && !restored_ && last_expanded_ < balance.local_expanded;
    std::vector<Frontier::Leaf*> leaves;
    Execution execution;
    if (local) {
      // The journal gets what is finished only if the iteration is stopped, not given up.
      if (report_seconds() > 0) task.report_seconds = std::numeric_limits<double>::infinity();
      leaves = frontier_.live(bound);
      execution = execute(local_, leaves, task);
      local = !execution.given_up;
    }
    if (!local && !has_restored_solution()) {
      expand_frontier(bound);
      task.report_seconds = report_seconds();
      leaves = frontier_.live(bound);
      const double lost = execution.wall_seconds;
      execution = execute(executor_, leaves, task);
      execution.wall_seconds += lost;
      execution.search_seconds += lost;
    }
    const SubtreeExecutor& executor = local ? local_ : executor_;
    if (options_.listed && options_.journal == nullptr) {
      solved_ = std::move(execution.finished);
      std::erase_if(solved_, [](const auto& subtree) { return subtree.counts.solutions == 0; });
    }
    if (const auto done = std::exchange(restored_, {})) {
      frontier_.forget_done();
      Execution earlier;
      earlier.counts = done->counts;
      earlier.next_bound = done->next_bound;
      if (done->counts.solutions > 0) earlier.solved = done->solved;
      execution.add(std::move(earlier), metric_);
    }
    return {std::move(execution), std::move(leaves), executor.in_order()};
  }

  // One iteration; returns the next bound, or no_bound when the search is over.
  int iterate(int bound) {
    const Stopwatch watch;
    result_.bound = bound;
    observer_.iteration_started(bound);
    const auto [execution, leaves, in_order] = search_below_cut(bound);
    const Counts counts =
        execution.counts + (execution.solution && in_order
                                ? frontier_.interior_until(*leaves[execution.solution->item])
                                : frontier_.interior());
    note_growth(counts.expanded);
    if (execution.solution) {
      result_.solution = execution.solution->letters;
    } else if (execution.solved && !execution.stop) {
      result_.solution = recovered(*execution.solved, bound);
      result_.solution_count = execution.counts.solutions;
    }
    // A limit reached after the solution does not affect it.
    const bool cut = execution.stop && !result_.solution;
    if (cut) result_.stop = execution.stop;
    result_.optimal = result_.solution.has_value();
    finish({.bound = bound,
            .counts = counts,
            .seconds = std::exchange(bound_seconds_, 0) + watch.seconds(),
            .idle_fraction = idle_fraction(execution),
            .complete = !cut});
    if (result_.solution) observer_.incumbent(solution_length(*result_.solution, metric_));
    return result_.solution || result_.stop ? no_bound : next_bound(bound, execution);
  }

  // The bound after one that was searched to its end, or no_bound if a limit is reached.
  int next_bound(int bound, const Execution& execution) {
    const int next = options_.every_depth
                         ? bound + 1
                         : std::min(execution.next_bound, frontier_.next_bound(bound));
    if (options_.journal != nullptr) {
      options_.journal->iteration_finished(result_.iterations.back(), next);
    }
    // A limit reached between two bounds stops the next one at its root.
    if (is_proven_at(next)) return next;
    if ((result_.stop = limits_.reached(result_.counts.generated))) {
      result_.bound = next;
      observer_.iteration_started(next);
      finish({.bound = next, .complete = false});
      return no_bound;
    }
    return next;
  }

  void solve_independently() {
    const Stopwatch watch;
    const int bound = search_->node_at("").f();
    constexpr int any_bound = no_bound - 1;  // every subtree is searched, whatever its f
    expand_frontier(any_bound);
    const std::vector<Frontier::Leaf*> leaves = frontier_.live(any_bound);
    observer_.iteration_started(bound);
    Execution execution = execute(
        executor_, leaves,
        {.bound = bound, .independent = true, .schedule = options_.schedule, .trace_room = room()});
    if (execution.solution) result_.solution = execution.solution->letters;
    // Subtrees that are cut may be anywhere between the first bound and their last.
    result_.bound = bound;
    result_.optimal = result_.solution &&
                      (!execution.stop || solution_length(*result_.solution, metric_) <= bound);
    if (!result_.optimal) result_.stop = execution.stop;
    // The nodes above the cut were expanded once, for all bounds together.
    execution.by_bound.try_emplace(bound);
    execution.by_bound.begin()->second += frontier_.interior();
    for (const auto& [subtree_bound, counts] : execution.by_bound) {
      // Bounds overlap in time: the first row has all of it.
      const bool first = result_.iterations.empty();
      if (!first) observer_.iteration_started(subtree_bound);
      finish({.bound = subtree_bound,
              .counts = counts,
              .seconds = first ? watch.seconds() : 0,
              .idle_fraction = first ? idle_fraction(execution) : 0,
              .complete = !execution.stop,  // after a stop, some subtrees may have completed none
              .timed = first});
    }
    if (result_.solution) observer_.incumbent(solution_length(*result_.solution, metric_));
  }

  // Cuts the tree into enough subtrees for all workers.
  void expand_frontier(int bound) {
    const Stopwatch watch;
    if (options_.split_depth) {
      frontier_.grow_to_depth(bound, *options_.split_depth);
    } else if (options_.frontier > 0) {
      frontier_.grow(bound, options_.frontier, 0);
    } else {
      const auto workers = static_cast<std::size_t>(executor_.workers());
      // Whether workers cut running subtrees for one another.
      const bool running_cut = options_.schedule == Schedule::stealing && !options_.independent;
      const bool alone = workers == 1 && !options_.independent;
      frontier_.grow(bound, alone ? 1 : balance.subtrees(workers, running_cut),
                     balance.heaviest(workers, running_cut, static_cast<double>(last_expanded_)));
    }
    split_seconds_ += watch.seconds();
    timeline_.note_since(nanoseconds(watch.start()), Activity::split);
  }

  Execution execute(SubtreeExecutor& executor, const std::vector<Frontier::Leaf*>& leaves,
                    const Task& task) {
    std::vector<WorkItem> items;
    items.reserve(leaves.size());
    for (const Frontier::Leaf* leaf : leaves) {
      items.push_back({leaf->path, leaf->cost * growth_, leaf->node.h});
    }
    Counts counts = result_.counts;
    if (restored_) counts += restored_->counts;
    Monitor monitor(limits_, observer_,
                    {.bound = task.bound, .counts = counts, .items = items.size()},
                    options_.journal, bound_seconds_);
    Execution execution = executor.execute(items, task, monitor);
    show_tracks(std::exchange(execution.tracks, {}));
    if (!execution.given_up) observer_.worked(task.bound, execution.figures);
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      leaves[i]->cost = static_cast<double>(execution.expanded[i]);
    }
    return execution;
  }

  // How often subtrees are reported; to list solutions, once at the end.
  [[nodiscard]] double report_seconds() const {
    if (options_.journal != nullptr) return options_.journal_seconds;
    return options_.listed ? std::numeric_limits<double>::infinity() : 0;
  }

  // The first solution in move order below a node that is known to have one.
  std::string recovered(const std::string& path, int bound) {
    const Stopwatch watch;
    NeverStops control;
    const SubtreeResult found =
        search_->search(search_->node_at(path), bound, Mode::first, control);
    if (!found.found) internal_failure("a counted solution was not found again");
    recovery_seconds_ += watch.seconds();
    timeline_.note_since(nanoseconds(watch.start()), Activity::recover);
    return path + found.solution;
  }

  // The solutions that the last iteration has counted.
  void list() {
    if (solved_.empty()) solved_.emplace_back().counts = result_.iterations.back().counts;
    result_.list =
        list_solutions(problem_, *result_.solution, solved_, *options_.listed, executor_, limits_);
    if (!result_.list) return;
    recovery_seconds_ += result_.list->serial_seconds;
    if (result_.list->count != result_.solution_count) {
      internal_failure("the solutions counted and listed differ in number");
    }
  }

  // Spans that a thread may keep until the execution ends; fewer with very many threads, since all
  // of them reach rank 0 together (a span is 56 bytes there, and MPI gathers less than 2 GiB).
  [[nodiscard]] std::uint32_t room() const {
    if (!options_.trace) return 0;
    constexpr std::size_t most_in_all = std::size_t{1} << 23;
    constexpr std::size_t least = 16;
    const auto workers = static_cast<std::size_t>(executor_.workers());
    return static_cast<std::uint32_t>(std::clamp(most_in_all / workers, least, trace_room));
  }

  void show_tracks(std::vector<Track> tracks) {
    if (!options_.trace) return;
    tracks.push_back(timeline_.take(0, Track::main_thread));
    observer_.traced(tracks);
  }

  [[nodiscard]] double idle_fraction(const Execution& execution) const {
    const double available = execution.wall_seconds * executor_.workers();
    return available > 0 ? std::max(0.0, 1 - execution.search_seconds / available) : 0;
  }

  void note_growth(std::uint64_t expanded) {
    if (last_expanded_ > 0) {
      growth_ = std::clamp(static_cast<double>(expanded) / static_cast<double>(last_expanded_),
                           least_growth, most_growth);
    }
    last_expanded_ = expanded;
    frontier_.set_growth(growth_);
  }

  void finish(const IterationReport& report) {
    result_.counts += report.counts;
    result_.iterations.push_back(report);
    observer_.iteration_finished(report);
  }

  // Each moment of a worker counts once: while its thread searched it did not communicate, even if
  // its rank's main thread did; the remaining time counts as waiting.
  void fill_times() {
    result_.times = executor_.times();
    const double beams = incumbents_.seconds() - earlier_beam_seconds_;
    for (WorkerTimes& worker : result_.times) {
      worker.search += worker.rank == 0 ? beams : beams - incumbents_.seconds_on_one_rank();
      if (&worker == &result_.times.front()) {
        worker.split += split_seconds_;
        worker.search += local_.times().front().search;
        worker.other += recovery_seconds_;
      }
      const double idle =
          std::max(0.0, result_.seconds - worker.search - worker.split - worker.other);
      worker.communicate = std::min(worker.communicate, idle);
      worker.wait = idle - worker.communicate;
    }
  }

  const Problem& problem_;
  const IdaStarOptions& options_;
  SubtreeExecutor& executor_;
  const Limits& limits_;
  Observer& observer_;
  Stopwatch watch_;
  std::unique_ptr<SubtreeSearch> search_;
  Metric metric_;
  bool is_solved_;  // before the first move
  Frontier frontier_;
  IncumbentSearch incumbents_;
  SerialExecutor local_;
  SearchResult result_;
  std::uint64_t last_expanded_ = 0;
  double growth_ = Task::default_growth;
  std::vector<FinishedSubtree> solved_;      // in the last bound; empty if not known
  std::optional<FinishedSubtree> restored_;  // the sum of the frontier's done leaves
  double bound_seconds_ = 0;                 // spent on the bound by earlier runs
  double earlier_beam_seconds_ = 0;
  double split_seconds_ = 0;
  Timeline timeline_;
  double recovery_seconds_ = 0;  // finding the paths of counted solutions
};

}  // namespace

SearchResult ida_star(const Problem& problem, const IdaStarOptions& options,
                      SubtreeExecutor& executor, const Limits& limits, Observer& observer) {
  const std::uint64_t earlier = noticed_file_changes();
  SearchResult result = Run(problem, options, executor, limits, observer).solve();
  expect_unchanged_mapped_files(earlier);
  return result;
}

}  // namespace tessera
