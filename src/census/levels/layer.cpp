// SPDX-License-Identifier: MIT
#include "census/levels/layer.hpp"

#include <algorithm>
#include <atomic>

namespace tessera {

Layer::Layer(const StateLayout& layout, const LayerPlan& plan, const Storage& storage)
    : range_(storage.range),
      part_(storage.part),
      window_(range_),
      planes_(plan.planes),
      stride_(layout.stride()),
      slab_words_(layout.words()),
      segments_(storage.disk.spill == nullptr
                    ? nullptr
                    : std::make_unique<SegmentStore>(range_, plan.groups, storage.disk.batch_slabs,
                                                     *storage.disk.spill)),
      active_(layout.slabs()) {
  if (segments_) window_.count = std::min(range_.count, storage.disk.batch_slabs);
  const std::size_t size = bytes(layout, planes_, window_.count);
  const std::size_t counts = range_.count * static_cast<std::size_t>(planes_) * sizeof *counts_;
  if (storage.common.empty()) memory_ = LargeBuffer(size + counts);
  bytes_ = (storage.common.empty() ? memory_.bytes() : storage.common).first(size);
  words_ = reinterpret_cast<std::uint64_t*>(bytes_.data());
  counts_ = reinterpret_cast<std::uint32_t*>(bytes_.data() + size);
}

void Layer::touch(ThreadTeam& team, const std::function<bool()>& may_continue) {
  const std::size_t items = (bytes_.size() + huge_page - 1) / huge_page;
  const auto item_of = [&](std::uint64_t slab) {
    return range_.count == 0 ? 0 : items * (slab - range_.first) / range_.count;
  };
  const std::size_t own = item_of(part_.first);
  const std::size_t count = item_of(part_.end()) - own;
  std::atomic<bool> go{may_continue()};
  team.share(
      items,
      [&](std::size_t item, int) {
        if (!go.load(std::memory_order_relaxed)) return;
        const std::size_t at = (own + item) % items * huge_page;
        const auto part = bytes_.subspan(at, std::min(bytes_.size() - at, huge_page));
        if (item < count) take_from_system(part);
        else map_what_is_there(part);
      },
      [&] { go = go && may_continue(); });
}

void Layer::set_first_state(int plane) {
  if (segments_) segments_->set_first_state(plane, slab_words_);
  else words(0, plane)[0] = 1;
  set_count(0, plane, 1);
  refresh(0, 1U << plane);
}

const std::uint64_t* Layer::look(std::uint64_t slab, int plane, std::span<std::uint64_t> room) {
  if (!segments_) return words(slab, plane);
  segments_->decode_now(slab, plane, room.first(slab_words_));
  return room.data();
}

}  // namespace tessera
