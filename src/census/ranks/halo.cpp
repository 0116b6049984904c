// SPDX-License-Identifier: MIT
#include "census/ranks/halo.hpp"

#include <algorithm>
#include <utility>

namespace tessera {

Halo::Halo(const StateLayout& layout, std::vector<SlabRange> parts, Exchange& exchange)
    : layout_(layout),
      parts_(std::move(parts)),
      exchange_(exchange),
      mine_(parts_[static_cast<std::size_t>(exchange.rank())]),
      lists_(layout.windows().size()) {
  // A few chunks, so that work and exchange overlap; not so large that what travels is much.
  const std::uint64_t most = parts_.front().count;
  chunk_slabs_ = std::clamp<std::size_t>(most / 4, 1, 64);
  chunks_ = std::max<std::size_t>(1, (most + chunk_slabs_ - 1) / chunk_slabs_);
  for (std::size_t i = 0; i < lists_.size(); ++i) {
    const Window& window = layout.windows()[i];
    if (!window.leaves_slab) continue;
    list_incoming(window, lists_[i]);
    list_outgoing(window, lists_[i]);
  }
  for (Slot& slot : slots_) {
    slot.incoming.resize(parts_.size());
    slot.outgoing.resize(parts_.size());
  }
}

SlabRange Halo::chunk_of(const SlabRange& part, std::size_t index) const {
  const std::uint64_t begin = std::min<std::uint64_t>(part.count, index * chunk_slabs_);
  return {part.first + begin, std::min<std::uint64_t>(chunk_slabs_, part.count - begin)};
}

std::uint32_t Halo::owner(std::uint64_t slab) const {
  const auto after = std::upper_bound(
      parts_.begin(), parts_.end(), slab,
      [](std::uint64_t value, const SlabRange& part) { return value < part.first; });
  // Empty parts, where ranks outnumber slabs, begin where the one after them does.
  auto part = after - 1;
  while (!part->contains(slab)) --part;
  return static_cast<std::uint32_t>(part - parts_.begin());
}

void Halo::list_incoming(const Window& window, BlockLists& lists) const {
  for (std::uint64_t slab = mine_.first; slab < mine_.first + mine_.count; ++slab) {
    lists.first.push_back(static_cast<std::uint32_t>(lists.in.size()));
    for (std::uint32_t block = 0; block < window.blocks; ++block) {
      const std::uint64_t from = layout_.source_block(window, slab, block).slab;
      if (mine_.contains(from)) continue;
      lists.in.push_back({static_cast<std::uint32_t>(from), owner(from)});
    }
  }
  lists.first.push_back(static_cast<std::uint32_t>(lists.in.size()));
}

void Halo::list_outgoing(const Window& window, BlockLists& lists) const {
  lists.out.resize(parts_.size() * chunks_);
  // The window keeps within so many slabs that follow one another: most lie wholly elsewhere.
  const std::uint64_t span = window.below * window.groups;
  for (std::size_t rank = 0; rank < parts_.size(); ++rank) {
    const SlabRange& part = parts_[rank];
    if (static_cast<int>(rank) == exchange_.rank()) continue;
    for (std::uint64_t slab = part.first; slab < part.first + part.count; ++slab) {
      const std::uint64_t begin = slab / span * span;
      if (begin + span <= mine_.first || begin >= mine_.first + mine_.count) {
        slab = begin + span - 1;
        continue;
      }
      const std::size_t chunk_index = (slab - part.first) / chunk_slabs_;
      for (std::uint32_t block = 0; block < window.blocks; ++block) {
        const StateLayout::Block from = layout_.source_block(window, slab, block);
        if (!mine_.contains(from.slab)) continue;
        lists.out[rank * chunks_ + chunk_index].push_back(
            {static_cast<std::uint32_t>(from.slab), from.offset});
      }
    }
  }
}

void Halo::start(std::size_t chunk, const std::vector<Crossing>& crossings) {
  Slot& slot = slots_[chunk % 2];
  const std::vector<Exchange::Incoming> in = receive(chunk, slot, crossings);
  const std::vector<Exchange::Outgoing> out = collect(chunk, slot, crossings);
  exchange_.start(static_cast<int>(chunk % 2), out, in);
}

std::vector<OutsideBlocks> Halo::finish(std::size_t chunk) {
  exchange_.finish(static_cast<int>(chunk % 2));
  return std::move(slots_[chunk % 2].arriving);
}

// Where each block will be, once the lengths of the messages are known.
std::vector<Exchange::Incoming> Halo::receive(std::size_t chunk, Slot& slot,
                                              const std::vector<Crossing>& crossings) {
  const SlabRange slabs = chunk_of(mine_, chunk);
  const std::size_t local = slabs.first - mine_.first;
  slot.arriving.assign(crossings.size(), {});
  // Calls with(rank, length, place in `arriving`) for each block that is not empty.
  const auto each_block = [&](const auto& with) {
    for (std::size_t i = 0; i < crossings.size(); ++i) {
      const Crossing& crossing = crossings[i];
      const BlockLists& lists = lists_of(crossing);
      const std::size_t first = lists.first[local];
      for (std::size_t block = first; block < lists.first[local + slabs.count]; ++block) {
        const IncomingBlock& from = lists.in[block];
        if (!crossing.source->active(from.slab, crossing.plane)) continue;
        with(from.rank, crossing.window->block_words, slot.arriving[i].words[block - first]);
      }
    }
  };
  for (std::size_t i = 0; i < crossings.size(); ++i) {
    const auto begin = lists_of(crossings[i]).first.begin() + static_cast<std::ptrdiff_t>(local);
    OutsideBlocks& blocks = slot.arriving[i];
    for (auto first = begin; first != begin + static_cast<std::ptrdiff_t>(slabs.count); ++first) {
      blocks.first.push_back(*first - *begin);
    }
    blocks.words.resize(begin[static_cast<std::ptrdiff_t>(slabs.count)] - *begin);
  }
  std::vector<std::size_t> expected(parts_.size(), 0);
  each_block([&](std::uint32_t rank, std::uint32_t length, const std::uint64_t*&) {
    expected[rank] += length;
  });
  std::vector<Exchange::Incoming> in;
  std::vector<const std::uint64_t*> next;
  for (std::size_t rank = 0; rank < parts_.size(); ++rank) {
    slot.incoming[rank].resize(expected[rank]);
    next.push_back(slot.incoming[rank].data());
    if (expected[rank] > 0) in.push_back({static_cast<int>(rank), slot.incoming[rank]});
  }
  each_block([&](std::uint32_t rank, std::uint32_t length, const std::uint64_t*& words) {
    words = std::exchange(next[rank], next[rank] + length);
  });
  return in;
}

std::vector<Exchange::Outgoing> Halo::collect(std::size_t chunk, Slot& slot,
                                              const std::vector<Crossing>& crossings) {
  std::vector<Exchange::Outgoing> out;
  for (std::size_t rank = 0; rank < parts_.size(); ++rank) {
    std::vector<std::uint64_t>& words = slot.outgoing[rank];
    words.clear();
    for (const Crossing& crossing : crossings) {
      for (const OutgoingBlock& block : lists_of(crossing).out[rank * chunks_ + chunk]) {
        if (!crossing.source->active(block.slab, crossing.plane)) continue;
        const std::uint64_t* const from =
            crossing.source->words(block.slab, crossing.plane) + block.offset;
        words.insert(words.end(), from, from + crossing.window->block_words);
      }
    }
    bytes_sent_ += words.size() * sizeof(std::uint64_t);
    if (!words.empty()) out.push_back({static_cast<int>(rank), words});
  }
  return out;
}

}  // namespace tessera
