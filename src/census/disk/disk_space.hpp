// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "census/disk/spill.hpp"
#include "census/disk/spill_folder.hpp"
#include "census/levels/level_engine.hpp"
#include "tessera/census/census.hpp"

namespace tessera {

/// What a search on disk has there: its folder and the spill in it.
class DiskSpace {
 public:
  /// Throws CommonError(resource) where memory or disk are too small. Collective.
  DiskSpace(const CensusTask& task, Exchange& exchange);

  [[nodiscard]] Spill& spill() { return *spill_; }
  [[nodiscard]] DiskMode mode() { return {spill_.get(), batch_slabs_}; }

  /// Throws CommonError(resource) where the folder has no room for the next level, while levels
  /// grow: it takes at least what this one does and replaces the one before, unless a checkpoint
  /// holds that. Collective.
  void expect_next_level(LevelEngine& engine, const std::vector<std::uint64_t>& widths,
                         bool keeps) const;
  /// Leaves the search in its midst: nothing is written any more, and the folder goes.
  void leave();

 private:
  std::unique_ptr<SpillFolder> folder_;
  std::unique_ptr<Spill> spill_;
  std::uint64_t batch_slabs_ = 0;
};

/// What a level of a search on disk takes of this rank, compressed.
[[nodiscard]] std::uint64_t stored_bytes(const LevelPlanes& level);

}  // namespace tessera
