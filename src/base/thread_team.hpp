// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <vector>

#include "base/threads.hpp"

namespace tessera {

/// Threads that repeatedly do the same work together; the caller is one of them, thread 0.
class ThreadTeam {
 public:
  explicit ThreadTeam(int threads);

  [[nodiscard]] int threads() const { return static_cast<int>(failures_.size()); }
  /// Calls `work(thread)` on every thread and waits for all. Rethrows one of their exceptions.
  void run(const std::function<void(int)>& work);
  /// Calls `work(item, thread)` for each item; free threads take the next one. The caller works too
  /// and calls `meanwhile` after each of its items; it does up to four items alone. Items come in
  /// order, or as `next` returns them, which returns `items` or more when none is left.
  void share(std::size_t items, const std::function<void(std::size_t, int)>& work,
             const std::function<void()>& meanwhile = {}, std::function<std::size_t()> next = {});

 private:
  void serve(int thread);

  const std::function<void(int)>* work_ = nullptr;
  std::atomic<unsigned> round_{0};
  std::atomic<int> busy_{0};
  std::atomic<bool> over_{false};
  std::vector<std::exception_ptr> failures_;  // by thread
  Threads others_;                            // last: they end before what they use
};

}  // namespace tessera
