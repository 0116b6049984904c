// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <exception>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <stop_token>
#include <tessera/solver.hpp>
#include <thread>
#include <utility>

#include "base/threads.hpp"
#include "solver/interface/translate.hpp"

namespace tessera {

/// Runs a search in another thread while the calling one, the only one to which Python delivers
/// signals, handles Ctrl-C and calls Python's functions: whatever the search does, both are prompt.
/// It is created and destroyed with the interpreter's lock.
class Foreground {
 public:
  /// Refused when the interpreter ends.
  Foreground() {
    const bool is_late = ending_ != std::thread::id() && ending_ != std::this_thread::get_id();
    if (is_late) std::rethrow_exception(exit_of_thread());
    running_[this] = getpid();
  }
  ~Foreground() { running_.erase(this); }
  Foreground(const Foreground&) = delete;
  Foreground& operator=(const Foreground&) = delete;

  /// Set by Ctrl-C and by an exception of a posted call, which end the search.
  [[nodiscard]] const std::atomic<bool>& stopped() const { return stopped_; }
  /// One that ends a solver's search at the same events.
  [[nodiscard]] api::Observer observer() const {
    api::Observer observer;
    observer.stop = source_.get_token();
    return observer;
  }

  /// Called by the search: has the calling thread make this call, with the interpreter's lock.
  void post(std::function<void()> call) {
    const std::lock_guard lock(mutex_);
    calls_.push_back(std::move(call));
  }

  /// What `work` returns or throws. Releases the interpreter's lock, which the caller must have;
  /// `work` must not need it.
  template <class Work>
  auto run(const Work& work) {
    return translated([&] {
      std::packaged_task<decltype(work())()> task([&] { return translated(work); });
      auto result = task.get_future();
      const Threads search(1, [&](int, const std::stop_token&) { task(); });
      for (bool done = false; !done; attend()) {
        const pybind11::gil_scoped_release unlocked;
        while (given_up_ && ending_ != std::this_thread::get_id()) {
          std::this_thread::sleep_for(std::chrono::hours(1));  // until the process has ended
        }
        done = result.wait_for(longest_look) == std::future_status::ready;
      }
      if (thrown_) std::rethrow_exception(thrown_);
      return result.get();
    });
  }

  /// Called by the main thread before the interpreter ends: stops what other threads run, and waits
  /// for it, but not for long. Python ends a thread that asks for the lock later, which C++ does
  /// not survive: what has not stopped never asks again.
  static void end_all() {
    ending_ = std::this_thread::get_id();
    for (const auto& [foreground, process] : running_) {
      if (process == getpid()) foreground->stop_with(exit_of_thread());
    }
    constexpr std::chrono::milliseconds pause(5);
    for (auto left = std::chrono::milliseconds(5'000); is_running() && left.count() > 0;
         left -= pause) {
      if (PyErr_CheckSignals() != 0) {
        PyErr_Clear();  // Ctrl-C: enough waited
        break;
      }
      wait_unlocked(pause);
    }
    if (!is_running()) return;
    given_up_ = true;
    wait_unlocked(10 * longest_look);
  }

 private:
  static constexpr std::chrono::milliseconds longest_look{20};  // between two at the interpreter

  [[nodiscard]] static bool is_running() {
    return std::ranges::any_of(running_,
                               [](const auto& entry) { return entry.second == getpid(); });
  }
  static void wait_unlocked(std::chrono::milliseconds time) {
    const pybind11::gil_scoped_release unlocked;
    std::this_thread::sleep_for(time);
  }

  // By which Python ends a thread without a word.
  static std::exception_ptr exit_of_thread() {
    try {
      PyErr_SetNone(PyExc_SystemExit);
      throw pybind11::error_already_set();
    } catch (...) {
      return std::current_exception();
    }
  }
  // The search, whose caller gets this.
  void stop_with(std::exception_ptr thrown) {
    thrown_ = std::move(thrown);
    stopped_ = true;
    source_.request_stop();
  }

  void attend() {
    std::deque<std::function<void()>> calls;
    {
      const std::lock_guard lock(mutex_);
      calls.swap(calls_);
    }
    if (thrown_) return;
    try {
      for (const auto& call : calls) call();
      if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
    } catch (...) {
      stop_with(std::current_exception());
    }
  }

  // The interpreter's lock guards these. A child of fork has the parent's entries, too, whose
  // objects may be gone.
  static inline std::map<Foreground*, pid_t> running_;
  static inline std::thread::id ending_;  // the thread that called end_all
  static inline std::atomic<bool> given_up_{false};

  std::atomic<bool> stopped_{false};
  std::stop_source source_;
  std::mutex mutex_;
  std::deque<std::function<void()>> calls_;
  std::exception_ptr thrown_;
};

}  // namespace tessera
