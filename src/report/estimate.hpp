// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/effort.hpp"
#include "report/board_result.hpp"

namespace tessera {

/// Everything that is reported about one board before its search.
struct BoardEstimate : BoardFacts {
  bool is_solved = false;  ///< the board is its goal: nothing is sampled
  int probable_bound = 0;
  bool bound_given = false;        ///< by the user, not guessed
  std::optional<int> upper_bound;  ///< the length of a solution that beam search found
  Effort effort;
  double rate = 0;  ///< nodes expanded per second by all workers
  std::uint64_t table_bytes = 0;
  std::uint64_t memory_bytes = 0;  ///< of all ranks, tables once per host
  JobRequest request;
  double seconds = 0;  ///< taken by the estimate

  /// Up to and including that bound.
  [[nodiscard]] double seconds_to(int bound) const;
  /// Those that the search probably expands; the bound of a known solution need not be searched.
  [[nodiscard]] double nodes_to_search() const {
    return effort.expanded_to(probable_bound - (upper_bound ? 1 : 0));
  }
};

/// The table of bounds, with its heading and assumptions.
[[nodiscard]] std::string estimate_table(const BoardEstimate& estimate, const RunSetup& setup);

/// The line of a batch script that requests the resources for the search, or that there is none if
/// it would take more than a year. `what` continues "suggested", as in " for all of them".
[[nodiscard]] std::string suggestion(const JobRequest& request, std::string_view what = "");

/// One JSON line of schema tessera.estimate/1.
[[nodiscard]] std::string to_json(const BoardEstimate& estimate, const RunSetup& setup);

/// "8,970,000": three significant digits, for an estimate has no more.
[[nodiscard]] std::string rough_count(double count);

/// "3 s", "2.5 h", "14 years": two significant digits.
[[nodiscard]] std::string rough_time(double seconds);

}  // namespace tessera
