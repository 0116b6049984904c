// SPDX-License-Identifier: MIT
#include "census/disk/segment_store.hpp"

#include <bit>
#include <utility>

#include "census/disk/block_file.hpp"
#include "tessera/base/error.hpp"

namespace tessera {

SegmentStore::SegmentStore(TileRange range, std::vector<std::uint16_t> groups,
                           std::uint64_t batch_tiles, Spill& spill)
    : grid_{range, batch_tiles},
      groups_(std::move(groups)),
      spill_(spill),
      batches_(grid_.batches()),
      segments_(batches_ * groups_.size()) {}

SegmentStore::~SegmentStore() {
  for (Segment& segment : segments_) spill_.drop(segment);
}

std::size_t SegmentStore::group_of(std::uint16_t planes) const {
  return static_cast<std::size_t>(std::find(groups_.begin(), groups_.end(), planes) -
                                  groups_.begin());
}

SegmentStore::Block SegmentStore::find(std::uint64_t tile, int plane) const {
  const auto group = static_cast<std::size_t>(
      std::find_if(groups_.begin(), groups_.end(),
                   [&](std::uint16_t planes) { return (planes >> plane & 1) != 0; }) -
      groups_.begin());
  const std::size_t batch = grid_.batch_of(tile);
  const Segment& found = segment(batch, group);
  if (found.entries.empty()) return {};
  const auto place = static_cast<std::size_t>(std::popcount(groups_[group] & ((1U << plane) - 1)));
  return {&found, place * found.tiles.count + (tile - found.tiles.first)};
}

void SegmentStore::decode_now(std::uint64_t tile, int plane, BlockCodec& codec,
                              std::span<std::uint64_t> words) const {
  const Block block = find(tile, plane);
  std::fill(words.begin(), words.end(), 0);
  if (block.segment == nullptr) return;
  const BlockEntry& entry = block.segment->entries[block.index];
  const std::uint32_t start = block.segment->starts[block.index];
  if (entry.length() == 0) return;
  if (const auto memory = spill_.in_memory(*block.segment)) {
    if (codec.decode(entry, memory->span().subspan(start, entry.length()), words)) return;
    throw Error(ErrorKind::internal, "a block in memory is damaged");
  }
  std::vector<Spill::Part> parts(1);
  parts[0] = {block.segment->file, block_data_offset(block.segment->entries.size()) + start,
              Bytes(entry.length())};
  const auto reading = std::make_shared<Spill::Reading>(std::move(parts));
  spill_.read(reading);
  spill_.wait(*reading);
  if (codec.decode(entry, reading->parts[0].bytes.span(), words)) return;
  throw Error(ErrorKind::corrupt, block.segment->file->path().string() + ": is damaged");
}

void SegmentStore::replace(std::size_t batch_index, std::size_t group,
                           std::vector<BlockEntry> entries, Bytes data) {
  Segment& place = segments_[batch_index * groups_.size() + group];
  spill_.drop(place);
  if (data.size == 0) return;
  place.tiles = batch(batch_index);
  place.planes = groups_[group];
  place.entries = std::move(entries);
  std::uint32_t start = 0;
  place.starts.reserve(place.entries.size());
  for (const BlockEntry& entry : place.entries) {
    place.starts.push_back(start);
    start += entry.length();
  }
  place.data_bytes = data.size;
  place.data = std::make_shared<const Bytes>(std::move(data));
  spill_.keep(place);
}

void SegmentStore::forget_files(std::size_t group) {
  for (std::size_t index = 0; index < batches_; ++index) {
    spill_.forget_file(segments_[index * groups_.size() + group]);
  }
}

std::uint64_t SegmentStore::data_bytes(std::size_t group) const {
  std::uint64_t bytes = 0;
  for (std::size_t index = 0; index < batches_; ++index) bytes += segment(index, group).data_bytes;
  return bytes;
}

}  // namespace tessera
