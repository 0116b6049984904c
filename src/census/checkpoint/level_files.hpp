// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
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

/// How much of a level, in words, is encoded at a time while it is saved: a 64th of `level_words`,
/// but at least 1 Mi, so that it takes few files. Many threads may encode more, since each encodes
/// at least one slab.
[[nodiscard]] constexpr std::uint64_t encoded_words(std::uint64_t level_words) {
  constexpr std::uint64_t least = std::uint64_t{1} << 20;
  constexpr std::uint64_t most = std::uint64_t{16} << 20;
  return std::min(level_words, std::clamp(level_words / 64, least, most));
}

/// Saves this rank's slabs of a level in files, named `prefix`, their first slab and ".blocks":
/// writes those in memory; on disk, writes segments that have no file yet and links the files to a
/// second name here, which outlives the search's own. Throws Error(resource).
[[nodiscard]] LevelFiles save_level(const std::filesystem::path& folder, ThreadTeam& team,
                                    const LevelPlanes& level, const std::string& prefix);

/// Loads this rank's slabs of a level from the files of all ranks, whatever ranges they hold, in
/// ascending order. Throws Error(corrupt).
void load_level(const std::filesystem::path& folder, ThreadTeam& team, const LevelPlanes& level,
                std::vector<BlockFile> files);

}  // namespace tessera
