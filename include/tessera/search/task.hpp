// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "tessera/search/subtree_search.hpp"

namespace tessera {

/// How subtrees reach workers: dealt once, handed out one by one from a common store, or dealt and
/// then stolen.
enum class Schedule : std::uint8_t { dealt, dynamic, stealing };

/// How a list of subtrees is searched: all up to one bound, or each with bounds of its own.
struct Task {
  int bound = 0;
  Mode mode = Mode::any;
  bool independent = false;  ///< each subtree runs its own IDA* up to the best solution so far
  Schedule schedule = Schedule::stealing;
  double growth = usual_growth;  ///< an iteration's nodes over those of the one before
  double report_seconds = 0;     ///< how often finished subtrees are reported; 0: never
  std::uint32_t trace_room = 0;  ///< spans that a thread's Timeline has room for; 0: no trace

  static constexpr double usual_growth = 6;
  /// Whether subtrees are searched in pieces.
  [[nodiscard]] bool cuts() const {
    return !independent && (schedule == Schedule::stealing || report_seconds > 0);
  }
  /// Whether pieces are given away.
  [[nodiscard]] bool shares() const { return !independent && schedule == Schedule::stealing; }
};

}  // namespace tessera
