// SPDX-License-Identifier: MIT
#include "census/disk/segment_store.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "census/disk/block_file.hpp"
#include "tessera/base/error.hpp"

namespace tessera {
namespace {

// Bytes between two blocks that are read along rather than asked for twice.
constexpr std::uint64_t gap_bytes = 8 << 10;

}  // namespace

SegmentStore::SegmentStore(SlabRange range, std::vector<std::uint16_t> groups,
                           std::uint64_t batch_slabs, Spill& spill)
    : grid_{range, batch_slabs},
      groups_(std::move(groups)),
      spill_(spill),
      batches_(grid_.batches()),
      segments_(batches_ * groups_.size()) {}

SegmentStore::~SegmentStore() {
  for (Segment& segment : segments_) spill_.drop(segment);
}

std::size_t SegmentStore::group_of(std::uint16_t planes) const {
  return static_cast<std::size_t>(std::ranges::find(groups_, planes) - groups_.begin());
}

std::size_t SegmentStore::group_with(int plane) const {
  const auto holds = [&](std::uint16_t planes) { return (planes >> plane & 1) != 0; };
  return static_cast<std::size_t>(std::ranges::find_if(groups_, holds) - groups_.begin());
}

std::size_t SegmentStore::entry_index(std::size_t group, int plane, const SlabRange& batch,
                                      std::uint64_t slab) const {
  const auto before = static_cast<std::size_t>(std::popcount(groups_[group] & ((1U << plane) - 1)));
  return before * batch.count + (slab - batch.first);
}

SegmentStore::Block SegmentStore::find(std::uint64_t slab, int plane) const {
  const std::size_t group = group_with(plane);
  const Segment& found = segment(grid_.batch_of(slab), group);
  if (found.entries.empty()) return {};
  return {&found, entry_index(group, plane, found.slabs, slab)};
}

void SegmentStore::decode_now(std::uint64_t slab, int plane, BlockCodec& codec,
                              std::span<std::uint64_t> words) const {
  BlockReads reads(spill_);
  const std::size_t block = reads.add(find(slab, plane));
  reads.begin();
  reads.wait();
  if (!codec.decode(reads.entry(block), reads.bytes(block), words)) reads.damaged(block);
}

void SegmentStore::replace(std::size_t batch_index, std::size_t group,
                           std::vector<BlockEntry> entries, Bytes data) {
  Segment& to = segments_[batch_index * groups_.size() + group];
  spill_.drop(to);
  if (data.size == 0) return;
  to.slabs = batch(batch_index);
  to.planes = groups_[group];
  to.entries = std::move(entries);
  std::uint32_t start = 0;
  to.starts.reserve(to.entries.size());
  for (const BlockEntry& entry : to.entries) {
    to.starts.push_back(start);
    start += entry.length();
  }
  to.data_bytes = data.size;
  to.data = std::make_shared<const Bytes>(std::move(data));
  spill_.keep(to);
}

void SegmentStore::store_alone(std::uint64_t slab, int plane, std::span<const std::uint64_t> words,
                               std::uint64_t count) {
  const std::size_t group = group_with(plane);
  const std::size_t index = grid_.batch_of(slab);
  std::vector<std::uint8_t> bytes;
  std::vector<BlockEntry> entries(batch(index).count *
                                  static_cast<std::size_t>(std::popcount(groups_[group])));
  entries[entry_index(group, plane, batch(index), slab)] = BlockCodec().append(words, count, bytes);
  replace(index, group, std::move(entries), Bytes(bytes));
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

std::size_t BlockReads::add(SegmentStore::Block block) {
  Wanted& wanted = blocks_.emplace_back();
  wanted.segment = block.segment;
  wanted.index = block.index;
  return blocks_.size() - 1;
}

void BlockReads::begin() {
  std::vector<Wanted*> missing;
  for (Wanted& block : blocks_) {
    if (block.segment == nullptr) continue;
    block.offset = block.segment->starts[block.index];
    block.memory = spill_->in_memory(*block.segment);
    if (!block.memory && block.segment->entries[block.index].length() != 0) {
      missing.push_back(&block);
    }
  }
  std::sort(missing.begin(), missing.end(), [](const Wanted* a, const Wanted* b) {
    return a->segment != b->segment ? a->segment->file->path() < b->segment->file->path()
                                    : a->offset < b->offset;
  });
  std::vector<Spill::Part> parts;
  for (std::size_t i = 0; i < missing.size();) {
    const Segment* const segment = missing[i]->segment;
    const std::uint64_t begin = missing[i]->offset;
    std::uint64_t end = begin;
    for (; i < missing.size() && missing[i]->segment == segment &&
           missing[i]->offset <= end + gap_bytes;
         ++i) {
      end = std::max(end, missing[i]->offset + segment->entries[missing[i]->index].length());
      missing[i]->part = parts.size();
      missing[i]->offset -= begin;
    }
    parts.push_back(
        {segment->file, block_data_offset(segment->entries.size()) + begin, Bytes(end - begin)});
  }
  if (parts.empty()) return;
  reading_ = std::make_shared<Spill::Reading>(std::move(parts));
  spill_->read(reading_);
}

bool BlockReads::done() const {
  return !reading_ || spill_->done(*reading_);
}

void BlockReads::wait() const {
  if (reading_) spill_->wait(*reading_);
}

BlockEntry BlockReads::entry(std::size_t i) const {
  const Wanted& block = blocks_[i];
  return block.segment == nullptr ? BlockEntry{} : block.segment->entries[block.index];
}

std::span<const std::uint8_t> BlockReads::bytes(std::size_t i) const {
  const Wanted& block = blocks_[i];
  const std::uint32_t length = entry(i).length();
  if (length == 0) return {};
  const Bytes& bytes = block.memory ? *block.memory : reading_->parts[block.part].bytes;
  return bytes.span().subspan(block.offset, length);
}

void BlockReads::damaged(std::size_t i) const {
  const Wanted& block = blocks_[i];
  if (block.memory) throw Error(ErrorKind::internal, "a block in memory is damaged");
  throw Error(ErrorKind::corrupt, block.segment->file->path().string() + ": is damaged");
}

}  // namespace tessera
