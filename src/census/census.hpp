// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/ranks.hpp"
#include "puzzle/board.hpp"
#include "puzzle/metric.hpp"

namespace tessera {

/// What to search completely. Sizes: one row or column of at most 64 cells, or at least two of each
/// and at most 16 cells.
struct CensusTask {
  Size size;
  int goal_blank = 0;  ///< the goal is all tiles in order, the blank in this cell
  Metric metric = Metric::single;
  int threads = 1;                ///< of this rank
  std::optional<int> last_depth;  ///< search no deeper
  /// The number of states of the deepest level to return as boards: the first ones, in an order
  /// that does not depend on ranks or threads; with a seed, a random sample.
  std::uint64_t picks = 0;
  std::optional<std::uint64_t> pick_seed;
  /// The folder for both frontiers, so that a search can be resumed on any number of ranks; all
  /// ranks must see the same folder. Empty: no checkpoints.
  std::string checkpoint;
  double checkpoint_seconds = 300;  ///< between two checkpoints
  bool resume = false;              ///< from the checkpoint; from the goal if there is none
  /// The folder for compressed frontiers beyond what fits into `memory_bytes` per rank: shared by
  /// all ranks, or one per host. Empty: everything in memory.
  std::string disk;
  std::uint64_t memory_bytes = 0;
};

/// Where checkpoints are: `beside` the frontiers, they take space on their disk.
enum class CheckpointPlace : std::uint8_t { nowhere, elsewhere, beside };

/// By the file systems of the folders, which need not exist yet; `beside` without a folder for
/// frontiers.
[[nodiscard]] CheckpointPlace checkpoint_place(const CensusTask& task);

/// How each rank of a search on disk divides its memory, in bytes.
struct CensusDiskPlan {
  std::uint64_t batch_slabs = 0;   ///< slabs unpacked at a time; 0: memory is insufficient
  std::uint64_t least_memory = 0;  ///< it does not run with less
  std::uint64_t held_bytes = 0;    ///< of frontiers kept in memory
  std::uint64_t behind_bytes = 0;  ///< most bytes that wait to be written
  std::uint64_t disk_bytes = 0;    ///< free space that the folder should have; an estimate
};

/// Throws Error(input) if a complete search does not support the size or goal.
void check_census(const CensusTask& task);

/// The number of states: half of all arrangements, or the cells of a single row or column.
[[nodiscard]] std::uint64_t census_states(Size size);

/// Memory for a complete search in memory, per rank, in bytes.
[[nodiscard]] std::uint64_t census_memory_bytes(Size size, Metric metric, int ranks);

[[nodiscard]] CensusDiskPlan census_disk_plan(Size size, Metric metric, int threads,
                                              std::uint64_t memory_bytes,
                                              CheckpointPlace checkpoints, int ranks = 1);

/// What all ranks together send in a level that is dense everywhere, in bytes; from a sample.
[[nodiscard]] std::uint64_t census_exchange_bytes(Size size, Metric metric, int ranks);

/// The fewest ranks that each need at most `bytes`; empty if no number of ranks suffices.
[[nodiscard]] std::optional<int> census_ranks_for(Size size, Metric metric, std::uint64_t bytes);

/// Monitors a complete search, called from the thread that runs it. Ranks other than 0 pass a plain
/// CensusObserver, which does nothing.
class CensusObserver {
 public:
  virtual ~CensusObserver() = default;
  /// A checkpoint holds levels of that many states, `last` of them in the last level.
  virtual void resumed(std::uint64_t /*states*/, std::uint64_t /*last*/) {}
  /// A level is complete.
  virtual void level_finished(int /*depth*/, std::uint64_t /*states*/) {}
  /// A warning for the user: a damaged checkpoint was skipped.
  virtual void notice(const std::string& /*text*/) {}
  /// Several times within a level: the fraction done.
  virtual void level_progress(int /*depth*/, double /*done*/) {}
};

struct CensusResult {
  std::vector<std::uint64_t> widths;  ///< states by depth
  /// By depth; empty for the goal's and for levels from a checkpoint.
  std::vector<std::optional<double>> level_seconds;
  bool complete = false;              ///< else stopped by `stop` or `last_depth`
  bool kept = false;                  ///< a checkpoint holds the last level of `widths`
  int resumed_depth = 0;              ///< of the checkpoint it resumed from
  std::uint64_t bytes_written = 0;    ///< of checkpoints and frontiers, by all ranks
  std::uint64_t bytes_read = 0;       ///< of frontiers
  std::uint64_t frontier_bytes = 0;   ///< disk mode: all levels, compressed, in memory or on disk
  std::vector<Board> picked;          ///< of the last level of `widths`
  double seconds = 0;                 ///< of all levels
  double setup_seconds = 0;           ///< before the first level: memory, tables, a checkpoint
  std::uint64_t exchanged_bytes = 0;  ///< sent between ranks
};

/// Counts all states by depth. Every rank of `ranks` calls it with the same task, and gets the
/// same widths and boards. `stop` is read on rank 0: with checkpoints, the run finishes its level
/// and writes one; without, all ranks abandon the level. Throws Error(resource) if memory or disk
/// space is insufficient, Error(corrupt) if no checkpoint is intact or it belongs to another
/// search, Error(internal) if the widths do not sum to the number of states. Errors on all ranks
/// are CommonErrors.
[[nodiscard]] CensusResult run_census(const CensusTask& task, Ranks& ranks,
                                      CensusObserver& observer, const std::atomic<bool>& stop);

}  // namespace tessera
