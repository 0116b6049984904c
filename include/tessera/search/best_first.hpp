// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "tessera/search/limits.hpp"
#include "tessera/search/search_result.hpp"

namespace tessera {

/// Searches that keep what they have met: A* (by f = g + h, then by h), greedy (by h alone: any
/// solution, fast), breadth-first (level by level; no h).
enum class BestFirstOrder : std::uint8_t { astar, greedy, breadth };

/// How threads take part inside a best-first search, after the studies that tried it: each child of
/// a node by another one, or each row of a board in its distance; or K searches of their own.
enum class InnerParallel : std::uint8_t { none, neighbors, distance, queues };

struct BestFirstOptions {
  BestFirstOrder order = BestFirstOrder::astar;
  InnerParallel parallel = InnerParallel::none;
  int queues = 0;                  ///< with InnerParallel::queues
  std::uint64_t memory_bytes = 0;  ///< that the search may take on each rank, tables aside
};

/// One thread's search. Iterations are the layers of equal f, of equal depth for breadth-first;
/// greedy has none. Stop::memory where the memory was full; `bound` is then what the solution's
/// length must reach.
[[nodiscard]] SearchResult best_first(const Problem& problem, const BestFirstOptions& options,
                                      const Limits& limits, Observer& observer);

}  // namespace tessera
