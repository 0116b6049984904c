// SPDX-License-Identifier: MIT
#include "census/levels/layer.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

namespace tessera {
namespace {

TileRange first_window(TileRange range, const DiskMode& disk) {
  if (disk.spill == nullptr) return range;
  return {range.first, std::min(range.count, disk.batch_tiles)};
}

}  // namespace

Layer::Layer(const TileLayout& layout, int planes, TileRange range)
    : Layer(layout, planes, Place{range, range}, {}) {}

Layer::Layer(const TileLayout& layout, int planes, const Place& place,
             std::vector<std::uint16_t> groups)
    : range_(place.range),
      part_(place.part),
      window_(first_window(range_, place.disk)),
      planes_(planes),
      stride_(layout.stride()),
      tile_words_(layout.words()),
      segments_(place.disk.spill == nullptr
                    ? nullptr
                    : std::make_unique<SegmentStore>(range_, std::move(groups),
                                                     place.disk.batch_tiles, *place.disk.spill)),
      active_(layout.tiles()) {
  const std::size_t counts = range_.count * static_cast<std::size_t>(planes);
  const std::size_t size = bytes(layout, planes, window_.count);
  if (!place.common.empty()) {
    bytes_ = place.common.first(size);
    counts_ = reinterpret_cast<std::uint32_t*>(place.common.data() + size);
  } else {
    if (place.shown) memory_ = LargeBuffer::shared(size);
    // One that cannot be shown is found out when it is.
    if (memory_.bytes().size() != size) memory_ = LargeBuffer(size);
    bytes_ = memory_.bytes();
    own_counts_.resize(counts);
    counts_ = own_counts_.data();
  }
  words_ = reinterpret_cast<std::uint64_t*>(bytes_.data());
}

void Layer::touch(ThreadTeam& team, const std::function<bool()>& goes_on) {
  constexpr std::size_t huge_page = std::size_t{2} << 20;
  const std::size_t items = (bytes_.size() + huge_page - 1) / huge_page;
  const auto item_of = [&](std::uint64_t tile) {
    return range_.count == 0 ? 0 : items * (tile - range_.first) / range_.count;
  };
  const std::size_t own = item_of(part_.first);
  const std::size_t count = item_of(part_.first + part_.count) - own;
  std::atomic<bool> go{goes_on()};
  team.share(
      items,
      [&](std::size_t item, int) {
        if (!go.load(std::memory_order_relaxed)) return;
        const std::size_t at = (own + item) % items * huge_page;
        const auto part = bytes_.subspan(at, std::min(bytes_.size() - at, huge_page));
        if (item < count) take_from_system(part);
        else map_what_is_there(part);
      },
      [&] { go = go && goes_on(); });
}

const std::uint64_t* Layer::look(std::uint64_t tile, int plane, BlockCodec& codec,
                                 std::span<std::uint64_t> room) {
  if (!segments_) return words(tile, plane);
  segments_->decode_now(tile, plane, codec, room.first(tile_words_));
  return room.data();
}

}  // namespace tessera
