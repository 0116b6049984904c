// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "census/disk/block_file.hpp"
#include "census/levels/sweep.hpp"
#include "tessera/base/thread_team.hpp"

namespace tessera {

/// The files of one level in the slabs of a rank.
struct LevelFiles {
  std::vector<BlockFile> files;
  std::uint64_t bytes_written = 0;
};

/// What a file is called, by its first slab.
using FileName = std::function<std::string(std::uint64_t slab)>;

/// Puts this rank's slabs of a level into files: from memory they are written; on disk the segments
/// are written where they are not yet, and their files get a second name here, which stays when the
/// search has done with them. Throws Error(resource).
[[nodiscard]] LevelFiles save_level(const std::filesystem::path& folder, ThreadTeam& team,
                                    const LevelPlanes& level, const FileName& name);

/// Fills this rank's slabs of a level from the files of all ranks, whatever ranges they hold.
/// Throws Error(corrupt).
void load_level(const std::filesystem::path& folder, ThreadTeam& team, const LevelPlanes& level,
                std::vector<BlockFile> files);

}  // namespace tessera
