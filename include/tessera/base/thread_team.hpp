// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace tessera {

/// Threads that do one thing together, again and again; the caller is the first of them.
class ThreadTeam {
 public:
  explicit ThreadTeam(int threads);
  ~ThreadTeam();

  [[nodiscard]] int threads() const { return static_cast<int>(others_.size()) + 1; }
  /// Calls `work(thread)` on every thread and returns when all have. Throws what one of them threw.
  void run(const std::function<void(int)>& work);
  /// Calls `work(item, thread)` for each item, whoever is free taking the next one. The caller
  /// calls `meanwhile` between its items. A few items stay with the caller. Items come in order, or
  /// as `next` says, which returns `items` or more when none is left.
  void share(std::size_t items, const std::function<void(std::size_t, int)>& work,
             const std::function<void()>& meanwhile = {}, std::function<std::size_t()> next = {});

 private:
  void serve(int thread);

  std::vector<std::jthread> others_;
  const std::function<void(int)>* work_ = nullptr;
  std::atomic<unsigned> round_{0};
  std::atomic<int> busy_{0};
  std::atomic<bool> over_{false};
  std::vector<std::exception_ptr> failures_;
};

}  // namespace tessera
