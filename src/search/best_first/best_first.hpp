// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "search/limits.hpp"
#include "search/search_result.hpp"

namespace tessera {

/// Searches that keep all boards they have reached: A* (by f = g + h, then by h), greedy (by h
/// only: some solution, fast), breadth-first (level by level; no h).
enum class BestFirstOrder : std::uint8_t { astar, greedy, breadth };

/// How threads take part inside a best-first search, after the studies that tried it: one thread
/// per child of a node, or per row of a board when its distance is computed; or K separate queues.
enum class InnerParallel : std::uint8_t { none, neighbors, distance, queues };

struct BestFirstOptions {
  BestFirstOrder order = BestFirstOrder::astar;
  InnerParallel parallel = InnerParallel::none;
  int queues = 0;                  ///< with InnerParallel::queues
  std::uint64_t memory_bytes = 0;  ///< that the search may take on each rank, tables aside
};

/// A search in one thread. Iterations are the layers of equal f, or of equal depth for
/// breadth-first; greedy has none. Stop::memory if memory ran out; `bound` is then a lower bound on
/// the solution's length.
[[nodiscard]] SearchResult best_first(const Problem& problem, const BestFirstOptions& options,
                                      const Limits& limits, Observer& observer);

}  // namespace tessera
