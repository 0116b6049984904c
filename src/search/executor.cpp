// SPDX-License-Identifier: MIT
#include "tessera/search/executor.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "tessera/base/clock.hpp"
#include "tessera/heuristic/heuristic_spec.hpp"
#include "tessera/search/batch.hpp"
#include "tessera/search/beam.hpp"

namespace tessera {

OwnIdaStar own_ida_star(SubtreeSearch& search, const std::string& path, SearchControl& control,
                        const std::atomic<int>& incumbent) {
  const Node root = search.node_at(path);
  OwnIdaStar outcome;
  // A bound that is no shorter than the best solution cannot better it.
  for (int bound = root.f(); bound < incumbent.load(std::memory_order_relaxed);) {
    const SubtreeResult result = search.search(root, bound, Mode::any, control);
    outcome.counts += result.counts;
    outcome.by_bound[bound] += result.counts;
    outcome.found = result.found;
    if (result.found) outcome.letters = path + result.solution;
    if (result.found || result.stopped || result.next_bound == no_bound) break;
    bound = result.next_bound;
  }
  return outcome;
}

void Pace::note(double expanded, double seconds) {
  constexpr double least_seconds = 1e-4;  // below that the clock and the start are measured
  if (seconds < least_seconds) return;
  constexpr double weight = 0.2;
  rate_ += weight * (expanded / seconds - rate_);
}

double Pace::nodes_in(double seconds) const {
  constexpr double least = 1000;
  return std::max(least, rate_ * seconds);
}

bool open_tables(const Problem& problem, int threads, const TableProgress& progress,
                 TableShare share) {
  const std::vector<TableRequest> requests = table_requests(
      parse_heuristic(problem.heuristic), problem.instance.size(), problem.instance.goal_blank);
  // Each table's part in the whole is as its entries are.
  double all = 0;
  for (const TableRequest& request : requests) all += static_cast<double>(request.cost.entries);
  double done = 0;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const auto entries = static_cast<double>(requests[i].cost.entries);
    const TableProgress of_all = [&](double part) {
      return !progress || progress((done + part * entries) / all);
    };
    if (i % share.count == share.index &&
        open_table(problem.table_directory, requests[i], threads, of_all) == nullptr) {
      return false;
    }
    done += entries;
  }
  // An automaton is made after the tables, by the first who has none of them to make.
  if (requests.size() % share.count != share.index) return true;
  return Pruning::named(problem.prune, problem.instance.size(), problem.table_directory, threads,
                        progress) != nullptr;
}

SearchResult Executor::best_first(const Problem& problem, const BestFirstOptions& options,
                                  const Limits& limits, Observer& observer) {
  return tessera::best_first(problem, options, limits, observer);
}

BeamResult Executor::beam(const Problem& problem, const BeamOptions& options, const Limits& limits,
                          Observer& observer) {
  return beam_search(problem, options, workers(), limits, observer);
}

std::vector<WorkerTimes> Executor::solve_boards(std::vector<BoardJob> jobs,
                                                const BatchOptions& options, const Limits& limits,
                                                const BoardDone& done) {
  WorkerTimes times;
  for (const BoardJob& job : jobs) {
    if (limits.is_interrupted()) break;
    const Stopwatch watch;
    BoardOutcome outcome = solve_board(job, options, limits);
    times.search += watch.seconds();
    done(std::move(outcome));
  }
  return {times};
}

void SerialExecutor::begin(const Problem& problem) {
  search_ = make_subtree_search(problem);
  pace_ = {};
  costs_ = {};
  metric_ = problem.metric;
  times_ = {};
}

namespace {

// One after another, subtrees are cut only so that what is finished can be reported.
constexpr double piece_seconds = 0.05;
constexpr double whole = std::numeric_limits<double>::infinity();

class SerialControl final : public SearchControl {
 public:
  SerialControl(Monitor& monitor, std::size_t items) : monitor_(monitor), items_(items) {}

  bool keep_going(const Counts& since_last) override {
    counts_ += since_last;
    if (!stop) stop = monitor_.check(counts_, done, items_);
    return !stop;
  }
  // The nearer the node limit, the oftener it is looked at; a node has about two successors.
  [[nodiscard]] std::uint64_t poll_interval() const override {
    return std::clamp<std::uint64_t>(monitor_.nodes_left(counts_) / 4, 1, usual_poll_interval);
  }

  std::optional<Stop> stop;
  std::size_t done = 0;

 private:
  Monitor& monitor_;
  std::size_t items_;
  Counts counts_;
};

}  // namespace

Execution SerialExecutor::execute(std::span<const WorkItem> items, const Task& task,
                                  Monitor& monitor) {
  const Stopwatch watch;
  Execution execution;
  execution.expanded.resize(items.size());
  SerialControl control(monitor, items.size());
  std::atomic<int> incumbent{no_bound};
  Stopwatch since_report;
  std::vector<FinishedSubtree> finished;
  Timeline timeline;
  timeline.start(task.trace_room);
  for (std::size_t i = 0; i < items.size() && !control.stop; ++i) {
    const auto begin = timeline.records() ? nanoseconds_now() : 0;
    if (task.independent) {
      OwnIdaStar outcome = own_ida_star(*search_, items[i].path, control, incumbent);
      execution.counts += outcome.counts;
      execution.expanded[i] = outcome.counts.expanded;
      for (const auto& [bound, counts] : outcome.by_bound) execution.by_bound[bound] += counts;
      if (outcome.found) {
        incumbent = solution_length(outcome.letters, metric_);
        execution.solution = FoundSolution{i, std::move(outcome.letters)};
      }
      ++control.done;
      timeline.note_since(begin, Activity::search, outcome.counts.expanded, static_cast<int>(i));
      continue;
    }
    SubtreeWalk walk(*search_, costs_, items[i], task.bound, task.mode, task.growth);
    while (!walk.over() && !control.stop) {
      const Stopwatch piece;
      const std::uint64_t before = walk.counts().expanded;
      walk.step(task.report_seconds > 0 ? pace_.nodes_in(piece_seconds) : whole, control);
      pace_.note(static_cast<double>(walk.counts().expanded - before), piece.seconds());
      if (task.report_seconds > 0 && since_report.seconds() > task.report_seconds) {
        walk.take_finished(finished);
        monitor.subtrees_finished(std::exchange(finished, {}));
        since_report.lap();
      }
    }
    if (task.report_seconds > 0) walk.take_finished(finished);
    if (walk.counts().solutions > 0 && !execution.solved) execution.solved = walk.solved();
    execution.counts += walk.counts();
    execution.expanded[i] = walk.counts().expanded;
    execution.next_bound = std::min(execution.next_bound, walk.next_bound());
    ++control.done;
    timeline.note_since(begin, Activity::search, walk.counts().expanded, static_cast<int>(i));
    if (walk.found()) {
      timeline.note_moment(Activity::solution);
      execution.solution = FoundSolution{i, walk.solution()};
      break;
    }
  }
  if (control.stop) monitor.subtrees_finished(finished);
  execution.stop = control.stop;
  execution.wall_seconds = execution.search_seconds = watch.seconds();
  times_.search += execution.search_seconds;
  execution.figures.dealt = items.size();
  execution.figures.searched = control.done;
  execution.figures.expanded = execution.counts.expanded;
  execution.figures.seconds = execution.figures.search_seconds = execution.wall_seconds;
  if (timeline.records()) execution.tracks.push_back(timeline.take(0, Track::main_thread));
  return execution;
}

}  // namespace tessera
