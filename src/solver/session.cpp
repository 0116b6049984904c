// SPDX-License-Identifier: MIT
#include "solver/session.hpp"

#include <algorithm>
#include <thread>

#include "base/clock.hpp"
#include "solver/tables.hpp"

namespace tessera {
namespace {

bool has_tables(const SessionTask& task) {
  return is_ready(requests_of(task.plan), task.options.table_directory);
}

bool is_large(const std::vector<TableRequest>& tables, std::uint64_t bytes) {
  return std::ranges::any_of(
      tables, [&](const TableRequest& table) { return table.cost.build_bytes >= bytes; });
}

}  // namespace

SolverSession::SolverSession(Options options)
    : options_(options),
      threads_(options.threads, [this](int, const std::stop_token& ending) { work(ending); }) {}

Limits SolverSession::limits_of(const SessionBoard& board) const {
  const SearchOptions& options = board.task().options;
  return Limits{
      .deadline = options_.deadline, .nodes = options.node_limit, .interrupted = &board.stopped()}
      .for_board(options.board_time_limit, board.seconds_);
}

bool SolverSession::is_for_threads(const SessionTask& task) const {
  return options_.threads > 0 && may_batch(task.options);
}

void SolverSession::add(std::shared_ptr<SessionBoard> board) {
  const bool easy = is_for_threads(board->task()) && has_tables(board->task());
  {
    const std::lock_guard lock(mutex_);
    ++unfinished_;
  }
  put(easy ? easy_ : hard_, std::move(board));
}

void SolverSession::put(Queue& queue, std::shared_ptr<SessionBoard> board) {
  const std::lock_guard lock(mutex_);
  queue.push_back(std::move(board));
  changed_.notify_all();
}

bool SolverSession::cancel(const std::shared_ptr<SessionBoard>& board) {
  board->stop();
  {
    const std::lock_guard lock(mutex_);
    if (std::erase(easy_, board) + std::erase(hard_, board) == 0) return false;
  }
  board->stopped_unsearched(Stop::interrupted, 0);
  finished();
  return true;
}

void SolverSession::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

std::size_t SolverSession::waiting() {
  const std::lock_guard lock(mutex_);
  return easy_.size() + hard_.size();
}

void SolverSession::finished() {
  const std::lock_guard lock(mutex_);
  if (--unfinished_ == 0) changed_.notify_all();
}

std::shared_ptr<SessionBoard> SolverSession::take(Queue& queue, const std::stop_token& ending) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, ending, [&] { return !queue.empty() || (closed_ && unfinished_ == 0); });
  if (ending.stop_requested() || queue.empty()) return nullptr;
  std::shared_ptr<SessionBoard> board = std::move(queue.front());
  queue.pop_front();
  return board;
}

std::shared_ptr<SessionBoard> SolverSession::next(const std::stop_token& ending) {
  return take(hard_, ending);
}

void SolverSession::work(const std::stop_token& ending) {
  const Workers threads{BackendKind::threads, {local_place(options_.threads)}};
  while (const std::shared_ptr<SessionBoard> board = take(easy_, ending)) {
    const SessionTask& task = board->task();
    try {
      const BoardJob job{0, problem_of(task.options, task.plan, task.board, task.goal)};
      BatchOptions batch = batch_options(task.options, threads, task.plan.table_bytes);
      batch.time_limit = {};  // the limits have it
      BoardOutcome outcome = solve_board(job, batch, limits_of(*board));
      if (outcome.too_hard) {
        board->is_hard_ = true;
        board->seconds_ += outcome.wall_seconds;
        put(hard_, board);
        continue;
      }
      board->ended(std::move(outcome), true);
    } catch (...) {
      fail(board);
      continue;
    }
    finished();
  }
}

void SolverSession::fail(const std::shared_ptr<SessionBoard>& board) {
  board->failed(current_failure());
  finished();
}

bool SolverSession::solve(const std::shared_ptr<SessionBoard>& board, BoardSolver& solver) {
  const SessionTask& task = board->task();
  solver.set_options(task.options);
  // The limit covers the time for building tables and waiting for them.
  const Limits limits = limits_of(*board);
  try {
    const Stopwatch watch;
    if (!prepare(*board, solver, limits)) {
      board->stopped_unsearched(limits.reached(0).value_or(Stop::interrupted), watch.seconds());
    } else if (!board->is_hard_ && is_for_threads(task)) {
      board->seconds_ += watch.seconds();
      put(easy_, board);
      return true;
    } else {
      const double setup_seconds = watch.seconds();
      board->search_begins();
      BoardOutcome outcome;
      const Stopwatch search;
      outcome.result = board->search(solver, limits);
      outcome.wall_seconds = search.seconds();
      outcome.end = Stopwatch::Clock::now().time_since_epoch();
      outcome.result.setup_seconds += setup_seconds;
      board->ended(std::move(outcome), false);
    }
  } catch (const JobFailed&) {
    throw;
  } catch (...) {
    solver.forget_tables();
    fail(board);
    return false;
  }
  finished();
  return true;
}

bool SolverSession::prepare(SessionBoard& board, BoardSolver& solver, const Limits& limits) {
  const SessionTask& task = board.task();
  // The search checks the limits itself, and reports what is known of the board.
  if (solver.is_prepared(task.plan)) return true;
  const auto may_continue = [&] { return board.may_continue() && !limits.reached(0); };
  if (!may_continue()) return false;
  const bool builds = !has_tables(task);
  std::unique_lock<std::mutex> large;  // held while a large table is built
  if (builds) {
    board.tables_made(0);
    if (is_large(requests_of(task.plan), options_.large_build_bytes)) {
      large = std::unique_lock(large_builds_, std::defer_lock);
      while (!large.try_lock()) {
        if (!may_continue()) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
      }
    }
    solver.forget_tables();
  }
  const auto report = [&](double done) {
    if (builds) board.tables_made(done);
    return may_continue();
  };
  return solver.prepare(task.plan, {report});
}

}  // namespace tessera
