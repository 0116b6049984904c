// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "base/thread_team.hpp"
#include "pdb/table_store.hpp"

namespace tessera {

/// Sets an entry that is not reached yet. False if it was, perhaps by another thread.
[[nodiscard]] inline bool reach(std::atomic_ref<std::uint8_t> entry, int moves) {
  std::uint8_t known = entry.load(std::memory_order_relaxed);
  return known == unreached &&
         entry.compare_exchange_strong(known, static_cast<std::uint8_t>(moves),
                                       std::memory_order_relaxed);
}

/// One depth of the search that builds a table.
struct Depth {
  int moves = 0;               ///< from the goal
  std::uint64_t frontier = 1;  ///< entries found at the previous depth
  std::uint64_t known = 1;     ///< entries found so far, the goal's included
};

/// Breadth-first search from the goal over a table that is divided into `chunks`, depth by depth
/// with a team of threads.
///
/// Each thread calls `make_worker(depth)` at each depth. The worker is called with a chunk, expands
/// its entries of this depth, and returns the number of entries that it has reached. The search
/// ends after a depth that reached none.
///
/// The calling thread reports the fraction reached to `progress`. False if that stopped it.
template <class MakeWorker>
[[nodiscard]] bool search_by_depth(std::uint64_t chunks, std::uint64_t entries, int threads,
                                   const TableProgress& progress, const MakeWorker& make_worker) {
  ThreadTeam team(std::max(1, threads));
  std::atomic<bool> may_continue = true;
  std::atomic<std::uint64_t> known = 1;
  const auto report = [&] {
    const double part = static_cast<double>(known) / static_cast<double>(entries);
    if (!progress(std::min(1.0, part))) may_continue = false;
  };
  for (Depth depth; depth.frontier > 0; ++depth.moves) {
    std::atomic<std::uint64_t> next = 0;
    team.run([&](int thread) {
      auto worker = make_worker(depth);
      for (std::uint64_t chunk = 0; may_continue && (chunk = next++) < chunks;) {
        const std::uint64_t more = worker(chunk);
        if (more == 0) continue;
        known += more;
        if (thread == 0) report();
      }
    });
    if (may_continue && depth.known < known) report();
    if (!may_continue) return false;
    depth.frontier = known - depth.known;
    depth.known = known;
  }
  return true;
}

}  // namespace tessera
