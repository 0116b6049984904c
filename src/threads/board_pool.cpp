// SPDX-License-Identifier: MIT
#include "threads/board_pool.hpp"

#include <utility>

#include "base/clock.hpp"

namespace tessera {

BoardPool::BoardPool(int threads, BatchOptions options, const Limits& limits)
    : options_(std::move(options)),
      limits_{.deadline = limits.deadline, .nodes = limits.nodes, .interrupted = &over_},
      stop_(limits.interrupted),
      seconds_(static_cast<std::size_t>(threads)),
      threads_(
          threads,
          [this](int number, const std::stop_token& ending) {
            work(static_cast<std::size_t>(number), ending);
          },
          [this] {
            over_ = true;
            drop_waiting();
          }) {}

void BoardPool::add(std::vector<BoardJob> jobs) {
  {
    const std::lock_guard lock(mutex_);
    for (BoardJob& job : jobs) waiting_.push_back(std::move(job));
  }
  work_came_.notify_all();
}

std::size_t BoardPool::waiting() {
  const std::lock_guard lock(mutex_);
  return waiting_.size();
}

std::vector<BoardOutcome> BoardPool::take_done(std::chrono::microseconds most) {
  if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) over_ = true;
  std::unique_lock lock(mutex_);
  done_came_.wait_for(lock, most, [&] { return !done_.empty() || failure_; });
  if (failure_) std::rethrow_exception(failure_);
  return std::exchange(done_, {});
}

std::vector<double> BoardPool::search_seconds() {
  const std::lock_guard lock(mutex_);
  return seconds_;
}

std::size_t BoardPool::drop_waiting() {
  const std::lock_guard lock(mutex_);
  const std::size_t dropped = waiting_.size();
  waiting_.clear();
  return dropped;
}

void BoardPool::work(std::size_t self, const std::stop_token& ending) {
  while (true) {
    BoardJob job;
    {
      std::unique_lock lock(mutex_);
      if (!work_came_.wait(lock, ending, [&] { return !waiting_.empty(); })) return;
      job = std::move(waiting_.front());
      waiting_.pop_front();
    }
    const Stopwatch watch;
    BoardOutcome outcome;
    std::exception_ptr failure;
    try {
      outcome = solve_board(job, options_, limits_);
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    seconds_[self] += watch.seconds();
    if (failure) failure_ = failure;
    else done_.push_back(std::move(outcome));
    if (done_.size() == 1 || failure_) done_came_.notify_one();
  }
}

}  // namespace tessera
