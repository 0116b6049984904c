// SPDX-License-Identifier: MIT
#include "search/tree/serial_executor.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>

#include "base/clock.hpp"
#include "puzzle/metric.hpp"

namespace tessera {
namespace {

// Serially, subtrees are cut only so that finished parts can be reported.
constexpr double piece_seconds = 0.05;
constexpr double whole = std::numeric_limits<double>::infinity();

}  // namespace

// One execution.
class SerialExecutor::Run final : public SearchControl {
 public:
  Run(SerialExecutor& executor, std::span<const WorkItem> items, const Task& task, Monitor& monitor)
      : executor_(executor), items_(items), task_(task), monitor_(monitor) {
    execution_.expanded.resize(items.size());
    timeline_.start(task.trace_room);
  }

  Execution execute() {
    for (std::size_t i = 0; i < items_.size() && !ended(); ++i) {
      const auto begin = timeline_.records() ? nanoseconds_now() : 0;
      Execution found = task_.independent ? independent_ida_star(*executor_.search_, i,
                                                                 items_[i].path, *this, incumbent_)
                                          : search_to_the_bound(i);
      ++done_;
      execution_.expanded[i] = found.counts.expanded;
      timeline_.note_since(begin, Activity::search, execution_.expanded[i], static_cast<int>(i));
      execution_.add(std::move(found), executor_.metric_);
      if (!execution_.solution) continue;
      if (!task_.independent) {
        timeline_.note_moment(Activity::solution);
        break;
      }
      incumbent_ = solution_length(execution_.solution->letters, executor_.metric_);
    }
    if (stop_) monitor_.subtrees_finished(execution_.finished);
    execution_.given_up = gives_up_ && !execution_.solution && (done_ < items_.size() || cut_);
    sum_up();
    return std::move(execution_);
  }

  bool keep_going(const Counts& since_last) override {
    counts_ += since_last;
    if (!stop_) stop_ = monitor_.check(counts_, done_, items_.size());
    gives_up_ = !stop_ && counts_.expanded > executor_.most_;
    return !ended();
  }
  // Polls more often near the node limit; a node has about two successors.
  [[nodiscard]] std::uint64_t poll_interval() const override {
    return std::clamp<std::uint64_t>(monitor_.nodes_left(counts_) / 4, 1, default_poll_interval);
  }

 private:
  [[nodiscard]] bool ended() const { return stop_ || gives_up_; }

  Execution search_to_the_bound(std::size_t i) {
    const bool reports = task_.report_seconds > 0;
    SubtreeWalk walk(*executor_.search_, executor_.costs_, items_[i], task_.bound, task_.mode,
                     task_.growth);
    while (!walk.over() && !ended()) {
      const Stopwatch piece;
      const std::uint64_t before = walk.result().counts.expanded;
      walk.step(reports ? executor_.pace_.nodes_in(piece_seconds) : whole, *this);
      executor_.pace_.note(static_cast<double>(walk.result().counts.expanded - before),
                           piece.seconds());
      if (reports && since_report_.seconds() > task_.report_seconds) {
        walk.take_finished(execution_.finished);
        monitor_.subtrees_finished(std::exchange(execution_.finished, {}));
        since_report_.lap();
      }
    }
    if (reports) walk.take_finished(execution_.finished);
    cut_ = !walk.over() || walk.result().stopped;
    return outcome_of(walk, i);
  }

  void sum_up() {
    execution_.stop = stop_;
    execution_.wall_seconds = execution_.search_seconds = watch_.seconds();
    executor_.times_.search += execution_.search_seconds;
    WorkFigures& figures = execution_.figures;
    figures.dealt = items_.size();
    figures.searched = done_;
    figures.expanded = execution_.counts.expanded;
    figures.seconds = figures.search_seconds = execution_.wall_seconds;
    if (timeline_.records()) execution_.tracks.push_back(timeline_.take(0, Track::main_thread));
  }

  SerialExecutor& executor_;
  std::span<const WorkItem> items_;
  const Task& task_;
  Monitor& monitor_;
  Stopwatch watch_;
  Execution execution_;
  std::optional<Stop> stop_;
  bool gives_up_ = false;
  bool cut_ = false;  // the last subtree was not searched to its end
  std::size_t done_ = 0;
  Counts counts_;
  std::atomic<int> incumbent_{no_bound};
  Stopwatch since_report_;
  Timeline timeline_;
};

void SerialExecutor::begin(const Problem& problem) {
  search_ = make_subtree_search(problem);
  pace_ = {};
  costs_ = {};
  metric_ = problem.metric;
  times_ = {};
}

Execution SerialExecutor::execute(std::span<const WorkItem> items, const Task& task,
                                  Monitor& monitor) {
  return Run(*this, items, task, monitor).execute();
}

}  // namespace tessera
