// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

namespace tessera {

/// A thread a connection, up to a number; what comes beyond waits. Threads rather than a pool of a
/// few, because a page that follows a search keeps its connection, and a slow client its own.
class Connections {
 public:
  explicit Connections(std::size_t most) : most_(most) {}

  void enqueue(std::function<void()> connection);
  /// Waits a moment; threads that sit in a slow client's connection are left behind.
  void shutdown();

 private:
  struct State {
    std::mutex mutex;
    std::condition_variable ended;
    std::deque<std::function<void()>> waiting;
    std::size_t threads = 0;
    bool stopped = false;
  };
  static void work(const std::shared_ptr<State>& state, std::function<void()> connection);

  std::size_t most_;
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace tessera
