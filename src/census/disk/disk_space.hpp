// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "census/disk/spill.hpp"
#include "census/disk/spill_folder.hpp"
#include "census/levels/level_engine.hpp"
#include "tessera/base/error.hpp"
#include "tessera/census/census.hpp"

namespace tessera {

/// What a level of a search on disk takes of this rank, compressed.
[[nodiscard]] inline std::uint64_t stored_bytes(const LevelPlanes& level) {
  const SegmentStore* const segments = level.layer->segments();
  return segments->data_bytes(segments->group_of(level.planes));
}

/// What a search on disk has there: its folder and the spill in it.
class DiskSpace {
 public:
  /// Throws CommonError(resource) where memory or disk are too small. Collective.
  DiskSpace(const CensusTask& task, Exchange& exchange) {
    // Batches are the same on all ranks, whatever threads each has.
    int threads = 1;
    for (const std::string& text : exchange.gather(std::to_string(task.threads))) {
      threads = std::max(threads, std::stoi(text));
    }
    const CensusDiskPlan plan = census_disk_plan(task.size, task.metric, threads, task.memory_bytes,
                                                 !task.checkpoint.empty(), exchange.ranks());
    if (plan.batch_slabs == 0) {
      std::ostringstream what;
      what << "a search on disk needs " << (plan.least_memory >> 20) + 1 << " MiB of memory"
           << (exchange.ranks() > 1 ? " a rank, " : ", ") << (task.memory_bytes >> 20)
           << " are allowed";
      throw CommonError(ErrorKind::resource, what.str());
    }
    folder_ = std::make_unique<SpillFolder>(task.disk, exchange);
    // How much its first levels take nobody knows before.
    if (!task.last_depth) folder_->expect(plan.disk_bytes, "");
    spill_ = std::make_unique<Spill>(*folder_, plan.held_bytes, plan.behind_bytes);
    batch_slabs_ = plan.batch_slabs;
  }

  [[nodiscard]] Spill& spill() { return *spill_; }
  [[nodiscard]] DiskMode mode() { return {spill_.get(), batch_slabs_}; }

  /// Throws CommonError(resource) where the folder has no room for the next level, while levels
  /// grow: it takes at least what this one does and replaces the one before, unless a checkpoint
  /// holds that. Collective.
  void expect_next_level(LevelEngine& engine, const std::vector<std::uint64_t>& widths,
                         bool keeps) const {
    if (widths.size() < 2 || widths[widths.size() - 1] <= widths[widths.size() - 2]) return;
    const std::uint64_t now = stored_bytes(engine.current());
    const std::uint64_t before = keeps ? 0 : stored_bytes(engine.previous());
    const std::uint64_t more = now - std::min(now, before + spill_->room_in_memory());
    folder_->expect(more, "depth " + std::to_string(widths.size()));
  }

  /// Leaves the search in its midst: nothing is written any more, and the folder goes.
  void leave() {
    spill_->stop();  // or it would write into the folder that goes
    folder_.reset();
  }

 private:
  std::unique_ptr<SpillFolder> folder_;
  std::unique_ptr<Spill> spill_;
  std::uint64_t batch_slabs_ = 0;
};

}  // namespace tessera
