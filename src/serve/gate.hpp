// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "serve/arrival.hpp"

namespace tessera {

/// Where connections wait for their request to arrive, and after its answer for their client to
/// close. One thread looks after all of them, so that silent and slow clients hold no other; where
/// too many wait the one that is here longest has to go.
class Gate {
 public:
  /// `whole` gets the connection of a request that has arrived whole; it must not block.
  using Whole = std::function<void(int socket, std::string request)>;

  Gate(const ServeLimits& limits, Whole whole);
  ~Gate() { stop(); }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  /// A new connection; the gate closes it or passes it on.
  void enter(int socket);
  /// An answered one. Bytes that nobody has read would take the answer away from the client
  /// (a reset), so they are read until the client closes.
  void leave(int socket);
  /// Closes what still waits, and what comes.
  void stop();

 private:
  using Clock = std::chrono::steady_clock;
  struct Waiting {
    int socket;
    Arrival arrival;
    bool answered;
    Clock::time_point until;
  };

  void add(Waiting waiting);
  void wake() const;  // under the mutex
  void run(const std::stop_token& stop);
  void take_new();
  /// Whether it goes on waiting.
  bool look_at(Waiting& waiting, bool readable);
  static bool read_away(int socket);
  bool refuse(Waiting& waiting, const Arrival::Refusal& refusal) const;

  const ServeLimits& limits_;
  Whole whole_;
  std::mutex mutex_;
  bool stopped_ = false;
  int bell_;  // an eventfd that wakes the thread
  std::vector<Waiting> new_;
  std::vector<Waiting> waiting_;  // the thread's own, the oldest first
  std::jthread thread_;           // last: it ends before what it uses
};

}  // namespace tessera
