// SPDX-License-Identifier: MIT
#include "census/ranks/common_items.hpp"

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

}  // namespace tessera
