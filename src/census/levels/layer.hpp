// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "census/disk/segment_store.hpp"
#include "tessera/base/memory.hpp"
#include "tessera/base/thread_team.hpp"
#include "tessera/census/exchange.hpp"
#include "tessera/census/tile_layout.hpp"

namespace tessera {

/// Where a complete search keeps what does not fit into memory: nowhere, by default.
struct DiskMode {
  Spill* spill = nullptr;
  std::uint64_t batch_tiles = 0;
};

/// Some planes of the map over the tiles of one rank, tile by tile. Words count only where the
/// plane is active in the tile; elsewhere they are left over from a level before.
///
/// In disk mode the words are those of a window of tiles, which others fill and empty; all tiles
/// lie compressed in segments, a segment a group of planes and a batch of tiles.
class Layer {
 public:
  /// Where a layer lies.
  struct Place {
    TileRange range;  ///< tiles whose words are at hand
    TileRange part;   ///< those of them that this rank answers for: reads, keeps and tells
    DiskMode disk{};
    bool shown = false;                ///< other processes are to see the words
    std::span<std::uint8_t> common{};  ///< `bytes_in_common` that all ranks have, or nothing
  };

  Layer(const TileLayout& layout, int planes, TileRange range);
  /// In disk mode where there is a spill. `groups`: planes that are written together.
  Layer(const TileLayout& layout, int planes, const Place& place,
        std::vector<std::uint16_t> groups);

  [[nodiscard]] static std::uint64_t bytes(const TileLayout& layout, int planes,
                                           std::uint64_t tiles) {
    return tiles * static_cast<std::uint64_t>(planes) * layout.stride() * 8 + 64;
  }

  /// Words and counts, in whole pages.
  [[nodiscard]] static std::uint64_t bytes_in_common(const TileLayout& layout, int planes) {
    const std::uint64_t counts = layout.tiles() * static_cast<std::uint64_t>(planes) * 4;
    return whole_pages(bytes(layout, planes, layout.tiles()) + counts);
  }

  [[nodiscard]] const TileRange& range() const { return range_; }
  [[nodiscard]] const TileRange& part() const { return part_; }
  [[nodiscard]] int planes() const { return planes_; }
  /// `tile` counts over the whole map and lies in the range.
  [[nodiscard]] std::uint64_t* words(std::uint64_t tile, int plane) {
    return words_ + word_place(tile, plane);
  }
  [[nodiscard]] const std::uint64_t* words(std::uint64_t tile, int plane) const {
    return words_ + word_place(tile, plane);
  }
  /// How many words into the memory of a rank that has this layer for `range` a tile begins.
  [[nodiscard]] std::size_t words_into(const TileRange& range, std::uint64_t tile,
                                       int plane) const {
    return ((tile - range.first) * static_cast<std::size_t>(planes_) +
            static_cast<std::size_t>(plane)) *
           stride_;
  }
  [[nodiscard]] std::uint32_t count(std::uint64_t tile, int plane) const {
    return active(tile, plane) ? counts_[place(tile, plane)] : 0;
  }
  /// Does not show in `active` before `refresh`, as other threads read that meanwhile.
  void set_count(std::uint64_t tile, int plane, std::uint32_t count) {
    counts_[place(tile, plane)] = count;
  }
  /// As it was set last, whether `active` tells of it or not.
  [[nodiscard]] std::uint32_t count_set(std::uint64_t tile, int plane) const {
    return counts_[place(tile, plane)];
  }
  /// Makes `active` tell of these planes, bit by plane, what their counts are.
  void refresh(std::uint64_t tile, unsigned planes) {
    unsigned mask = active_[tile] & ~planes;
    for (int plane = 0; plane < planes_; ++plane) {
      if ((planes >> plane & 1) != 0 && counts_[place(tile, plane)] != 0) mask |= 1U << plane;
    }
    active_[tile] = static_cast<std::uint16_t>(mask);
  }

  /// By tile of the whole map, bit by plane: where there is anything. Other ranks' tiles as of the
  /// last exchange.
  [[nodiscard]] std::span<std::uint16_t> active() { return active_; }
  [[nodiscard]] std::uint16_t active(std::uint64_t tile) const { return active_[tile]; }
  [[nodiscard]] bool active(std::uint64_t tile, int plane) const {
    return (active_[tile] >> plane & 1) != 0;
  }

  /// Has a team's threads touch every page, which the system then hands out zeroed. Otherwise the
  /// thread that first reaches a page does so within a level, which may hold a handful of states,
  /// while the others wait at its end. Stops touching once `goes_on`, which the caller's thread
  /// asks, is false. All ranks touch memory in common, each its own part first; a page that another
  /// rank has touched only needs to be mapped.
  void touch(ThreadTeam& team, const std::function<bool()>& goes_on);

  [[nodiscard]] const LargeBuffer& memory() const { return memory_; }
  /// Null in memory.
  [[nodiscard]] SegmentStore* segments() { return segments_.get(); }
  /// Disk mode: which tiles `words` are of from here on; at most a batch of them.
  void move_window(TileRange window) { window_ = window; }
  /// Words of any tile of the range, active or not; in disk mode in `room`, a stride of words.
  [[nodiscard]] const std::uint64_t* look(std::uint64_t tile, int plane, BlockCodec& codec,
                                          std::span<std::uint64_t> room);

 private:
  [[nodiscard]] std::size_t word_place(std::uint64_t tile, int plane) const {
    return words_into(window_, tile, plane);
  }
  [[nodiscard]] std::size_t place(std::uint64_t tile, int plane) const {
    return (tile - range_.first) * static_cast<std::size_t>(planes_) +
           static_cast<std::size_t>(plane);
  }

  TileRange range_;
  TileRange part_;
  TileRange window_;
  int planes_;
  std::size_t stride_;
  std::size_t tile_words_;
  std::unique_ptr<SegmentStore> segments_;
  LargeBuffer memory_;             // unless it is in common
  std::span<std::uint8_t> bytes_;  // of words
  std::uint64_t* words_;
  std::vector<std::uint32_t> own_counts_;
  std::uint32_t* counts_;
  std::vector<std::uint16_t> active_;
};

}  // namespace tessera
