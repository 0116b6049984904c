// SPDX-License-Identifier: MIT
#include "threads/threads_executor.hpp"

#include "base/clock.hpp"
#include "search/limits.hpp"
#include "threads/board_pool.hpp"

namespace tessera {

Execution ThreadsExecutor::execute(std::span<const WorkItem> items, const Task& task,
                                   Monitor& monitor) {
  using namespace std::chrono_literals;
  const Stopwatch watch;
  pool_.start(task, monitor.nodes_left({}));
  pool_.add(pooled(items));
  std::optional<Stop> stop;
  ReportTimer timer(task.report_seconds);
  while (true) {
    const SubtreePool::Status status = pool_.status();
    const Round& figures = status.figures;
    if (figures.solutions_seen > 0 || status.failed) break;
    // Before the next check: subtrees that the limit cut count as completed, too.
    if (status.spent) {
      stop = Stop::node_limit;
      break;
    }
    if (figures.completed == figures.created) break;
    stop =
        monitor.check({figures.expanded, figures.generated, 0}, figures.completed, figures.created);
    if (stop) break;
    if (timer.ask()) pool_.ask_finished();
    if (timer.due()) monitor.subtrees_finished(pool_.take_finished());
    pool_.wait(5ms);
  }
  Timeline timeline;
  timeline.start(task.trace_room);
  timeline.note_moment(
      Activity::over, 0,
      static_cast<int>(stop                                        ? Ending::stopped
                       : pool_.status().figures.solutions_seen > 0 ? Ending::solution
                                                                   : Ending::exhausted));
  pool_.stop();
  pool_.quiesce();
  timeline.note_since(nanoseconds(watch.start()), Activity::attend);
  Execution execution = pool_.collect(items.size(), {.dealt = items.size()});
  if (stop) monitor.subtrees_finished(execution.finished);
  execution.tracks = pool_.take_tracks(0);
  if (timeline.records()) execution.tracks.push_back(timeline.take(0, Track::main_thread));
  execution.stop = stop;
  execution.wall_seconds = execution.figures.seconds = watch.seconds();
  return execution;
}

std::vector<WorkerTimes> ThreadsExecutor::solve_boards(std::vector<BoardJob> jobs,
                                                       const BatchOptions& options,
                                                       const Limits& limits,
                                                       const BoardDone& done) {
  using namespace std::chrono_literals;
  const Stopwatch watch;
  std::size_t left = jobs.size();
  BoardPool boards(pool_.threads(), options, limits);
  boards.add(std::move(jobs));
  while (left > 0) {
    for (BoardOutcome& outcome : boards.take_done(10ms)) {
      --left;
      done(std::move(outcome));
    }
    // Running ones end by themselves.
    if (limits.is_interrupted()) left -= boards.drop_waiting();
  }
  return times_of_workers({boards.search_seconds()}, watch.seconds());
}

}  // namespace tessera
