// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace tessera {

/// What to ask a batch system for.
struct JobRequest {
  int nodes = 1;
  int tasks = 1;  ///< one a node: its threads share tables
  int cpus_per_task = 1;
  std::uint64_t memory_bytes = 0;  ///< a node
  double seconds = 0;              ///< with the safety factor
  double safety = 2;
};

struct JobNeeds {
  double nodes = 0;           ///< to expand in all
  double rate_of_worker = 0;  ///< nodes a second of one search thread
  int cpus_of_node = 1;       ///< as of this host
  std::uint64_t table_bytes = 0;
};

/// As many nodes as bring the search below two hours, were all as this host; the time is that of
/// the expected work at 0.85 of the measured rate, times the safety factor, and ten minutes at
/// least.
[[nodiscard]] JobRequest suggest_request(const JobNeeds& needs);

}  // namespace tessera
