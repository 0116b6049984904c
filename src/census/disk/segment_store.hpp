// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "census/disk/spill.hpp"
#include "tessera/census/exchange.hpp"

namespace tessera {

/// How disk mode cuts the slabs of a rank: at every so many slabs, whichever ranks hold
/// them, so that most of what moves split stays within a batch. The first and the last batch of a
/// rank may be parts.
struct BatchGrid {
  SlabRange range;
  std::uint64_t batch_slabs = 1;

  [[nodiscard]] std::size_t batches() const {
    if (range.count == 0) return 0;
    return batch_of(range.first + range.count - 1) + 1;
  }
  [[nodiscard]] SlabRange batch(std::size_t index) const {
    const std::uint64_t cut = (range.first / batch_slabs + index) * batch_slabs;
    const std::uint64_t first = std::max(cut, range.first);
    return {first, std::min(cut + batch_slabs, range.end()) - first};
  }
  [[nodiscard]] std::size_t batch_of(std::uint64_t slab) const {
    return slab / batch_slabs - range.first / batch_slabs;
  }
};

/// Planes of a layer, compressed: a segment for each batch of slabs and group of planes, which is
/// given by its planes or some of them.
class SegmentStore {
 public:
  /// `groups` are disjoint; a bit a plane.
  SegmentStore(SlabRange range, std::vector<std::uint16_t> groups, std::uint64_t batch_slabs,
               Spill& spill);
  ~SegmentStore();
  SegmentStore(const SegmentStore&) = delete;
  SegmentStore& operator=(const SegmentStore&) = delete;

  [[nodiscard]] std::size_t batches() const { return grid_.batches(); }
  [[nodiscard]] SlabRange batch(std::size_t index) const { return grid_.batch(index); }
  [[nodiscard]] const Segment& segment(std::size_t batch, unsigned planes) const {
    return segments_[index(batch, planes)];
  }
  [[nodiscard]] Spill& spill() const { return spill_; }

  struct Block {
    const Segment* segment = nullptr;  ///< null: there is nothing
    std::size_t index = 0;             ///< of its entry
    [[nodiscard]] BlockEntry entry() const {
      return segment == nullptr ? BlockEntry{} : segment->entries[index];
    }
  };
  [[nodiscard]] Block find(std::uint64_t slab, int plane) const;
  /// Reads one block and waits for it. Throws Error(corrupt).
  void decode_now(std::uint64_t slab, int plane, BlockCodec& codec,
                  std::span<std::uint64_t> words) const;

  /// Blocks by plane of the group, then by slab of the batch; nothing where there are no bytes.
  void replace(std::size_t batch, unsigned planes, std::vector<BlockEntry> entries, Bytes data);
  /// A segment of one block, that of this slab and plane.
  void store_alone(std::uint64_t slab, int plane, std::span<const std::uint64_t> words,
                   std::uint64_t count);
  /// Begins to write a file where there are blocks but no file yet.
  void make_file(std::size_t batch, unsigned planes) {
    spill_.make_file(segments_[index(batch, planes)]);
  }
  /// Takes back those that could not be written.
  void forget_files(unsigned planes);
  void drop(std::size_t batch, unsigned planes) { spill_.drop(segments_[index(batch, planes)]); }
  /// Bytes of the blocks of a group.
  [[nodiscard]] std::uint64_t data_bytes(unsigned planes) const;

 private:
  [[nodiscard]] std::size_t group_of(unsigned planes) const;
  [[nodiscard]] std::size_t index(std::size_t batch, unsigned planes) const {
    return batch * groups_.size() + group_of(planes);
  }
  /// Of the entry of a plane and a slab in its segment.
  [[nodiscard]] std::size_t entry_index(std::uint64_t slab, int plane) const;

  BatchGrid grid_;
  std::vector<std::uint16_t> groups_;
  Spill& spill_;
  std::vector<Segment> segments_;
};

/// Blocks of segments, compressed, where they are in memory or on their way from files; those of a
/// file that lie close to one another are read together. Their segments stay meanwhile.
class BlockReads {
 public:
  explicit BlockReads(Spill& spill) : spill_(&spill) {}

  /// Its number, from 0 on. Not after `begin`.
  std::size_t add(SegmentStore::Block block);
  [[nodiscard]] std::size_t size() const { return blocks_.size(); }
  void begin();
  /// Throw where reading failed.
  [[nodiscard]] bool done() const;
  void wait() const;

  [[nodiscard]] BlockEntry entry(std::size_t i) const { return blocks_[i].entry(); }
  /// Once it is done.
  [[nodiscard]] std::span<const std::uint8_t> bytes(std::size_t i) const;
  /// Says that these bytes are not what was written.
  [[noreturn]] void damaged(std::size_t i) const;

 private:
  struct Wanted : SegmentStore::Block {
    std::shared_ptr<const Bytes> memory;  // null: in a part
    std::size_t part = 0;
    std::uint64_t offset = 0;  // into the memory or part
  };
  Spill* spill_;
  std::vector<Wanted> blocks_;
  std::shared_ptr<std::vector<Spill::Part>> parts_;
  std::shared_future<void> read_;  // of the parts, where there are any
};

}  // namespace tessera
