// SPDX-License-Identifier: MIT
#include "census/disk/block_file.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>
#include <bit>
#include <cstring>

#include "tessera/base/error.hpp"

namespace tessera {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::uint64_t magic = 0x33736e6563736574;  // "tescens3"

std::span<const std::uint8_t> bytes_of(const auto& values) {
  return {reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * sizeof values[0]};
}

std::uint64_t checksum_of(std::span<const std::span<const std::uint8_t>> parts) {
  XXH3_state_t state;
  XXH3_64bits_reset(&state);
  for (const auto part : parts) XXH3_64bits_update(&state, part.data(), part.size());
  return XXH3_64bits_digest(&state);
}

}  // namespace

BlockFileParts::BlockFileParts(SlabRange slabs, std::uint16_t planes,
                               std::span<const BlockEntry> entries,
                               std::span<const std::uint8_t> data)
    : head_{magic, slabs.first, slabs.count, planes},
      parts_{bytes_of(head_), bytes_of(entries), data} {}

std::uint64_t BlockFileParts::bytes() const {
  return parts_[0].size() + parts_[1].size() + parts_[2].size();
}

std::uint64_t BlockFileParts::checksum() const {
  return checksum_of(parts_);
}

void write_blocks(const std::filesystem::path& folder, BlockFile& file, const StateLayout& layout,
                  const LevelPlanes& level, BlockCodec& codec) {
  std::vector<BlockEntry> entries;
  std::vector<std::uint8_t> data;
  level.each_plane([&](int plane) {
    for (std::uint64_t slab = file.slabs.first; slab < file.slabs.end(); ++slab) {
      BlockEntry& entry = entries.emplace_back();
      if (!level.active(slab, plane)) continue;
      entry = codec.append({level.layer->words(slab, plane), layout.words()},
                           level.layer->count(slab, plane), data);
    }
  });
  if (data.empty()) {
    file.name = std::string("-");
    return;
  }
  const BlockFileParts parts(file.slabs, level.planes, entries, data);
  file.bytes = parts.bytes();
  file.checksum = parts.checksum();
  write_atomically(folder / file.name, parts.parts());
}

void BlockFileReader::damaged(const std::string& what) const {
  throw Error(ErrorKind::corrupt, path_.string() + ": " + what);
}

BlockFileReader::BlockFileReader(const std::filesystem::path& folder, const BlockFile& file,
                                 std::uint16_t planes)
    : path_(folder / file.name),
      slabs_(file.slabs),
      entries_(file.slabs.count * static_cast<std::size_t>(std::popcount(planes))) {
  if (file.bytes == 0) return;
  try {
    mapped_ = MappedFile(path_);
  } catch (const Error& error) {
    throw Error(ErrorKind::corrupt, error.what());  // a part of the set is missing
  }
  const std::span<const std::uint8_t> bytes = mapped_.bytes();
  if (bytes.size() != file.bytes) {
    damaged("is " + std::to_string(bytes.size()) + " bytes long, expected " +
            std::to_string(file.bytes));
  }
  if (checksum_of(std::array{bytes}) != file.checksum) damaged("is damaged, its checksum is wrong");
  std::array<std::uint64_t, 4> head{};
  std::uint64_t at = block_data_offset(entries_.size());
  if (bytes.size() < at) damaged("is too short for its index");
  std::memcpy(head.data(), bytes.data(), sizeof head);
  if (head != std::array<std::uint64_t, 4>{magic, slabs_.first, slabs_.count, planes}) {
    damaged("holds other states than the manifest says");
  }
  std::memcpy(entries_.data(), bytes.data() + sizeof head, entries_.size() * sizeof(BlockEntry));
  for (const BlockEntry& entry : entries_) {
    starts_.push_back(at);
    at += entry.length();
  }
  if (at > bytes.size()) damaged("ends within a block");
  if (at < bytes.size()) damaged("is longer than its blocks");
}

std::span<const std::uint8_t> BlockFileReader::block(int plane, std::uint64_t slab) const {
  if (starts_.empty()) return {};
  const std::size_t i = index(plane, slab);
  return mapped_.bytes().subspan(starts_[i], entries_[i].length());
}

void read_blocks(const std::filesystem::path& folder, const BlockFile& file,
                 const StateLayout& layout, const LevelPlanes& level, BlockCodec& codec) {
  const BlockFileReader reader(folder, file, level.planes);
  for (std::uint64_t slab = file.slabs.first; slab < file.slabs.end(); ++slab) {
    if (!level.layer->part().contains(slab)) continue;
    int number = 0;  // of the plane in the file
    level.each_plane([&](int plane) {
      const BlockEntry& entry = reader.entry(number, slab);
      level.layer->set_count(slab, plane, entry.count);
      if (entry.count != 0 && !codec.decode(entry, reader.block(number, slab),
                                            {level.layer->words(slab, plane), layout.words()})) {
        reader.damaged("holds a block that does not decode");
      }
      ++number;
    });
    level.layer->refresh(slab, level.planes);
  }
}

}  // namespace tessera
