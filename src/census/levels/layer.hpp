// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/memory.hpp"
#include "base/thread_team.hpp"
#include "census/disk/segment_store.hpp"
#include "census/state_layout.hpp"

namespace tessera {

/// Where a complete search keeps what does not fit in memory; by default it does not.
struct DiskMode {
  Spill* spill = nullptr;
  std::uint64_t batch_slabs = 0;
};

/// The number of planes of a layer, and the groups, one bit per plane, that are written together.
struct LayerPlan {
  int planes = 0;
  std::vector<unsigned> groups{};
};

/// A set of planes over the slabs of one rank, slab by slab. Words are valid only if the plane is
/// active in the slab; otherwise they are left over from an earlier level.
///
/// In disk mode the words are those of a window of slabs, filled and emptied by the sweep; all
/// slabs are stored compressed in segments, one per group of planes and batch of slabs.
class Layer {
 public:
  /// Where a layer is stored.
  struct Storage {
    SlabRange range;  ///< slabs whose words this rank can access
    SlabRange part;   ///< those that it restores, saves and reports
    DiskMode disk{};
    std::span<std::uint8_t> common{};  ///< `shared_bytes` shared by all ranks, or nothing
  };

  /// In disk mode if there is a spill.
  Layer(const StateLayout& layout, const LayerPlan& plan, const Storage& storage);

  [[nodiscard]] static std::uint64_t bytes(const StateLayout& layout, int planes,
                                           std::uint64_t slabs) {
    return slabs * static_cast<std::uint64_t>(planes) * layout.stride() * 8 + 64;
  }

  /// The size of words and counts, in whole pages.
  [[nodiscard]] static std::uint64_t shared_bytes(const StateLayout& layout, int planes) {
    const std::uint64_t counts = layout.slabs() * static_cast<std::uint64_t>(planes) * 4;
    return whole_pages(bytes(layout, planes, layout.slabs()) + counts);
  }

  [[nodiscard]] const SlabRange& part() const { return part_; }
  [[nodiscard]] int planes() const { return planes_; }
  /// `slab` is numbered over all ranks and must be in the range.
  [[nodiscard]] std::uint64_t* words(std::uint64_t slab, int plane) {
    return words_ + index(window_, slab, plane) * stride_;
  }
  /// The words that hold states, without the padding for kernels.
  [[nodiscard]] std::span<std::uint64_t> block(std::uint64_t slab, int plane) {
    return {words(slab, plane), slab_words_};
  }
  [[nodiscard]] std::size_t slab_words() const { return slab_words_; }
  [[nodiscard]] std::uint32_t count(std::uint64_t slab, int plane) const {
    return active(slab, plane) ? counts_[count_index(slab, plane)] : 0;
  }
  /// `active` does not change before `refresh`, since other threads read it meanwhile.
  void set_count(std::uint64_t slab, int plane, std::uint32_t count) {
    counts_[count_index(slab, plane)] = count;
  }
  /// The latest count set, even before `refresh`.
  [[nodiscard]] std::uint32_t count_set(std::uint64_t slab, int plane) const {
    return counts_[count_index(slab, plane)];
  }
  /// Updates `active` from the counts of these planes (a bit set).
  void refresh(std::uint64_t slab, unsigned planes) {
    unsigned mask = active_[slab] & ~planes;
    for (int plane = 0; plane < planes_; ++plane) {
      if ((planes >> plane & 1) != 0 && counts_[count_index(slab, plane)] != 0) mask |= 1U << plane;
    }
    active_[slab] = static_cast<std::uint16_t>(mask);
  }

  /// Marks these planes as empty there, whatever their counts are.
  void clear(std::uint64_t slab, unsigned planes) {
    active_[slab] = static_cast<std::uint16_t>(active_[slab] & ~planes);
  }

  /// Sets the first state of slab 0, which must be empty, in a plane.
  void set_first_state(int plane);

  /// By slab of all ranks, one bit per plane: whether it is nonempty. Other ranks' slabs as of the
  /// last `share_active`.
  [[nodiscard]] std::span<std::uint16_t> active() { return active_; }
  [[nodiscard]] std::uint16_t active(std::uint64_t slab) const { return active_[slab]; }
  [[nodiscard]] bool active(std::uint64_t slab, int plane) const {
    return (active_[slab] >> plane & 1) != 0;
  }

  /// Has a team's threads touch every page, which the system then provides zeroed. Otherwise the
  /// thread that first accesses a page does so within a level, which may have a handful of states,
  /// while the others wait at its end. Stops once `may_continue`, which the caller's thread calls,
  /// returns false. All ranks touch shared memory, each its own part first; a page that another
  /// rank has touched only needs to be mapped.
  void touch(ThreadTeam& team, const std::function<bool()>& may_continue);

  /// Null if the layer is in memory.
  [[nodiscard]] SegmentStore* segments() { return segments_.get(); }
  /// Disk mode: sets the slabs that `words` refers to, at most a batch.
  void move_window(SlabRange window) { window_ = window; }
  /// Words of any slab of the range, active or not; in disk mode in `room`, one stride long.
  [[nodiscard]] const std::uint64_t* look(std::uint64_t slab, int plane,
                                          std::span<std::uint64_t> room);

 private:
  [[nodiscard]] std::size_t index(const SlabRange& from, std::uint64_t slab, int plane) const {
    return (slab - from.first) * static_cast<std::size_t>(planes_) +
           static_cast<std::size_t>(plane);
  }
  [[nodiscard]] std::size_t count_index(std::uint64_t slab, int plane) const {
    return index(range_, slab, plane);
  }

  SlabRange range_;
  SlabRange part_;
  SlabRange window_;
  int planes_;
  std::size_t stride_;
  std::size_t slab_words_;
  std::unique_ptr<SegmentStore> segments_;
  LargeBuffer memory_;             // empty if all ranks share it
  std::span<std::uint8_t> bytes_;  // the words
  std::uint64_t* words_;
  std::uint32_t* counts_;  // after them
  std::vector<std::uint16_t> active_;
};

}  // namespace tessera
