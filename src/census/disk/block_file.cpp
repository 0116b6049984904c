// SPDX-License-Identifier: MIT
#include "census/disk/block_file.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>
#include <bit>
#include <cstring>

#include "base/descriptor.hpp"
#include "base/error.hpp"

namespace tessera {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::uint64_t magic = 0x33736e6563736574;  // "tescens3"

std::uint64_t checksum_of(FileParts parts) {
  XXH3_state_t state;
  XXH3_64bits_reset(&state);
  for (const auto part : parts) XXH3_64bits_update(&state, part.data(), part.size());
  return XXH3_64bits_digest(&state);
}

}  // namespace

void write_block_file(BlockFile& file, unsigned planes, std::span<const BlockEntry> entries,
                      std::span<const std::uint8_t> data,
                      const std::function<void(FileParts)>& write) {
  const std::array<std::uint64_t, 4> head{magic, file.slabs.first, file.slabs.count, planes};
  const std::array parts{raw_bytes(head), raw_bytes(entries), data};
  write(parts);
  file.bytes = parts[0].size() + parts[1].size() + parts[2].size();
  file.checksum = checksum_of(parts);
}

void BlockFileReader::damaged(const std::string& what) const {
  bad_file(path_.string() + ": " + what);
}

BlockFileReader::BlockFileReader(const std::filesystem::path& folder, const BlockFile& file,
                                 unsigned planes)
    : path_(folder / file.name), slabs_(file.slabs) {
  if (file.bytes == 0) return;  // of any number of empty slabs
  entries_.resize(file.slabs.count * static_cast<std::size_t>(std::popcount(planes)));
  try {
    mapped_ = MappedFile(path_);
  } catch (const Error& error) {
    bad_file(error.what());  // another part of the set is missing
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
  if (entries_.empty()) return {};
  const std::size_t i = index(plane, slab);
  return mapped_.bytes().subspan(starts_[i], entries_[i].length());
}

}  // namespace tessera
