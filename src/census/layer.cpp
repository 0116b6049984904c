// SPDX-License-Identifier: MIT
#include "census/layer.hpp"

#include <algorithm>
#include <utility>

namespace tessera {
namespace {

TileRange first_window(TileRange range, const DiskMode& disk) {
  if (disk.spill == nullptr) return range;
  return {range.first, std::min(range.count, disk.batch_tiles)};
}

}  // namespace

Layer::Layer(const TileLayout& layout, int planes, TileRange range)
    : Layer(layout, planes, range, {}, {}) {}

Layer::Layer(const TileLayout& layout, int planes, TileRange range, const DiskMode& disk,
             std::vector<std::uint16_t> groups)
    : range_(range),
      window_(first_window(range, disk)),
      planes_(planes),
      stride_(layout.stride()),
      tile_words_(layout.words()),
      segments_(disk.spill == nullptr
                    ? nullptr
                    : std::make_unique<SegmentStore>(range, std::move(groups), disk.batch_tiles,
                                                     *disk.spill)),
      memory_(bytes(layout, planes, window_.count)),
      words_(reinterpret_cast<std::uint64_t*>(memory_.bytes().data())),
      counts_(range.count * static_cast<std::size_t>(planes)),
      active_(layout.tiles()) {}

void Layer::touch(Team& team, const std::atomic<bool>& stop) {
  constexpr std::size_t huge_page = std::size_t{2} << 20;
  constexpr std::size_t page = 4096;
  const std::span<std::uint8_t> bytes = memory_.bytes();
  team.share((bytes.size() + huge_page - 1) / huge_page, [&](std::size_t item, int) {
    if (stop.load(std::memory_order_relaxed)) return;
    const std::size_t end = std::min(bytes.size(), (item + 1) * huge_page);
    for (std::size_t at = item * huge_page; at < end; at += page) {
      static_cast<volatile std::uint8_t&>(bytes[at]) = 0;
    }
  });
}

const std::uint64_t* Layer::look(std::uint64_t tile, int plane, BlockCodec& codec,
                                 std::span<std::uint64_t> room) {
  if (!segments_) return words(tile, plane);
  segments_->decode_now(tile, plane, codec, room.first(tile_words_));
  return room.data();
}

}  // namespace tessera
