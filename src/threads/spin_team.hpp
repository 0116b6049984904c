// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

namespace tessera {

/// Threads that do parts of something that takes less than waking a thread would: they spin until
/// the next comes, and give their CPU away when nothing came for a while.
class SpinTeam {
 public:
  /// The caller is member 0, the others are threads of the team's own.
  explicit SpinTeam(int members) {
    for (int member = 1; member < members; ++member) {
      threads_.emplace_back([this, member] { serve(member); });
    }
  }
  ~SpinTeam() {
    ending_ = true;
    round_.fetch_add(1, std::memory_order_release);
  }
  SpinTeam(const SpinTeam&) = delete;
  SpinTeam& operator=(const SpinTeam&) = delete;

  [[nodiscard]] int members() const { return static_cast<int>(threads_.size()) + 1; }

  /// Calls `work` once with each member's number and returns when all are through. It must not
  /// throw.
  void run(const std::function<void(int)>& work) {
    work_ = &work;
    left_.store(static_cast<int>(threads_.size()), std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    work(0);
    for (int turn = 0; left_.load(std::memory_order_acquire) > 0; ++turn) rest(turn);
  }

 private:
  static void rest(int turn) {
    constexpr int spins = 200;
    if (turn > spins) std::this_thread::yield();
  }

  void serve(int member) {
    for (unsigned seen = 0;; ++seen) {
      for (int turn = 0; round_.load(std::memory_order_acquire) == seen; ++turn) rest(turn);
      if (ending_) return;
      (*work_)(member);
      left_.fetch_sub(1, std::memory_order_release);
    }
  }

  const std::function<void(int)>* work_ = nullptr;
  std::atomic<unsigned> round_{0};
  std::atomic<int> left_{0};
  std::atomic<bool> ending_{false};
  std::vector<std::jthread> threads_;
};

}  // namespace tessera
