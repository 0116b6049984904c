// SPDX-License-Identifier: MIT
#include "census/block_file.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "tessera/base/error.hpp"
#include "tessera/base/file.hpp"

namespace tessera {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::uint64_t magic = 0x31736e6563736574;  // "tescens1"
constexpr unsigned form_shift = 28;

struct Entry {
  std::uint32_t count = 0;
  std::uint32_t form_and_length = 0;
};

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

void write_blocks(const std::filesystem::path& folder, BlockFile& file, const TileLayout& layout,
                  const LevelPlanes& level, BlockCodec& codec) {
  const std::array<std::uint64_t, 4> head{magic, file.tiles.first, file.tiles.count, level.planes};
  std::vector<Entry> entries;
  std::vector<std::uint8_t> data;
  for (std::uint64_t tile = file.tiles.first; tile < file.tiles.first + file.tiles.count; ++tile) {
    for (int plane = 0; plane < level.layer->planes(); ++plane) {
      if ((level.planes >> plane & 1) == 0) continue;
      Entry& entry = entries.emplace_back();
      if (!level.active(tile, plane)) continue;
      entry.count = level.layer->count(tile, plane);
      const std::size_t before = data.size();
      const BlockForm form =
          codec.encode({level.layer->words(tile, plane), layout.words()}, entry.count, data);
      entry.form_and_length = static_cast<std::uint32_t>(form) << form_shift |
                              static_cast<std::uint32_t>(data.size() - before);
    }
  }
  const std::array parts{bytes_of(head), bytes_of(entries), bytes_of(data)};
  file.bytes = parts[0].size() + parts[1].size() + parts[2].size();
  file.checksum = checksum_of(parts);
  write_atomically(folder / file.name, parts);
}

void read_blocks(const std::filesystem::path& folder, const BlockFile& file,
                 const TileLayout& layout, const LevelPlanes& level, BlockCodec& codec) {
  const std::filesystem::path path = folder / file.name;
  const auto damaged = [&](const std::string& what) {
    throw Error(ErrorKind::corrupt, path.string() + ": " + what);
  };
  MappedFile mapped;
  try {
    mapped = MappedFile(path);
  } catch (const Error& error) {
    throw Error(ErrorKind::corrupt, error.what());  // a part of the set is missing
  }
  const std::span<const std::uint8_t> bytes = mapped.bytes();
  if (bytes.size() != file.bytes) {
    damaged("is " + std::to_string(bytes.size()) + " bytes long, expected " +
            std::to_string(file.bytes));
  }
  if (checksum_of(std::array{bytes}) != file.checksum) damaged("is damaged, its checksum is wrong");
  std::array<std::uint64_t, 4> head{};
  const auto planes = static_cast<std::uint64_t>(std::popcount(level.planes));
  std::vector<Entry> entries(file.tiles.count * planes);
  const std::size_t index_bytes = entries.size() * sizeof(Entry);
  if (bytes.size() < sizeof head + index_bytes) damaged("is too short for its tiles");
  std::memcpy(head.data(), bytes.data(), sizeof head);
  if (head !=
      std::array<std::uint64_t, 4>{magic, file.tiles.first, file.tiles.count, level.planes}) {
    damaged("holds other tiles than its name says");
  }
  std::memcpy(entries.data(), bytes.data() + sizeof head, index_bytes);
  std::size_t at = sizeof head + index_bytes;
  const Entry* entry = entries.data();
  for (std::uint64_t tile = file.tiles.first; tile < file.tiles.first + file.tiles.count; ++tile) {
    for (int plane = 0; plane < level.layer->planes(); ++plane) {
      if ((level.planes >> plane & 1) == 0) continue;
      const auto form = static_cast<BlockForm>(entry->form_and_length >> form_shift);
      const std::size_t length = entry->form_and_length & ((1U << form_shift) - 1);
      const std::uint32_t count = (entry++)->count;
      if (bytes.size() - at < length) damaged("ends within a block");
      if (level.layer->range().contains(tile)) {
        const std::span<std::uint64_t> words{level.layer->words(tile, plane), layout.words()};
        level.layer->set_count(tile, plane, count);
        if (count != 0 && !codec.decode(form, bytes.subspan(at, length), count, words)) {
          damaged("holds a block that does not decode");
        }
      }
      at += length;
    }
    if (level.layer->range().contains(tile)) level.layer->refresh(tile, level.planes);
  }
  if (at != bytes.size()) damaged("is longer than its blocks");
}

}  // namespace tessera
