// SPDX-License-Identifier: MIT
#include "census/disk/segment_store.hpp"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "census/disk/block_file.hpp"

namespace tessera {
namespace {

// A gap between two blocks up to this many bytes is read rather than skipped.
constexpr std::uint64_t gap_bytes = 8 << 10;

}  // namespace

SegmentStore::SegmentStore(SlabRange range, std::vector<unsigned> groups, std::uint64_t batch_slabs,
                           Spill& spill)
    : grid_{range, batch_slabs},
      groups_(std::move(groups)),
      spill_(spill),
      segments_(grid_.batches() * groups_.size()) {}

SegmentStore::~SegmentStore() {
  for (Segment& segment : segments_) spill_.drop(segment);
}

std::size_t SegmentStore::group_of(unsigned planes) const {
  const auto holds = [&](unsigned group) { return (group & planes) != 0; };
  return static_cast<std::size_t>(std::ranges::find_if(groups_, holds) - groups_.begin());
}

std::size_t SegmentStore::entry_index(std::uint64_t slab, int plane) const {
  const unsigned group = groups_[group_of(1U << plane)];
  const auto before = static_cast<std::size_t>(std::popcount(group & ((1U << plane) - 1)));
  const SlabRange slabs = batch(grid_.batch_of(slab));
  return before * slabs.count + (slab - slabs.first);
}

SegmentStore::Block SegmentStore::find(std::uint64_t slab, int plane) const {
  const Segment& found = segment(grid_.batch_of(slab), 1U << plane);
  if (found.entries.empty()) return {};
  return {&found, entry_index(slab, plane)};
}

void SegmentStore::decode_now(std::uint64_t slab, int plane, std::span<std::uint64_t> words) const {
  BlockReads reads(spill_);
  const std::size_t block = reads.add(find(slab, plane));
  reads.begin();
  reads.wait();
  if (!decode_block(reads.entry(block), reads.bytes(block), words)) reads.damaged(block);
}

void SegmentStore::replace(std::size_t batch_index, unsigned planes,
                           std::vector<BlockEntry> entries, Bytes data) {
  Segment& to = segments_[index(batch_index, planes)];
  spill_.drop(to);
  if (data.empty()) return;
  to.slabs = batch(batch_index);
  to.planes = groups_[group_of(planes)];
  to.entries = std::move(entries);
  std::uint32_t start = 0;
  to.starts.reserve(to.entries.size());
  for (const BlockEntry& entry : to.entries) {
    to.starts.push_back(start);
    start += entry.length();
  }
  to.data_bytes = data.size();
  to.data = std::make_shared<const Bytes>(std::move(data));
  spill_.keep(to);
}

void SegmentStore::set_first_state(int plane, std::size_t slab_words) {
  std::vector<std::uint64_t> words(slab_words);
  words[0] = 1;
  const auto planes = static_cast<std::size_t>(std::popcount(groups_[group_of(1U << plane)]));
  std::vector<BlockEntry> entries(batch(0).count * planes);
  Bytes bytes;
  entries[entry_index(0, plane)] = append_block(words, 1, bytes);
  replace(0, 1U << plane, std::move(entries), std::move(bytes));
}

void SegmentStore::make_files(unsigned planes) {
  try {
    for (std::size_t batch = 0; batch < batches(); ++batch) {
      spill_.make_file(segments_[index(batch, planes)]);
    }
    spill_.flush();
  } catch (const Error&) {
    for (std::size_t batch = 0; batch < batches(); ++batch) {
      spill_.forget_file(segments_[index(batch, planes)]);
    }
    throw;
  }
}

std::uint64_t SegmentStore::data_bytes(unsigned planes) const {
  std::uint64_t bytes = 0;
  for (std::size_t batch = 0; batch < batches(); ++batch)
    bytes += segment(batch, planes).data_bytes;
  return bytes;
}

std::size_t BlockReads::add(SegmentStore::Block block) {
  blocks_.push_back({block, nullptr, 0, 0});
  return blocks_.size() - 1;
}

void BlockReads::begin() {
  std::vector<Wanted*> missing;
  for (Wanted& block : blocks_) {
    if (block.segment == nullptr) continue;
    block.offset = block.segment->starts[block.index];
    block.memory = block.segment->in_memory();
    if (!block.memory && block.entry().length() != 0) missing.push_back(&block);
  }
  if (missing.empty()) return;
  std::ranges::sort(missing, {}, [](const Wanted* block) {
    return std::tie(block->segment->file->path.native(), block->offset);
  });
  parts_ = std::make_shared<std::vector<Spill::Part>>();
  for (std::size_t i = 0; i < missing.size();) {
    const Segment* const segment = missing[i]->segment;
    const std::uint64_t begin = missing[i]->offset;
    std::uint64_t end = begin;
    for (; i < missing.size() && missing[i]->segment == segment &&
           missing[i]->offset <= end + gap_bytes;
         ++i) {
      end = std::max(end, missing[i]->offset + missing[i]->entry().length());
      missing[i]->part = parts_->size();
      missing[i]->offset -= begin;
    }
    parts_->push_back(
        {segment->file, block_data_offset(segment->entries.size()) + begin, Bytes(end - begin)});
  }
  read_ = spill_->read(parts_);
}

bool BlockReads::done() const {
  if (read_.valid() && !is_ready(read_)) return false;
  wait();
  return true;
}

void BlockReads::wait() const {
  if (read_.valid()) read_.get();
}

std::span<const std::uint8_t> BlockReads::bytes(std::size_t i) const {
  const Wanted& block = blocks_[i];
  if (block.segment == nullptr || block.entry().length() == 0) return {};
  const std::span<const std::uint8_t> bytes =
      block.memory ? *block.memory : (*parts_)[block.part].bytes;
  return bytes.subspan(block.offset, block.entry().length());
}

void BlockReads::damaged(std::size_t i) const {
  const Wanted& block = blocks_[i];
  if (block.memory) internal_failure("a block in memory is damaged");
  bad_file(block.segment->file->path.string() + ": is damaged");
}

}  // namespace tessera
