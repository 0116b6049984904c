// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
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
  /// States of the deepest level that was reached to give as boards: the first so many of it, in an
  /// order that does not depend on ranks or threads; with a seed, as many drawn at random.
  std::uint64_t picks = 0;
  std::optional<std::uint64_t> pick_seed;
  /// Where to keep both frontiers, so that a search can be resumed on any number of ranks; every
  /// rank must see the same folder. Empty: nowhere.
  std::string checkpoint;
  double checkpoint_seconds = 300;  ///< between two of them
  bool resume = false;              ///< from what is kept there; from the goal if nothing is
  /// Keep frontiers there, compressed, beyond what fits into `memory_bytes` of each rank: a folder
  /// that ranks share, or each host one of its own. Empty: all in memory.
  std::string disk;
  std::uint64_t memory_bytes = 0;
};

/// What each rank of a search on disk does with the memory it is given, in bytes.
struct CensusDiskPlan {
  std::uint64_t batch_slabs = 0;   ///< slabs that are unpacked together; 0: does not fit
  std::uint64_t least_memory = 0;  ///< with fewer it does not run
  std::uint64_t held_bytes = 0;    ///< of frontiers that stay in memory
  std::uint64_t behind_bytes = 0;  ///< that may wait to be written
  std::uint64_t disk_bytes = 0;    ///< what the folder should have room for; an estimate
};

/// Throws Error(input) where a complete search does not take the size or goal.
void check_census(const CensusTask& task);

/// How many states there are: half of all arrangements, or the cells of one row.
[[nodiscard]] std::uint64_t census_states(Size size);

/// What a complete search in memory takes of one of so many ranks, in bytes.
[[nodiscard]] std::uint64_t census_memory_bytes(Size size, Metric metric, int ranks);

/// `keeps`: whether there are checkpoints on the same disk.
[[nodiscard]] CensusDiskPlan census_disk_plan(Size size, Metric metric, int threads,
                                              std::uint64_t memory_bytes, bool keeps,
                                              int ranks = 1);

/// What all ranks together send in a level that is dense everywhere, in bytes; by a sample.
[[nodiscard]] std::uint64_t census_exchange_bytes(Size size, Metric metric, int ranks);

/// The fewest ranks that each need no more than so many bytes; empty where no number of ranks does.
[[nodiscard]] std::optional<int> census_ranks_for(Size size, Metric metric, std::uint64_t bytes);

/// Follows a complete search; on rank 0 only, called from the thread that runs it.
class CensusObserver {
 public:
  virtual ~CensusObserver() = default;
  /// A level is complete. `seconds` since the one before.
  virtual void level_finished(int /*depth*/, std::uint64_t /*states*/, double /*seconds*/) {}
  /// Disk mode, after that: what was read and written for the level, and what it takes compressed.
  virtual void level_stored(int /*depth*/, std::uint64_t /*read*/, std::uint64_t /*written*/,
                            std::uint64_t /*compressed*/) {}
  /// A warning for the user: a damaged checkpoint that was passed over.
  virtual void notice(const std::string& /*text*/) {}
  /// Several times within a level: how much of it is done, of 1.
  virtual void level_progress(int /*depth*/, double /*done*/) {}
};

struct CensusResult {
  std::vector<std::uint64_t> widths;  ///< states by depth
  /// By depth; empty for the goal's and for those that a checkpoint brought.
  std::vector<std::optional<double>> level_seconds;
  bool complete = false;              ///< else stopped by `stop` or `last_depth`
  bool kept = false;                  ///< the last level of `widths` stands in a checkpoint
  int resumed_depth = 0;              ///< of the checkpoint that it resumed from
  std::uint64_t bytes_written = 0;    ///< of checkpoints and frontiers, by all ranks
  std::uint64_t bytes_read = 0;       ///< of frontiers
  std::uint64_t frontier_bytes = 0;   ///< disk mode: of all levels, compressed, wherever they were
  std::vector<Board> picked;          ///< of the last level of `widths`
  double seconds = 0;                 ///< of all levels
  double setup_seconds = 0;           ///< before the first: memory, tables, a checkpoint
  std::uint64_t exchanged_bytes = 0;  ///< that ranks sent one another
};

/// Counts all states by depth. Every rank of `exchange` calls it with the same task, and gets the
/// same widths and boards. `stop` is read on rank 0: a run with checkpoints finishes its level and
/// writes one, a run without leaves the level. Several ranks leave it when the exchange is given up
/// (Exchange::given_up), which cannot be used afterwards. Throws Error(resource) where memory or
/// disk do not suffice, Error(corrupt) where no kept set is whole or it is of another search,
/// Error(internal) where the widths do not sum to the number of states: what all ranks throw is a
/// CommonError.
[[nodiscard]] CensusResult run_census(const CensusTask& task, Exchange& exchange,
                                      CensusObserver& observer, const std::atomic<bool>& stop);

}  // namespace tessera
