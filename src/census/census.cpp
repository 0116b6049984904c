// SPDX-License-Identifier: MIT
#include "census/census.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "census/census_frame.hpp"
#include "census/checkpoint/checkpoint.hpp"
#include "census/disk/spill.hpp"
#include "census/levels/level_engine.hpp"

namespace tessera {
namespace {

std::uint64_t sum_of(const std::vector<std::uint64_t>& widths) {
  return std::accumulate(widths.begin(), widths.end(), std::uint64_t{0});
}

// A search that counted states twice might never end: it fails as soon as there are too many.
void check_sum(Size size, const std::vector<std::uint64_t>& widths) {
  if (sum_of(widths) == census_states(size)) return;
  throw CommonError(ErrorKind::internal, fmt::format("the levels hold {} states of {}",
                                                     sum_of(widths), census_states(size)));
}

// The compressed size of this rank's part of a level on disk.
std::uint64_t stored_bytes(const LevelPlanes& level) {
  return level.layer->segments()->data_bytes(level.planes);
}

// The disk resources of a search on disk: its folder and the spill in it.
class DiskSpace {
 public:
  // Throws CommonError(resource) if memory or disk space is insufficient. Collective.
  DiskSpace(const CensusTask& task, Ranks& ranks)
      : plan_(plan_for(task, ranks)),
        folder_(task.disk, ranks),
        spill_(folder_, plan_.held_bytes, plan_.behind_bytes) {}

  // Throws CommonError(resource) if the folder has no room for all levels. Collective.
  void expect_all() const { folder_.expect(plan_.disk_bytes, ""); }

  [[nodiscard]] Spill& spill() { return spill_; }
  [[nodiscard]] DiskMode mode() { return {&spill_, plan_.batch_slabs}; }

  // Throws CommonError(resource) if the folder has no room for the next level, while levels grow:
  // it takes at least as much as this one and replaces the one before, unless a checkpoint holds
  // that here. Collective.
  void expect_next_level(LevelEngine& engine, const std::vector<std::uint64_t>& widths,
                         CheckpointPlace checkpoints) const {
    if (widths.size() < 2 || widths[widths.size() - 1] <= widths[widths.size() - 2]) return;
    const std::uint64_t now = stored_bytes(engine.current());
    const std::uint64_t before =
        checkpoints == CheckpointPlace::beside ? 0 : stored_bytes(engine.previous());
    const std::uint64_t more = now - std::min(now, before + spill_.room_in_memory());
    folder_.expect(more, "depth " + std::to_string(widths.size()));
  }

 private:
  static CensusDiskPlan plan_for(const CensusTask& task, Ranks& ranks) {
    // All ranks use the same batches, even if their numbers of threads differ.
    const auto threads = by_rank(ranks, static_cast<std::uint64_t>(task.threads));
    const CensusDiskPlan plan =
        census_disk_plan(task.size, task.metric, static_cast<int>(std::ranges::max(threads)),
                         task.memory_bytes, checkpoint_place(task), ranks.size());
    if (plan.batch_slabs > 0) return plan;
    throw CommonError(ErrorKind::resource,
                      fmt::format("a search on disk needs {} MiB of memory{}, {} are allowed",
                                  (plan.least_memory >> 20) + 1, ranks.size() > 1 ? " a rank" : "",
                                  task.memory_bytes >> 20));
  }

  const CensusDiskPlan plan_;
  const SpillFolder folder_;
  Spill spill_;
};

// A complete search with everything it has in memory.
class Search {
 public:
  Search(const CensusTask& task, Ranks& ranks, CensusObserver& observer,
         const std::atomic<bool>& stop)
      : task_(task),
        ranks_(ranks),
        observer_(observer),
        stop_(stop),
        first_(ranks.rank() == 0),
        frame_(task.size, task.goal_blank),
        layout_(frame_.inner_size(), frame_.inner_goal()),
        team_(task.threads) {}

  CensusResult run() {
    if (!set_up()) return std::move(result_);
    while (!at_last_depth() && next_level()) {
    }
    sum_bytes();
    if (result_.complete) check_sum(task_.size, result_.widths);
    result_.seconds = watch_.seconds();
    if (task_.picks > 0 && (result_.complete || at_last_depth())) {
      result_.picked =
          pick_boards(layout_, frame_, engine_->current(), task_, result_.widths.back(), ranks_);
    }
    return std::move(result_);
  }

 private:
  // Rank 0's decisions at the end of a level.
  static constexpr std::uint64_t stops = 1;
  static constexpr std::uint64_t keeps = 2;

  // False if a signal arrived while another search held the checkpoint.
  bool set_up() {
    if (!task_.disk.empty()) disk_.emplace(task_, ranks_);
    // With `last_depth`, the space that the levels need is unknown.
    const bool has_plan = disk_ && !task_.last_depth;
    if (has_plan && !task_.resume) disk_->expect_all();
    const RankContext context{layout_, ranks_, team_, disk_ ? disk_->mode() : DiskMode{}};
    engine_ =
        task_.metric == Metric::single ? make_single_engine(context) : make_multi_engine(context);
    engine_->take_memory(
        [this] { return may_continue() && !stop_.load(std::memory_order_relaxed); });
    result_.widths = {1};
    result_.level_seconds.resize(1);
    if (!task_.checkpoint.empty() && !open_checkpoint(context)) return false;
    // A checkpoint that is resumed takes its part already, and the widest level may be past.
    if (has_plan && task_.resume && result_.widths.size() == 1) disk_->expect_all();
    result_.level_seconds.resize(result_.widths.size());
    result_.setup_seconds = watch_.lap();
    (void)level_watch_.lap();
    (void)since_kept_.lap();
    return true;
  }

  [[nodiscard]] bool at_last_depth() const {
    return task_.last_depth && static_cast<int>(result_.widths.size()) > *task_.last_depth;
  }

  // With checkpoints, `stop` takes effect at the end of a level.
  [[nodiscard]] bool may_continue() {
    if (first_ && task_.checkpoint.empty() && stop_.load(std::memory_order_relaxed)) ranks_.stop();
    return ranks_.may_continue();
  }

  bool open_checkpoint(const RankContext& context) {
    // Reports its holder once, and waits until the lock is free or a signal arrives.
    const auto waiting = [this, reported = false](const std::string& holder) mutable {
      if (!std::exchange(reported, true)) {
        observer_.notice(
            fmt::format("waiting for the checkpoint in {}, held by {}", task_.checkpoint, holder));
      }
      return !stop_.load(std::memory_order_relaxed);
    };
    checkpoint_.emplace(task_, context, waiting);
    if (!checkpoint_->is_open()) return false;
    if (task_.resume) {
      result_.widths = checkpoint_->restore(
          *engine_, [this](const std::string& text) { observer_.notice(text); });
      result_.resumed_depth = static_cast<int>(result_.widths.size()) - 1;
      observer_.resumed(sum_of(result_.widths), result_.widths.back());
    } else if (checkpoint_->has_sets()) {
      const std::optional<int> depth = checkpoint_->depth_found();
      observer_.notice(
          fmt::format("{}: holds {}, which the first checkpoint of this search will replace{}",
                      task_.checkpoint,
                      depth ? fmt::format("a search to depth {}", *depth) : "a damaged checkpoint",
                      depth ? "; --resume continues it" : ""));
    }
    return true;
  }

  [[nodiscard]] std::uint64_t decision() const {
    if (!first_) return 0;
    if (stop_.load(std::memory_order_relaxed)) {
      const int depth = static_cast<int>(result_.widths.size());
      return checkpoint_ && checkpoint_->would_lose_depth(depth) ? stops : stops | keeps;
    }
    // On disk, large levels are saved sooner: they are already there, and an old set takes space.
    constexpr double soon = 20;
    const double every =
        large_ ? std::min(soon, task_.checkpoint_seconds) : task_.checkpoint_seconds;
    return since_kept_.seconds() >= every ? keeps : 0;
  }

  // False after the last level.
  bool next_level() {
    const int depth = static_cast<int>(result_.widths.size());
    if (disk_) disk_->expect_next_level(*engine_, result_.widths, checkpoint_place(task_));
    const auto progress = [&](std::uint64_t done, std::uint64_t of) {
      observer_.level_progress(depth, static_cast<double>(done) / static_cast<double>(of));
      return may_continue();
    };
    const auto level = engine_->advance(progress, [this] { return decision(); });
    if (!level) return false;
    if (level->states == 0) {
      result_.complete = true;
      return false;
    }
    result_.widths.push_back(level->states);
    if (sum_of(result_.widths) > census_states(task_.size)) check_sum(task_.size, result_.widths);
    result_.level_seconds.push_back(level_watch_.lap());
    observer_.level_finished(depth, level->states);
    if (disk_) large_ = is_large();
    if (checkpoint_ && (level->decision & keeps) != 0) keep(depth, (level->decision & stops) != 0);
    return (level->decision & stops) == 0;
  }

  [[nodiscard]] bool is_large() {
    std::array<std::uint64_t, 2> bytes{stored_bytes(engine_->current()),
                                       disk_->spill().held_limit()};
    ranks_.sum(bytes);
    return bytes[0] > bytes[1];
  }

  void keep(int depth, bool last) {
    try {
      checkpoint_->keep(*engine_, result_.widths);
      result_.kept = last;
    } catch (const CommonError& error) {
      // If there is no room for a checkpoint, the search continues, unless it was to end with one
      // or could not write what it needs itself: `flush` throws that again.
      if (last || error.kind() != ErrorKind::resource) throw;
      if (disk_) ranks_.agree("census-spill", [&] { disk_->spill().flush(); });
      observer_.notice(
          fmt::format("depth {} is not kept, the search continues: {}", depth, error.what()));
    }
    (void)since_kept_.lap();
    (void)level_watch_.lap();
  }

  void sum_bytes() {
    std::array<std::uint64_t, 4> bytes{checkpoint_ ? checkpoint_->bytes_written() : 0, 0, 0,
                                       engine_->bytes_sent()};
    if (disk_) {
      bytes[0] += disk_->spill().bytes_written();
      bytes[1] = disk_->spill().bytes_read();
      bytes[2] = disk_->spill().bytes_kept();
    }
    ranks_.sum(bytes);
    result_.bytes_written = bytes[0];
    result_.bytes_read = bytes[1];
    result_.frontier_bytes = bytes[2];
    result_.exchanged_bytes = bytes[3];
  }

  const CensusTask task_;
  Ranks& ranks_;
  CensusObserver& observer_;
  const std::atomic<bool>& stop_;
  const bool first_;  // true on rank 0
  Stopwatch watch_;
  const CensusFrame frame_;
  const StateLayout layout_;
  ThreadTeam team_;
  std::optional<DiskSpace> disk_;
  std::unique_ptr<LevelEngine> engine_;
  std::optional<CensusCheckpoint> checkpoint_;
  CensusResult result_;
  Stopwatch level_watch_;
  Stopwatch since_kept_;
  bool large_ = false;  // whether the last level is on disk
};

}  // namespace

void check_census(const CensusTask& task) {
  const Size size = task.size;
  const bool line = size.width == 1 || size.height == 1;
  if (size.width < 1 || size.height < 1 || size.cells() > (line ? 64 : StateLayout::most_cells)) {
    bad_input("a complete search of " + to_string(size) +
              " is not possible, expected at most 16 cells, or one row or column of at most 64");
  }
  if (task.goal_blank < 0 || task.goal_blank >= size.cells()) {
    bad_input(fmt::format("cell {} is not on the board, expected 0 to {}", task.goal_blank,
                          size.cells() - 1));
  }
}

std::uint64_t census_states(Size size) {
  if (size.width == 1 || size.height == 1) return static_cast<std::uint64_t>(size.cells());
  return factorial(size.cells()) / 2;
}

CensusResult run_census(const CensusTask& task, Ranks& ranks, CensusObserver& observer,
                        const std::atomic<bool>& stop) {
  check_census(task);
  if (is_plain_census(task.size)) return plain_census(task, observer);
  return Search(task, ranks, observer, stop).run();
}

}  // namespace tessera
