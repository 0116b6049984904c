// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "search/kernels/subtree_search.hpp"
#include "search/observer.hpp"

namespace tessera {

/// Why a search ended without an answer.
enum class Stop : std::uint8_t { node_limit, time_limit, interrupted, memory };

/// When to stop cleanly. The deadline applies to the run (for_board: to a board), the node limit to
/// each board.
struct Limits {
  std::optional<std::chrono::steady_clock::time_point> deadline = {};
  std::uint64_t nodes = 0;                         ///< generated; 0: no limit
  const std::atomic<bool>* interrupted = nullptr;  ///< set by a signal handler

  [[nodiscard]] bool is_interrupted() const {
    return interrupted != nullptr && interrupted->load(std::memory_order_relaxed);
  }
  /// For a board that begins now and may take `time`, of which `spent` seconds are over; 0: as long
  /// as the run.
  [[nodiscard]] Limits for_board(std::chrono::nanoseconds time, double spent = 0) const {
    using std::chrono::duration_cast;
    Limits limits = *this;
    if (time.count() == 0) return limits;
    const auto before =
        duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(spent));
    const auto end = std::chrono::steady_clock::now() + time - before;
    if (!deadline || end < *deadline) limits.deadline = end;
    return limits;
  }
  [[nodiscard]] std::optional<Stop> reached(std::uint64_t generated) const {
    if (is_interrupted()) return Stop::interrupted;
    if (nodes > 0 && generated >= nodes) return Stop::node_limit;
    if (deadline && std::chrono::steady_clock::now() >= *deadline) return Stop::time_limit;
    return {};
  }
};

/// Receives an executor's running counts: passes them to the observer and reports when a limit is
/// reached. Called by one thread.
class Monitor {
 public:
  /// `earlier_seconds`: time that earlier runs spent on the bound.
  Monitor(const Limits& limits, Observer& observer, Progress base, SearchJournal* journal = nullptr,
          double earlier_seconds = 0)
      : limits_(limits),
        observer_(observer),
        progress_(base),
        before_(base.counts),
        journal_(journal),
        earlier_seconds_(earlier_seconds) {}

  /// Subtrees finished since the last call, if the task requests them.
  void subtrees_finished(const std::vector<FinishedSubtree>& finished) {
    if (journal_ == nullptr || finished.empty()) return;
    journal_->subtrees_finished(progress_.bound, finished, earlier_seconds_ + watch_.seconds());
  }

  /// `counts` and items since the execution began.
  std::optional<Stop> check(const Counts& counts, std::size_t items_done, std::size_t items) {
    progress_.counts = before_ + counts;
    progress_.items_done = items_done;
    progress_.items = items;
    observer_.progress(progress_);
    return limits_.reached(progress_.counts.generated);
  }

  /// Generated nodes left within the limit.
  [[nodiscard]] std::uint64_t nodes_left(const Counts& counts) const {
    const std::uint64_t used = before_.generated + counts.generated;
    if (limits_.nodes == 0) return ~std::uint64_t{0};
    return limits_.nodes > used ? limits_.nodes - used : 0;
  }

 private:
  const Limits& limits_;
  Observer& observer_;
  Progress progress_;
  Counts before_;
  SearchJournal* journal_;
  double earlier_seconds_;
  Stopwatch watch_;
};

/// Schedules reports of finished subtrees: asks running searches for their part just before.
class ReportTimer {
 public:
  /// `every` seconds; 0: never.
  explicit ReportTimer(double every) : every_(every) {}
  /// True once per interval.
  bool ask() {
    return every_ > 0 && since_.seconds() >= every_ - moment && !std::exchange(asked_, true);
  }
  /// True once per interval, a moment later.
  bool due() {
    if (!asked_ || since_.seconds() < every_) return false;
    asked_ = false;
    since_.lap();
    return true;
  }

 private:
  static constexpr double moment = 0.1;  // seconds; longer than almost every piece of work
  double every_;
  bool asked_ = false;
  Stopwatch since_;
};

}  // namespace tessera
