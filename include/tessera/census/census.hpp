// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "tessera/census/exchange.hpp"
#include "tessera/puzzle/board.hpp"
#include "tessera/puzzle/metric.hpp"

namespace tessera {

/// What to search completely. Sizes: at least one cell a side and at most 16 cells, or one row or
/// column of at most 64.
struct CensusTask {
  Size size;
  int goal_blank = 0;  ///< the goal is all tiles in order, the blank in this cell
  Metric metric = Metric::single;
  int threads = 1;                ///< of this rank
  std::optional<int> last_depth;  ///< go no deeper
  /// Which states of the deepest level that was reached to give as boards, as numbers below its
  /// width, ascending; states of a level have an order that does not depend on ranks or threads.
  /// Called on every rank, and gives the same there.
  std::function<std::vector<std::uint64_t>(std::uint64_t width)> pick;
};

/// Throws Error(input) where a complete search does not take the size or goal.
void check_census(const CensusTask& task);

/// How many states there are: half of all arrangements, or the cells of one row.
[[nodiscard]] std::uint64_t census_states(Size size);

/// What a complete search in memory takes of one of so many ranks, in bytes.
[[nodiscard]] std::uint64_t census_memory_bytes(Size size, Metric metric, int ranks);

/// Hears how a complete search goes; on rank 0 only, from the thread that runs it.
class CensusObserver {
 public:
  virtual ~CensusObserver() = default;
  /// A level is whole. `seconds` since the one before.
  virtual void level_finished(int /*depth*/, std::uint64_t /*states*/, double /*seconds*/) {}
  /// Now and then inside a level: how much of it is done, of 1.
  virtual void level_progress(int /*depth*/, double /*done*/) {}
};

struct CensusResult {
  std::vector<std::uint64_t> widths;  ///< states by depth
  bool complete = false;              ///< else stopped by `stop` or `last_depth`
  std::vector<Board> picked;          ///< of the last level of `widths`
  double seconds = 0;
  std::uint64_t exchanged_bytes = 0;  ///< that ranks sent one another
};

/// Counts all states by depth. Every rank of `exchange` calls it with the same task, and gets the
/// same widths and boards. `stop` is looked at on rank 0. Throws Error(resource) where memory does
/// not suffice, Error(internal) where the widths do not sum to the number of states.
[[nodiscard]] CensusResult run_census(const CensusTask& task, Exchange& exchange,
                                      CensusObserver& observer, const std::atomic<bool>& stop);

}  // namespace tessera
