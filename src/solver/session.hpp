// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

#include "base/failure.hpp"
#include "base/threads.hpp"
#include "search/observer.hpp"
#include "solver/board_solver.hpp"

namespace tessera {

/// A solvable board of a session and what is decided about it.
struct SessionTask : BoardTask {
  SearchOptions options;
  Plan plan;
};

/// A board that a session solves. The functions are called by the thread that works on it, one at
/// a time; one of the last three is the last.
class SessionBoard : public Observer {
 public:
  explicit SessionBoard(SessionTask task) : task_(std::move(task)) {}

  [[nodiscard]] const SessionTask& task() const { return task_; }
  /// May be called by any thread.
  void stop() { stopped_ = true; }
  [[nodiscard]] const std::atomic<bool>& stopped() const { return stopped_; }

  /// Whether it is still wanted; asked while its tables are built.
  [[nodiscard]] virtual bool may_continue() { return !stopped_; }
  /// Missing tables are being built, up to this fraction.
  virtual void tables_made(double /*fraction*/) {}
  virtual void search_begins() {}
  /// By default searches the board once.
  virtual SearchResult search(BoardSolver& solver, const Limits& limits) {
    return solver.search(task_.plan, task_.board, task_.goal, limits, *this);
  }
  /// By one thread alone, or by all workers.
  virtual void ended(BoardOutcome outcome, bool alone) = 0;
  /// `setup_seconds`: for which its tables were built, or waited for.
  virtual void stopped_unsearched(Stop why, double setup_seconds) = 0;
  virtual void failed(const Failure& failure) = 0;

 private:
  friend class SolverSession;
  const SessionTask task_;
  std::atomic<bool> stopped_{false};
  bool is_hard_ = false;  // for one thread
  double seconds_ = 0;    // of work so far
};

/// Boards that are solved as they come, each with its own options, until it is closed. Threads of
/// the session solve easy boards, one each; the others, and those whose tables must be built, are
/// for whoever calls `next` and `solve`. All functions may be called from any thread.
class SolverSession {
 public:
  struct Options {
    int threads = 0;                      ///< that each solve an easy board
    std::uint64_t large_build_bytes = 0;  ///< larger tables are built one at a time
    std::optional<std::chrono::steady_clock::time_point> deadline = {};  ///< of all boards
  };
  explicit SolverSession(Options options);

  void add(std::shared_ptr<SessionBoard> board);
  /// Stops a board. True if it was waiting: it has ended now.
  bool cancel(const std::shared_ptr<SessionBoard>& board);
  /// No further boards will come.
  void close();
  [[nodiscard]] std::size_t waiting();

  /// Waits for a board that needs all workers. Null if `ending` ended the wait, or the session is
  /// closed and all boards have ended.
  [[nodiscard]] std::shared_ptr<SessionBoard> next(const std::stop_token& ending = {});
  /// Solves it with its own options, or prepares its tables for the threads. False if it failed.
  /// Throws JobFailed.
  bool solve(const std::shared_ptr<SessionBoard>& board, BoardSolver& solver);
  /// Instead of `solve`, in a catch block: the board fails with that exception.
  void fail(const std::shared_ptr<SessionBoard>& board);

 private:
  using Queue = std::deque<std::shared_ptr<SessionBoard>>;

  [[nodiscard]] Limits limits_of(const SessionBoard& board) const;
  [[nodiscard]] bool is_for_threads(const SessionTask& task) const;
  void put(Queue& queue, std::shared_ptr<SessionBoard> board);
  [[nodiscard]] std::shared_ptr<SessionBoard> take(Queue& queue, const std::stop_token& ending);
  void finished();
  void work(const std::stop_token& ending);
  [[nodiscard]] bool prepare(SessionBoard& board, BoardSolver& solver, const Limits& limits);

  const Options options_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  Queue easy_;  // for the threads
  Queue hard_;  // for all workers
  std::size_t unfinished_ = 0;
  bool closed_ = false;
  std::mutex large_builds_;
  Threads threads_;  // last: they end before what they use
};

}  // namespace tessera
