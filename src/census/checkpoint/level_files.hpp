// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/thread_team.hpp"
#include "census/disk/block_file.hpp"
#include "census/levels/sweep.hpp"

namespace tessera {

/// The files of one level's slabs on a rank.
struct LevelFiles {
  std::vector<BlockFile> files;
  std::uint64_t bytes_written = 0;
};

/// The name of a file, by its first slab.
using FileName = std::function<std::string(std::uint64_t slab)>;

/// Saves this rank's slabs of a level in files: writes those in memory; on disk, writes segments
/// that have no file yet and links the files to a second name here, which outlives the search's
/// own. Throws Error(resource).
[[nodiscard]] LevelFiles save_level(const std::filesystem::path& folder, ThreadTeam& team,
                                    const LevelPlanes& level, const FileName& name);

/// Loads this rank's slabs of a level from the files of all ranks, whatever ranges they hold.
/// Throws Error(corrupt).
void load_level(const std::filesystem::path& folder, ThreadTeam& team, const LevelPlanes& level,
                std::vector<BlockFile> files);

}  // namespace tessera
