// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "census/disk/spill.hpp"
#include "census/state_layout.hpp"

namespace tessera {

/// How disk mode divides the slabs of a rank into batches: at multiples of the batch size in all
/// slabs, whichever ranks hold them, so that most related slabs are in the same batch. The first
/// and the last batch of a rank may be partial.
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

/// Compressed planes of a layer: one segment per batch of slabs and group of planes; any planes of
/// a group identify it.
class SegmentStore {
 public:
  /// `groups` are disjoint; one bit per plane.
  SegmentStore(SlabRange range, std::vector<unsigned> groups, std::uint64_t batch_slabs,
               Spill& spill);
  ~SegmentStore();
  SegmentStore(const SegmentStore&) = delete;
  SegmentStore& operator=(const SegmentStore&) = delete;

  [[nodiscard]] std::size_t batches() const { return grid_.batches(); }
  [[nodiscard]] SlabRange batch(std::size_t index) const { return grid_.batch(index); }
  [[nodiscard]] const Segment& segment(std::size_t batch, unsigned planes) const {
    return segments_[index(batch, planes)];
  }

  struct Block {
    const Segment* segment = nullptr;  ///< null: empty
    std::size_t index = 0;             ///< of its entry
    [[nodiscard]] BlockEntry entry() const {
      return segment == nullptr ? BlockEntry{} : segment->entries[index];
    }
  };
  [[nodiscard]] Block find(std::uint64_t slab, int plane) const;
  /// Reads one block synchronously. Throws Error(corrupt).
  void decode_now(std::uint64_t slab, int plane, std::span<std::uint64_t> words) const;

  /// Blocks by plane of the group, then by slab of the batch; empty `data`: no blocks.
  void replace(std::size_t batch, unsigned planes, std::vector<BlockEntry> entries, Bytes data);
  /// Stores the first state of slab 0, which must be empty, in a plane.
  void set_first_state(int plane, std::size_t slab_words);
  /// Writes a file for each segment of a group that has blocks but no file yet. On failure,
  /// discards those that could not be written.
  void make_files(unsigned planes);
  void drop(std::size_t batch, unsigned planes) { spill_.drop(segments_[index(batch, planes)]); }
  /// Bytes of the blocks of a group.
  [[nodiscard]] std::uint64_t data_bytes(unsigned planes) const;

 private:
  [[nodiscard]] std::size_t group_of(unsigned planes) const;
  [[nodiscard]] std::size_t index(std::size_t batch, unsigned planes) const {
    return batch * groups_.size() + group_of(planes);
  }
  /// Index of the entry of a plane and a slab in its segment.
  [[nodiscard]] std::size_t entry_index(std::uint64_t slab, int plane) const;

  BatchGrid grid_;
  std::vector<unsigned> groups_;
  Spill& spill_;
  std::vector<Segment> segments_;
};

/// Reads blocks of segments, compressed, from memory or asynchronously from files; nearby blocks of
/// a file are read together. Keeps their segments alive.
class BlockReads {
 public:
  explicit BlockReads(Spill& spill) : spill_(&spill) {}

  /// Returns its index, from 0. Not after `begin`.
  std::size_t add(SegmentStore::Block block);
  [[nodiscard]] std::size_t size() const { return blocks_.size(); }
  void begin();
  /// Both throw if reading failed.
  [[nodiscard]] bool done() const;
  void wait() const;

  [[nodiscard]] BlockEntry entry(std::size_t i) const { return blocks_[i].entry(); }
  /// Only when done.
  [[nodiscard]] std::span<const std::uint8_t> bytes(std::size_t i) const;
  /// Throws: these bytes are not what was written.
  [[noreturn]] void damaged(std::size_t i) const;

 private:
  struct Wanted : SegmentStore::Block {
    std::shared_ptr<const Bytes> memory;  // null: in a part
    std::size_t part = 0;
    std::uint64_t offset = 0;  // within the memory or part
  };
  Spill* spill_;
  std::vector<Wanted> blocks_;
  std::shared_ptr<std::vector<Spill::Part>> parts_;
  std::shared_future<void> read_;  // of the parts, if there are any
};

}  // namespace tessera
