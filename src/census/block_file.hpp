// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>

#include "census/block_codec.hpp"
#include "census/level_engine.hpp"

namespace tessera {

/// One level in some tiles, as a file:
///
///     magic   first tile   tiles   planes | for each tile and plane: bits set, form and length |
///     data u64     u64          u64     u64    | u32, u32 (form << 28 | length)
///
/// The plane varies fastest; numbers are little-endian.
struct BlockFile {
  std::string name;
  TileRange tiles;
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;  ///< XXH3 of all bytes
};

/// Writes the tiles whole or not at all. Throws Error(resource).
void write_blocks(const std::filesystem::path& folder, BlockFile& file, const TileLayout& layout,
                  const LevelPlanes& level, BlockCodec& codec);

/// Fills words and counts of those of its tiles that the layer holds. Throws Error(corrupt) that
/// names the file where it is not what was written.
void read_blocks(const std::filesystem::path& folder, const BlockFile& file,
                 const TileLayout& layout, const LevelPlanes& level, BlockCodec& codec);

}  // namespace tessera
