// SPDX-License-Identifier: MIT
#include "census/ranks/memory_sweep.hpp"

#include <algorithm>
#include <array>
#include <atomic>

namespace tessera {
namespace {

// A rank may be a round ahead of another, so one set of counters is in use, the one before it may
// still be, and the next is made ready.
constexpr std::size_t sets = 3;
constexpr std::size_t apart = 8;  // words: each counter has a cache line

}  // namespace

CommonItems::CommonItems(const Exchange& exchange, std::span<std::uint8_t> memory)
    : ranks_(static_cast<std::size_t>(exchange.ranks())),
      rank_(static_cast<std::size_t>(exchange.rank())),
      counters_(reinterpret_cast<std::uint64_t*>(memory.data())) {}

std::size_t CommonItems::bytes(int ranks) {
  return sets * static_cast<std::size_t>(ranks) * apart * sizeof(std::uint64_t);
}

std::uint64_t& CommonItems::taken(std::uint64_t round, std::size_t rank) const {
  return counters_[(round % sets * ranks_ + rank) * apart];
}

void CommonItems::begin(std::size_t items) {
  ++round_;
  items_ = items;
  std::atomic_ref(taken(round_ + 1, rank_)).store(0, std::memory_order_relaxed);
}

std::size_t CommonItems::next() {
  for (std::size_t i = 0; i < ranks_; ++i) {
    const std::size_t rank = (rank_ + i) % ranks_;
    const std::size_t first = items_ * rank / ranks_;
    const std::size_t count = items_ * (rank + 1) / ranks_ - first;
    const std::atomic_ref counter(taken(round_, rank));
    if (counter.load(std::memory_order_relaxed) >= count) continue;
    const std::size_t item = counter.fetch_add(1, std::memory_order_relaxed);
    if (item < count) return first + item;
  }
  return items_;
}

MemorySweep::MemorySweep(const StateLayout& layout, Exchange& exchange, ThreadTeam& team,
                         std::span<std::uint8_t> common)
    : Sweep(layout, exchange, team, !common.empty()), common_(common) {
  if (!common.empty()) {
    items_.emplace(exchange, common);
    common_ = common.subspan(whole_pages(CommonItems::bytes(exchange.ranks())));
  } else if (exchange.ranks() > 1) {
    halo_.emplace(layout, parts_, exchange);
  }
}

std::size_t MemorySweep::common_bytes(const StateLayout& layout, int ranks,
                                      const std::vector<int>& planes) {
  std::size_t bytes = whole_pages(CommonItems::bytes(ranks));
  for (const int count : planes) bytes += Layer::bytes_in_common(layout, count);
  return bytes;
}

Layer::Storage MemorySweep::next_storage(int planes) {
  Layer::Storage storage{.range = slabs(), .part = own_part(), .disk = {}, .common = {}};
  if (items_) {
    const std::size_t bytes = Layer::bytes_in_common(layout_, planes);
    storage.common = common_.first(bytes);
    common_ = common_.subspan(bytes);
  }
  return storage;
}

bool MemorySweep::run(Crossings& crossings, const std::vector<std::uint8_t>& wanted,
                      const Compute& compute, const Progress& progress, const Pass&) {
  const std::size_t chunks = halo_ ? halo_->chunks() : 1;
  std::vector<std::uint64_t> todo;
  std::atomic<bool> go{true};
  std::uint64_t done = 0;
  if (halo_) halo_->start(0, crossings.list());
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    if (chunk + 1 < chunks) halo_->start(chunk + 1, crossings.list());
    const SlabRange part = halo_ ? halo_->chunk(chunk) : slabs();
    crossings.arrive(slabs(), part.first,
                     halo_ ? halo_->finish(chunk) : std::vector<OutsideBlocks>{});
    todo.clear();
    for (std::uint64_t slab = part.first; slab < part.first + part.count; ++slab) {
      if (wanted[slab - slabs().first] != 0) todo.push_back(slab);
    }
    const auto work = [&](std::size_t i, int thread) {
      if (go.load(std::memory_order_relaxed)) compute(todo[i], thread);
    };
    // Threads that progress about as fast as this one.
    const int alike = team_.threads() * (items_ ? exchange_.ranks() : 1);
    std::uint64_t own = 0;
    const auto meanwhile = [&] {
      exchange_.progress();
      if (!progress || (++own & 7) != 0 || !go) return;
      const std::uint64_t here =
          std::min<std::uint64_t>(todo.size(), own * static_cast<std::uint64_t>(alike));
      if (!progress(done + here * part.count / todo.size(), slabs().count)) go = false;
    };
    if (items_) {
      items_->begin(todo.size());
      team_.share(
          todo.size(), [this] { return items_->next(); }, work, meanwhile);
    } else {
      team_.share(todo.size(), work, meanwhile);
    }
    done += part.count;
  }
  return go;
}

void MemorySweep::conclude(Layer& layer, const std::function<void()>& refresh,
                           std::span<std::uint64_t> values) {
  if (!items_) return Sweep::conclude(layer, refresh, values);
  // Others set counts in shared memory; until the next sum they set those of other planes.
  exchange_.sum(values);
  refresh();
}

void MemorySweep::share_active(Layer& layer) {
  if (!items_) return Sweep::share_active(layer);
  std::array<std::uint64_t, 1> nothing{};
  exchange_.sum(nothing);
  for (std::uint64_t slab = 0; slab < layout_.slabs(); ++slab) {
    layer.refresh(slab, (1U << layer.planes()) - 1);
  }
  exchange_.sum(nothing);  // before anybody sets counts of the next level
}

}  // namespace tessera
