// SPDX-License-Identifier: MIT
#include "census/disk/block_reads.hpp"

#include <algorithm>
#include <utility>

#include "census/disk/block_file.hpp"
#include "tessera/base/error.hpp"

namespace tessera {
namespace {

// Bytes between two blocks that are read along rather than asked for twice.
constexpr std::uint64_t gap_bytes = 8 << 10;

}  // namespace

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
