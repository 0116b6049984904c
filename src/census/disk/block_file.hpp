// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/file.hpp"
#include "base/mapped_file.hpp"
#include "census/disk/block_codec.hpp"
#include "census/state_layout.hpp"

namespace tessera {

/// One level in a range of slabs, as a file:
///
///     magic   first slab   slabs   planes | for each plane and slab: bits set, form and length,
///     u64     u64          u64     u64    |                          checksum of the block
///     blocks                              | 3 x u32 (form << 28 | length)
///
/// The slab varies fastest, so that one plane of adjacent slabs can be read in one piece; numbers
/// are little-endian. If the level is empty in all of the slabs, there is no file: `bytes` is 0.
struct BlockFile {
  std::string name;
  SlabRange slabs;
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;  ///< XXH3 of all bytes
};

/// Size of everything before the blocks.
[[nodiscard]] constexpr std::uint64_t block_data_offset(std::size_t entries) {
  return 4 * sizeof(std::uint64_t) + entries * sizeof(BlockEntry);
}

/// Writes header, entries and blocks with write(parts), and sets the total length and the checksum
/// in `file`, which must already have its slabs.
void write_block_file(BlockFile& file, unsigned planes, std::span<const BlockEntry> entries,
                      std::span<const std::uint8_t> data,
                      const std::function<void(FileParts)>& write);

/// Reads such a file. Throws Error(corrupt) with its name if it is not what was written.
class BlockFileReader {
 public:
  BlockFileReader(const std::filesystem::path& folder, const BlockFile& file, unsigned planes);
  /// By the plane's index in the file, and slab.
  [[nodiscard]] BlockEntry entry(int plane, std::uint64_t slab) const {
    return entries_.empty() ? BlockEntry{} : entries_[index(plane, slab)];
  }
  [[nodiscard]] std::span<const std::uint8_t> block(int plane, std::uint64_t slab) const;
  [[noreturn]] void damaged(const std::string& what) const;

 private:
  [[nodiscard]] std::size_t index(int plane, std::uint64_t slab) const {
    return static_cast<std::size_t>(plane) * slabs_.count + (slab - slabs_.first);
  }
  std::filesystem::path path_;
  SlabRange slabs_;
  MappedFile mapped_;
  std::vector<BlockEntry> entries_;
  std::vector<std::uint64_t> starts_;
};

}  // namespace tessera
