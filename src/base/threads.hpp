// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <limits>
#include <stop_token>
#include <thread>
#include <vector>

namespace tessera {

/// How many threads may run at a time; tests set less, as if the system refused more.
inline int most_threads = std::numeric_limits<int>::max();

/// Threads that start and end together. Whatever needs threads has them from here, so that one that
/// the system refuses ends the others too and is reported in one way.
class Threads {
 public:
  /// `number` counts from 0. It must return soon after a stop is requested, or `wake` was called.
  using Work = std::function<void(int number, const std::stop_token& ending)>;

  /// Starts `count` threads. `wake` is called before they end, for work that waits for something
  /// else than the stop token. If the system refuses a thread, ends those that it allowed and
  /// throws Error(resource), which names the limit and how many threads fit.
  Threads(int count, Work work, std::function<void()> wake = {});
  ~Threads() { end(); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  /// Ends them all, and waits until they have.
  void end();

 private:
  Work work_;
  std::function<void()> wake_;
  std::vector<std::jthread> threads_;
};

}  // namespace tessera
