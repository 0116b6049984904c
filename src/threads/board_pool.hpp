// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <vector>

#include "base/threads.hpp"
#include "search/backend.hpp"

namespace tessera {

/// Threads that each solve their own board: for many boards that are too easy to be cut. One
/// coordinating thread calls the public functions.
class BoardPool {
 public:
  /// `take_done` checks `limits.interrupted`.
  /// The destructor stops the boards in progress, whose outcomes are lost.
  BoardPool(int threads, BatchOptions options, const Limits& limits);

  /// Adds boards, which are started in this order.
  void add(std::vector<BoardJob> jobs);
  /// The number of boards that no thread has started.
  [[nodiscard]] std::size_t waiting();
  /// The outcomes since the last call; waits at most `most` for the first. Rethrows what a thread
  /// threw.
  [[nodiscard]] std::vector<BoardOutcome> take_done(std::chrono::microseconds most);
  /// Seconds spent in searches, by thread.
  [[nodiscard]] std::vector<double> search_seconds();
  /// Drops the waiting boards; returns their number.
  std::size_t drop_waiting();

 private:
  void work(std::size_t self, const std::stop_token& ending);

  BatchOptions options_;
  Limits limits_;
  const std::atomic<bool>* stop_;
  std::atomic<bool> over_{false};  // ends the boards in progress
  std::mutex mutex_;
  std::condition_variable_any work_came_;
  std::condition_variable done_came_;
  std::deque<BoardJob> waiting_;
  std::vector<BoardOutcome> done_;
  std::vector<double> seconds_;
  std::exception_ptr failure_;
  Threads threads_;  // last: they end before what they use
};

}  // namespace tessera
