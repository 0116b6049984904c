// SPDX-License-Identifier: MIT
#include "census/disk/disk_space.hpp"

#include <algorithm>
#include <sstream>
#include <string>

#include "tessera/base/error.hpp"

namespace tessera {

DiskSpace::DiskSpace(const CensusTask& task, Exchange& exchange) {
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

void DiskSpace::expect_next_level(LevelEngine& engine, const std::vector<std::uint64_t>& widths,
                                  bool keeps) const {
  if (widths.size() < 2 || widths[widths.size() - 1] <= widths[widths.size() - 2]) return;
  const std::uint64_t now = stored_bytes(engine.current());
  const std::uint64_t before = keeps ? 0 : stored_bytes(engine.previous());
  const std::uint64_t more = now - std::min(now, before + spill_->room_in_memory());
  folder_->expect(more, "depth " + std::to_string(widths.size()));
}

void DiskSpace::leave() {
  spill_->stop();  // or it would write into the folder that goes
  folder_.reset();
}

std::uint64_t stored_bytes(const LevelPlanes& level) {
  const SegmentStore* const segments = level.layer->segments();
  return segments->data_bytes(segments->group_of(level.planes));
}

}  // namespace tessera
