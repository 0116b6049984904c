// SPDX-License-Identifier: MIT
#include <exception>
#include <optional>
#include <tessera/solver.hpp>
#include <utility>

#include "base/clock.hpp"
#include "base/memory_limit.hpp"
#include "puzzle/goal.hpp"
#include "solver/interface/solver_impl.hpp"
#include "solver/interface/translate.hpp"
#include "solver/memory.hpp"

namespace tessera::api {

/// Passes events on to the user's functions. What one of them throws stops the search and is thrown
/// at its end: searches on threads and ranks end in an orderly way first.
class Watcher final : public tessera::Observer {
 public:
  /// `boards`: of a batch; 0: one board.
  Watcher(const api::Observer& user, std::atomic<bool>& halted, std::size_t boards)
      : user_(user),
        halted_(halted),
        boards_(boards),
        stop_(user.stop, [&halted] { halted = true; }) {}

  /// Of a batch.
  void board_done(std::size_t board, const Result& result) {
    call(user_.result, board, result);
    ++boards_done_;
    report_batch();
  }
  /// False if tables are no longer wanted.
  [[nodiscard]] bool tables(double done) {
    call(user_.progress, api::Progress{.building_tables = true, .done = done});
    return !halted_;
  }
  void progress(const tessera::Progress& now) override {
    constexpr double least_pause = 0.005;  // seconds
    if (since_ && since_->seconds() < least_pause) return;
    since_.emplace();
    if (boards_ > 0) return report_batch();
    last_.done =
        now.items == 0 ? 0 : static_cast<double>(now.items_done) / static_cast<double>(now.items);
    last_.bound = now.bound;
    last_.nodes = {now.counts.expanded, now.counts.generated};
    call(user_.progress, last_);
  }
  void beam_progress(const BeamProgress& now) override {
    if (boards_ > 0) return report_batch();
    last_.evaluated = now.evaluated;
    call(user_.progress, last_);
  }
  void iteration_finished(const IterationReport& report) override {
    if (boards_ == 0) call(user_.iteration, public_iteration(report));
  }
  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

  [[nodiscard]] static Iteration public_iteration(const IterationReport& report) {
    return {.bound = report.bound,
            .expanded = report.counts.expanded,
            .generated = report.counts.generated,
            .seconds = report.seconds,
            .complete = report.complete};
  }

 private:
  void report_batch() {
    call(user_.progress,
         api::Progress{.done = static_cast<double>(boards_done_) / static_cast<double>(boards_)});
  }
  template <class Function, class... Facts>
  void call(const Function& function, const Facts&... facts) {
    if (!function || thrown_) return;
    try {
      function(facts...);
    } catch (...) {
      thrown_ = std::current_exception();
      halted_ = true;
    }
  }

  const api::Observer& user_;
  std::atomic<bool>& halted_;
  std::exception_ptr thrown_;
  api::Progress last_;              // of one board
  std::optional<Stopwatch> since_;  // the last report
  const std::size_t boards_;
  std::size_t boards_done_ = 0;
  std::stop_callback<std::function<void()>> stop_;
};

Solver::Impl::Impl(Options options, std::vector<RankPlace> places, Backend* ranks)
    : options_(std::move(options)),
      search_(search_options(options_, static_cast<int>(places.size()))),
      workers_(choose_workers(search_, std::move(places))),
      own_(workers_.backend == BackendKind::mpi ? nullptr : local_backend(workers_)),
      solver_(search_, workers_, own_ ? *own_ : *ranks) {}

Solver::Impl::Task Solver::Impl::task_of(const Board& board, std::size_t boards) const {
  Task task;
  task.start = internal(board);
  task.goal = goal_board(options_.goal, task.start.size());
  task.solvable = tessera::solvable(task.start, task.goal);
  task.plan = make_plan(search_, task.goal, boards, &task.start);
  expect_searchable(search_, task.plan, task.start, task.goal);
  expect_memory(search_, workers_, task.plan.table_bytes);
  return task;
}

Result Solver::Impl::unsearched(const Task& task) {
  Result result;
  result.heuristic = task.plan.heuristic.name;
  result.status = task.solvable ? Status::stopped : Status::unsolvable;
  return result;
}

Result Solver::Impl::result_of(const Task& task, SearchResult found) const {
  Result result = unsearched(task);
  result.status = !found.stop                       ? Status::solved
                  : found.stop == Stop::interrupted ? Status::stopped
                  : found.stop == Stop::memory      ? Status::memory
                                                    : Status::limit;
  result.lower_bound = found.bound;
  result.nodes = {found.counts.expanded, found.counts.generated};
  for (const IterationReport& report : found.iterations) {
    result.iterations.push_back(Watcher::public_iteration(report));
  }
  result.seconds = found.seconds;
  result.setup_seconds = found.setup_seconds;
  const auto length = verify(found, task.plan, task.start, task.goal, search_.metric);
  if (!length) return result;
  result.moves = std::move(*found.solution);
  result.length = result.upper_bound = *length;
  result.optimal = found.optimal;
  if (found.optimal) result.lower_bound = result.length;
  if (search_.counts_all()) result.solutions = found.solution_count;
  if (found.list) {
    result.all_moves = std::move(found.list->solutions);
    for (const FirstMove& move : found.list->first_moves) {
      result.good_moves[move.letters] = move.solutions;
    }
  }
  return result;
}

Limits Solver::Impl::limits() const {
  return {.nodes = search_.node_limit, .interrupted = &halted_};
}

template <class Work>
auto Solver::Impl::run(const Observer& observer, std::size_t boards, const Work& work) {
  if (busy_.exchange(true)) {
    throw Error(ErrorKind::input, "this Solver is solving already, expected one call at a time");
  }
  const std::unique_ptr<std::atomic<bool>, void (*)(std::atomic<bool>*)> turn(
      &busy_, [](std::atomic<bool>* busy) { *busy = false; });
  halted_ = false;
  if (ended_) halted_ = true;  // after: stop() sets `ended_` first
  const LimitedMemory limited({.bytes = options_.memory, .processes = workers_.ranks()});
  Watcher watcher(observer, halted_, boards);
  auto results = translated([&] {
    try {
      return work(watcher);
    } catch (...) {
      solver_.forget_tables();
      throw;
    }
  });
  watcher.rethrow();
  return results;
}

Result Solver::Impl::search(const Task& task, Watcher& watcher) {
  const Stopwatch watch;
  if (!solver_.prepare(task.plan, {[&](double done) { return watcher.tables(done); }})) {
    return unsearched(task);
  }
  const double tables = watch.seconds();
  Result result = result_of(
      task, solver_.search(task.plan, task.start, task.goal,
                           limits().for_board(search_.board_time_limit, task.spent), watcher));
  result.setup_seconds += tables;
  return result;
}

void Solver::Impl::solve_side_by_side(std::vector<Task>& tasks,
                                      std::vector<std::optional<Result>>& done, Watcher& watcher) {
  std::vector<BoardJob> jobs;
  std::uint64_t most_bytes = 0;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const Task& task = tasks[i];
    if (!task.solvable) continue;
    const auto may_continue = [&](double part) { return watcher.tables(part); };
    if (halted_ || !solver_.prepare(task.plan, {may_continue})) return;
    most_bytes = std::max(most_bytes, task.plan.table_bytes);
    jobs.push_back(
        {static_cast<std::uint32_t>(i), problem_of(search_, task.plan, task.start, task.goal)});
  }
  const BatchOptions batch = batch_options(search_, workers_, most_bytes);
  (void)solver_.backend().solve_boards(std::move(jobs), batch, limits(), [&](BoardOutcome outcome) {
    const std::size_t i = outcome.index;
    tasks[i].spent = outcome.wall_seconds;
    if (outcome.too_hard) return;
    done[i] = result_of(tasks[i], std::move(outcome.result));
    watcher.board_done(i, *done[i]);
  });
}

std::vector<Result> Solver::Impl::solve(std::span<const Board> boards, Watcher& watcher) {
  std::vector<Task> tasks;
  for (const Board& board : boards) {
    tasks.push_back(halted_ ? Task{} : task_of(board, boards.size()));
  }
  std::vector<std::optional<Result>> done(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i].solvable) continue;
    done[i] = unsearched(tasks[i]);
    watcher.board_done(i, *done[i]);
  }
  if (solver_.is_batch(tasks.size())) solve_side_by_side(tasks, done, watcher);
  std::vector<Result> ordered;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (!done[i] && !halted_) {
      Task& task = tasks[i];
      if (tasks.size() > 1) {
        task.plan = plan_alone(search_, std::move(task.plan), task.start, task.goal);
      }
      done[i] = search(task, watcher);
      watcher.board_done(i, *done[i]);
    }
    ordered.push_back(done[i] ? std::move(*done[i]) : unsearched(tasks[i]));
  }
  return ordered;
}

Solver::Solver(Options options)
    : impl_(translated([&] {
        std::vector<RankPlace> places{local_place(options.threads)};
        return std::make_unique<Impl>(std::move(options), std::move(places), nullptr);
      })) {}
Solver::Solver(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

Result Solver::solve(const Board& board, const Observer& observer) {
  return impl_->run(observer, 0, [&](Watcher& watcher) {
    const Impl::Task task = impl_->task_of(board, 1);
    return task.solvable ? impl_->search(task, watcher) : Impl::unsearched(task);
  });
}
std::vector<Result> Solver::solve(std::span<const Board> boards, const Observer& observer) {
  return impl_->run(observer, boards.size(),
                    [&](Watcher& watcher) { return impl_->solve(boards, watcher); });
}
Plan Solver::plan(const Board& board) const {
  return translated([&] {
    const tessera::Plan plan = impl_->task_of(board, 1).plan;
    return Plan{.heuristic = plan.heuristic.name,
                .advice = plan.heuristic.advice,
                .prune = to_string(plan.prune),
                .table_bytes = plan.table_bytes,
                .memory_bytes = search_memory(impl_->search_, impl_->workers_, plan),
                .ranks = impl_->workers_.ranks(),
                .threads = impl_->workers_.threads()};
  });
}
void Solver::stop() noexcept {
  impl_->ended_ = true;
  impl_->halted_ = true;
}
const Options& Solver::options() const noexcept {
  return impl_->options_;
}

std::string Plan::text() const {
  return plan_text(heuristic, table_bytes, memory_bytes);
}

std::string_view to_string(Status status) {
  constexpr std::string_view names[] = {"solved", "unsolvable", "limit", "stopped", "memory"};
  return names[static_cast<std::size_t>(status)];
}

}  // namespace tessera::api
