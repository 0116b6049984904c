// SPDX-License-Identifier: MIT
#pragma once

#include <httplib.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

namespace tessera {

/// A thread a connection, up to a number; what comes beyond waits. Threads rather than a pool of a
/// few, because a page that follows a search keeps its connection, and a slow client its own.
class Connections final : public httplib::TaskQueue {
 public:
  /// `server` is kept as long as a thread may still use it.
  Connections(std::size_t most, std::shared_ptr<void> server);

  void enqueue(std::function<void()> connection) override;
  /// Waits a moment; threads that sit in a slow client's connection are left behind.
  void shutdown() override;

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
  std::shared_ptr<void> server_;
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace tessera
