// SPDX-License-Identifier: MIT
#include "census/checkpoint/level_files.hpp"

#include <algorithm>
#include <bit>
#include <memory>

#include "base/file.hpp"
#include "base/mapped_file.hpp"

namespace tessera {
namespace {

constexpr std::uint64_t most_file_words = std::uint64_t{4} << 20;

std::uint64_t plane_count(const LevelPlanes& level) {
  return static_cast<std::uint64_t>(std::popcount(level.planes));
}

std::string file_name(const std::string& prefix, const SlabRange& slabs) {
  return prefix + std::to_string(slabs.first) + ".blocks";
}

// Atomically writes a file of slabs that are in memory.
void write_blocks(const std::filesystem::path& folder, BlockFile& file, const LevelPlanes& level) {
  std::vector<BlockEntry> entries;
  Bytes data;
  data.reserve(file.slabs.count * plane_count(level) * level.layer->slab_words() * 8);
  level.each_plane([&](int plane) {
    for (std::uint64_t slab = file.slabs.first; slab < file.slabs.end(); ++slab) {
      BlockEntry& entry = entries.emplace_back();
      if (!level.active(slab, plane)) continue;
      entry = append_block(level.layer->block(slab, plane), level.layer->count(slab, plane), data);
    }
  });
  if (data.empty()) return;
  write_block_file(file, level.planes, entries, data,
                   [&](const auto& parts) { write_atomically(folder / file.name, parts); });
}

LevelFiles write_level(const std::filesystem::path& folder, ThreadTeam& team,
                       const LevelPlanes& level, const std::string& prefix) {
  const SlabRange& mine = level.layer->part();
  const std::uint64_t slab_words = plane_count(level) * level.layer->slab_words();
  const std::uint64_t file_words =
      std::min(most_file_words,
               encoded_words(mine.count * slab_words) / static_cast<std::uint64_t>(team.threads()));
  const std::uint64_t file_slabs = std::max<std::uint64_t>(1, file_words / slab_words);
  LevelFiles written;
  for (std::uint64_t done = 0; done < mine.count; done += file_slabs) {
    BlockFile& file = written.files.emplace_back();
    file.slabs = {mine.first + done, std::min(file_slabs, mine.count - done)};
    file.name = file_name(prefix, file.slabs);
  }
  team.share(written.files.size(),
             [&](std::size_t file, int) { write_blocks(folder, written.files[file], level); });
  for (const BlockFile& file : written.files) written.bytes_written += file.bytes;
  return written;
}

LevelFiles link_level(const std::filesystem::path& folder, const LevelPlanes& level,
                      const std::string& prefix) {
  SegmentStore& segments = *level.layer->segments();
  segments.make_files(level.planes);
  LevelFiles linked;
  for (std::size_t batch = 0; batch < segments.batches(); ++batch) {
    const SlabRange slabs = segments.batch(batch);
    const Segment& segment = segments.segment(batch, level.planes);
    if (!segment.file) {
      if (linked.files.empty() || linked.files.back().bytes != 0) {
        linked.files.emplace_back().slabs.first = slabs.first;
      }
      linked.files.back().slabs.count += slabs.count;
      continue;
    }
    BlockFile& file = linked.files.emplace_back(segment.file->blocks);
    file.name = file_name(prefix, slabs);
    if (link_whole(segment.file->path, folder / file.name)) continue;
    const MappedFile whole(segment.file->path);
    write_atomically(folder / file.name, std::array{whole.bytes()});
    linked.bytes_written += file.bytes;
  }
  return linked;
}

// Reads words and counts of the file's slabs that are in the layer, which is in memory.
void read_blocks(const std::filesystem::path& folder, const BlockFile& file,
                 const LevelPlanes& level) {
  const BlockFileReader reader(folder, file, level.planes);
  for (std::uint64_t slab = file.slabs.first; slab < file.slabs.end(); ++slab) {
    if (!level.layer->part().contains(slab)) continue;
    int number = 0;  // the plane's index in the file
    level.each_plane([&](int plane) {
      const BlockEntry& entry = reader.entry(number, slab);
      level.layer->set_count(slab, plane, entry.count);
      if (entry.count != 0 &&
          !decode_block(entry, reader.block(number, slab), level.layer->block(slab, plane))) {
        reader.damaged("holds a block that does not decode");
      }
      ++number;
    });
    level.layer->refresh(slab, level.planes);
  }
}

// Copies blocks without recoding from files, in ascending order, into segments, whose batch
// boundaries may differ.
void load_segments(const std::filesystem::path& folder, const LevelPlanes& level,
                   const std::vector<BlockFile>& files) {
  SegmentStore& segments = *level.layer->segments();
  std::vector<std::unique_ptr<BlockFileReader>> readers(files.size());
  std::size_t first = 0;  // the first file with slabs still to copy
  for (std::size_t index = 0; index < segments.batches(); ++index) {
    const SlabRange batch = segments.batch(index);
    std::vector<BlockEntry> entries;
    Bytes bytes;
    for (int plane = 0; plane < std::popcount(level.planes); ++plane) {
      std::size_t file = first;
      for (std::uint64_t slab = batch.first; slab < batch.end(); ++slab) {
        while (!files[file].slabs.contains(slab)) ++file;
        auto& reader = readers[file];
        if (!reader) reader = std::make_unique<BlockFileReader>(folder, files[file], level.planes);
        const std::span<const std::uint8_t> block = reader->block(plane, slab);
        entries.push_back(reader->entry(plane, slab));
        bytes.insert(bytes.end(), block.begin(), block.end());
      }
    }
    for (std::uint64_t i = 0; i < batch.count; ++i) {
      std::size_t entry = i;  // entries are ordered by plane
      level.each_plane([&](int plane) {
        level.layer->set_count(batch.first + i, plane, entries[entry].count);
        entry += batch.count;
      });
      level.layer->refresh(batch.first + i, level.planes);
    }
    segments.replace(index, level.planes, std::move(entries), std::move(bytes));
    for (; first < files.size() && files[first].slabs.end() <= batch.end(); ++first) {
      readers[first].reset();
    }
  }
}

}  // namespace

LevelFiles save_level(const std::filesystem::path& folder, ThreadTeam& team,
                      const LevelPlanes& level, const std::string& prefix) {
  return level.layer->segments() != nullptr ? link_level(folder, level, prefix)
                                            : write_level(folder, team, level, prefix);
}

void load_level(const std::filesystem::path& folder, ThreadTeam& team, const LevelPlanes& level,
                std::vector<BlockFile> files) {
  const SlabRange& mine = level.layer->part();
  for (std::uint64_t slab = mine.first; slab < mine.end(); ++slab) {
    level.layer->clear(slab, level.planes);
  }
  std::erase_if(files, [&](const BlockFile& file) {
    return file.slabs.end() <= mine.first || file.slabs.first >= mine.end();
  });
  if (level.layer->segments() != nullptr) return load_segments(folder, level, files);
  team.share(files.size(), [&](std::size_t file, int) { read_blocks(folder, files[file], level); });
}

}  // namespace tessera
