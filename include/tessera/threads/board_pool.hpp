// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "tessera/search/backend.hpp"

namespace tessera {

/// Threads that solve boards, each its own: for many boards that are too easy to be cut. One
/// coordinating thread calls the public functions.
class BoardPool {
 public:
  /// `limits.interrupted` is looked at by `take_done`.
  BoardPool(int threads, BatchOptions options, Limits limits);
  /// Stops the boards under way, whose outcomes are lost.
  ~BoardPool();

  /// Adds boards, which are taken in this order.
  void add(std::vector<BoardJob> jobs);
  /// Boards that no thread has begun.
  [[nodiscard]] std::size_t waiting();
  /// What is done since the last call; waits for something at most so long. Throws what a thread
  /// threw.
  [[nodiscard]] std::vector<BoardOutcome> take_done(std::chrono::microseconds most);
  /// Seconds in searches, by thread.
  [[nodiscard]] std::vector<double> search_seconds();
  /// Drops the boards that wait; how many.
  std::size_t drop_waiting();

 private:
  void work(std::size_t self, const std::stop_token& ending);

  BatchOptions options_;
  Limits limits_;
  const std::atomic<bool>* stop_;
  std::atomic<bool> over_{false};  // ends the boards under way
  std::mutex mutex_;
  std::condition_variable_any work_came_;
  std::condition_variable done_came_;
  std::deque<BoardJob> waiting_;
  std::vector<BoardOutcome> done_;
  std::vector<double> seconds_;
  std::exception_ptr failure_;
  std::vector<std::jthread> threads_;  // the first to be destroyed: they end then
};

}  // namespace tessera
