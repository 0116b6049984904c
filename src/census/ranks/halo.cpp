// SPDX-License-Identifier: MIT
#include "census/ranks/halo.hpp"

#include <algorithm>

namespace tessera {

std::vector<TileRange> share_tiles(std::uint64_t tiles, int ranks) {
  std::vector<TileRange> parts;
  const auto count = static_cast<std::uint64_t>(ranks);
  for (std::uint64_t rank = 0, first = 0; rank < count; ++rank) {
    const std::uint64_t own = tiles / count + (rank < tiles % count ? 1 : 0);
    parts.push_back({first, own});
    first += own;
  }
  return parts;
}

Halo::Halo(const TileLayout& layout, std::vector<TileRange> parts, Exchange& exchange, bool on_disk)
    : layout_(layout),
      parts_(std::move(parts)),
      exchange_(exchange),
      mine_(parts_.size() == 1 ? parts_.front()
                               : parts_[static_cast<std::size_t>(exchange.rank())]),
      near_(mine_),
      lists_(layout.windows().size()) {
  const std::uint64_t most = parts_.front().count;
  if (parts_.size() == 1 || on_disk) {
    chunk_tiles_ = std::max<std::size_t>(1, most);
    return;
  }
  for (int rank = 0; rank < exchange.ranks(); ++rank) {
    if (rank != exchange.rank()) (exchange.sees(rank) ? shares_ : messages_) = true;
  }
  // A few chunks, so that work and exchange overlap; not so large that what travels is much.
  chunk_tiles_ = std::clamp<std::size_t>(most / 4, 1, 64);
  if (!messages_) chunk_tiles_ = std::max<std::size_t>(1, most);
  chunks_ = std::max<std::size_t>(1, (most + chunk_tiles_ - 1) / chunk_tiles_);
  for (const Window& window : layout.windows()) {
    if (!window.leaves_tile) continue;
    Static& list = lists_[index_of(window)];
    list_incoming(window, list);
    list_outgoing(window, list);
  }
  for (int slot = 0; slot < 2; ++slot) {
    incoming_[slot].resize(parts_.size());
    outgoing_[slot].resize(parts_.size());
  }
}

TileRange Halo::chunk_of(const TileRange& part, std::size_t index) const {
  const std::uint64_t begin = std::min<std::uint64_t>(part.count, index * chunk_tiles_);
  return {part.first + begin, std::min<std::uint64_t>(chunk_tiles_, part.count - begin)};
}

std::uint32_t Halo::owner(std::uint64_t tile) const {
  const auto after = std::upper_bound(
      parts_.begin(), parts_.end(), tile,
      [](std::uint64_t value, const TileRange& part) { return value < part.first; });
  // Empty parts, where ranks outnumber tiles, begin where the one after them does.
  auto part = after - 1;
  while (!part->contains(tile)) --part;
  return static_cast<std::uint32_t>(part - parts_.begin());
}

void Halo::list_incoming(const Window& window, Static& list) const {
  for (std::uint64_t tile = mine_.first; tile < mine_.first + mine_.count; ++tile) {
    list.first.push_back(static_cast<std::uint32_t>(list.in.size()));
    for (std::uint32_t block = 0; block < window.blocks; ++block) {
      const TileLayout::Block from = layout_.source_block(window, tile, block);
      if (mine_.contains(from.tile)) continue;
      list.in.push_back({static_cast<std::uint32_t>(from.tile), from.offset, owner(from.tile)});
    }
  }
  list.first.push_back(static_cast<std::uint32_t>(list.in.size()));
}

void Halo::list_outgoing(const Window& window, Static& list) const {
  list.out.resize(parts_.size() * chunks_);
  // The window keeps within so many tiles that follow one another: most lie wholly elsewhere.
  const std::uint64_t span = window.below * window.groups;
  for (std::size_t rank = 0; rank < parts_.size(); ++rank) {
    const TileRange& part = parts_[rank];
    const int number = static_cast<int>(rank);
    if (number == exchange_.rank() || exchange_.sees(number)) continue;
    for (std::uint64_t tile = part.first; tile < part.first + part.count; ++tile) {
      const std::uint64_t begin = tile / span * span;
      if (begin + span <= mine_.first || begin >= mine_.first + mine_.count) {
        tile = begin + span - 1;
        continue;
      }
      const std::size_t chunk_index = (tile - part.first) / chunk_tiles_;
      for (std::uint32_t block = 0; block < window.blocks; ++block) {
        const TileLayout::Block from = layout_.source_block(window, tile, block);
        if (!mine_.contains(from.tile)) continue;
        list.out[rank * chunks_ + chunk_index].push_back(
            {static_cast<std::uint32_t>(from.tile), from.offset});
      }
    }
  }
}

std::uint64_t Halo::list_bytes() const {
  std::uint64_t bytes = 0;
  for (const Static& list : lists_) {
    bytes += list.in.size() * sizeof(RemoteBlock) + list.first.size() * sizeof(std::uint32_t);
    for (const auto& out : list.out) bytes += out.size() * sizeof(OwnBlock);
  }
  return bytes;
}

void Halo::show(const std::vector<Layer*>& layers) {
  if (parts_.size() == 1) return;
  for (Layer* const layer : layers) {
    Shown& shown = shown_.emplace_back(Shown{layer, {}});
    for (const std::uint8_t* const bytes : exchange_.show(layer->memory())) {
      shown.words.push_back(reinterpret_cast<const std::uint64_t*>(bytes));
    }
  }
}

Halo::Elsewhere Halo::elsewhere(std::size_t pull, std::uint64_t tile) const {
  if (!far_.empty()) return {far_[pull].words.data() + far_[pull].first[tile - near_.first]};
  const Static& list = lists_[index_of(*pulls_[pull].window)];
  if (list.first.empty()) return {};
  const std::size_t local = tile - mine_.first;
  const std::size_t first = list.first[local];
  Elsewhere found{nullptr, list.in.data() + first, sources_[pull]};
  if (messages_) {
    const std::size_t chunk_index = local / chunk_tiles_;
    found.arrived = arrived_[chunk_index % 2][pull].words.data() +
                    (first - list.first[chunk_index * chunk_tiles_]);
  }
  return found;
}

void Halo::begin(std::vector<Pull> pulls) {
  pulls_ = std::move(pulls);
  sources_.clear();
  for (const Pull& pull : pulls_) {
    const auto source = std::find_if(shown_.begin(), shown_.end(), [&](const Shown& shown) {
      return shown.layer == pull.source;
    });
    sources_.push_back(source == shown_.end() ? nullptr : &*source);
  }
  for (auto& arrived : arrived_) arrived.resize(std::max(arrived.size(), pulls_.size()));
}

void Halo::start(std::size_t chunk) {
  if (!messages_) return;
  const int slot = static_cast<int>(chunk % 2);
  const TileRange tiles = chunk_of(mine_, chunk);
  auto& incoming = incoming_[slot];
  auto& outgoing = outgoing_[slot];
  std::vector<std::size_t> expected(parts_.size(), 0);
  const auto each_incoming = [&](const auto& with) {
    for (std::size_t i = 0; i < pulls_.size(); ++i) {
      const Pull& pull = pulls_[i];
      const Static& list = lists_[index_of(*pull.window)];
      if (list.first.empty() || tiles.count == 0) continue;
      const std::size_t local = tiles.first - mine_.first;
      const std::size_t first = list.first[local];
      const std::size_t last = list.first[local + tiles.count];
      arrived_[slot][i].words.resize(last - first);
      for (std::size_t block = first; block < last; ++block) {
        const RemoteBlock& from = list.in[block];
        const bool sent = pull.source->active(from.tile, pull.plane) &&
                          !exchange_.sees(static_cast<int>(from.rank));
        with(from.rank, sent, pull.window->block_words, arrived_[slot][i].words[block - first]);
      }
    }
  };
  each_incoming([&](std::uint32_t rank, bool full, std::uint32_t length, const std::uint64_t*&) {
    expected[rank] += full ? length : 0;
  });
  std::vector<const std::uint64_t*> next(parts_.size(), nullptr);
  std::vector<Exchange::Incoming> in;
  for (std::size_t rank = 0; rank < parts_.size(); ++rank) {
    incoming[rank].resize(expected[rank]);
    next[rank] = incoming[rank].data();
    if (expected[rank] > 0) in.push_back({static_cast<int>(rank), incoming[rank]});
  }
  each_incoming(
      [&](std::uint32_t rank, bool full, std::uint32_t length, const std::uint64_t*& words) {
        words = full ? next[rank] : nullptr;
        next[rank] += full ? length : 0;
      });

  std::vector<Exchange::Outgoing> out;
  for (std::size_t rank = 0; rank < parts_.size(); ++rank) {
    std::vector<std::uint64_t>& words = outgoing[rank];
    words.clear();
    for (const Pull& pull : pulls_) {
      const Static& list = lists_[index_of(*pull.window)];
      if (list.out.empty()) continue;
      for (const OwnBlock& block : list.out[rank * chunks_ + chunk]) {
        if (!pull.source->active(block.tile, pull.plane)) continue;
        const std::uint64_t* const from = pull.source->words(block.tile, pull.plane) + block.offset;
        words.insert(words.end(), from, from + pull.window->block_words);
      }
    }
    words_sent_ += words.size();
    if (!words.empty()) out.push_back({static_cast<int>(rank), words});
  }
  exchange_.start(slot, out, in);
}

void Halo::finish(std::size_t chunk) {
  if (messages_) exchange_.finish(static_cast<int>(chunk % 2));
}

}  // namespace tessera
