// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/ranks.hpp"

namespace tessera {

/// Work items for ranks with shared memory: each rank first takes those of its own part, whose
/// memory it touched first, then what others have left.
class CommonItems {
 public:
  /// `memory`: zeroed, the same on all ranks.
  CommonItems(const Ranks& ranks, std::span<std::uint8_t> memory)
      : ranks_(static_cast<std::size_t>(ranks.size())),
        rank_(static_cast<std::size_t>(ranks.rank())),
        counters_(reinterpret_cast<std::uint64_t*>(memory.data())) {}
  [[nodiscard]] static std::size_t bytes(int ranks) {
    return sets * static_cast<std::size_t>(ranks) * apart * sizeof(std::uint64_t);
  }

  /// Called by all ranks with the same number. They must synchronize between one `begin` and the
  /// next, after completing all items of the former.
  void begin(std::size_t items) {
    ++round_;
    items_ = items;
    std::atomic_ref(taken(round_ + 1, rank_)).store(0, std::memory_order_relaxed);
  }

  /// From any thread of any rank: the next item not yet taken; `items` or more if none is left.
  [[nodiscard]] std::size_t next() {
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

 private:
  // A rank may be a round ahead of another, so one set of counters is in use, the previous one may
  // still be, and the next is being prepared.
  static constexpr std::size_t sets = 3;
  static constexpr std::size_t apart = 8;  // words: each counter has a cache line

  [[nodiscard]] std::uint64_t& taken(std::uint64_t round, std::size_t rank) const {
    return counters_[(round % sets * ranks_ + rank) * apart];
  }

  std::size_t ranks_;
  std::size_t rank_;
  std::uint64_t* counters_;  // shared
  std::uint64_t round_ = 0;
  std::size_t items_ = 0;
};

}  // namespace tessera
