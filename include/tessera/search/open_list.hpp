// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tessera/search/state_table.hpp"
#include "tessera/search/subtree_search.hpp"

namespace tessera {

/// The nodes that wait to be expanded, in buckets named by two small numbers: the smallest `rank`
/// first (f for A*), among these the smallest `h` (the deepest), among these the latest. Both ends
/// of a bucket are one, so a push and a pop touch the same few cache lines; buckets are chains of
/// blocks, so that none is ever copied to grow.
template <class State>
class OpenList {
 public:
  explicit OpenList(MemoryBudget& budget) : budget_(budget) {}
  ~OpenList() { budget_.give(blocks_.size() * sizeof(Block)); }
  OpenList(const OpenList&) = delete;
  OpenList& operator=(const OpenList&) = delete;

  /// Throws MemoryFull.
  void push(int rank, int h, const State& state) {
    const auto row_index = static_cast<std::size_t>(rank);
    const auto h_index = static_cast<std::size_t>(h);
    if (row_index >= rows_.size()) rows_.resize(row_index + 1);
    Row& row = rows_[row_index];
    if (h_index >= row.buckets.size()) row.buckets.resize(h_index + 1);
    Bucket& bucket = row.buckets[h_index];
    if (bucket.used == 0 || bucket.used == Block::size) {
      Block* const block = fresh();
      block->below = bucket.top;
      bucket.top = block;
      bucket.used = 0;
    }
    bucket.top->states[bucket.used++] = state;
    ++row.count;
    ++count_;
    row.lowest = std::min(row.lowest, h_index);
    lowest_ = std::min(lowest_, row_index);
  }

  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// The rank of the next state, or no_bound where there is none.
  [[nodiscard]] int rank() {
    if (count_ == 0) return no_bound;
    while (rows_[lowest_].count == 0) ++lowest_;
    return static_cast<int>(lowest_);
  }
  /// The h of the next state; there must be one.
  [[nodiscard]] int h() {
    Row& row = rows_[static_cast<std::size_t>(rank())];
    while (row.buckets[row.lowest].used == 0) ++row.lowest;
    return static_cast<int>(row.lowest);
  }

  /// Takes states of one bucket, that of rank() and h(), as many as fit and there are.
  std::size_t pop(std::span<State> states) {
    const int h_now = h();
    Row& row = rows_[lowest_];
    Bucket& bucket = row.buckets[static_cast<std::size_t>(h_now)];
    std::size_t taken = 0;
    while (taken < states.size() && bucket.used > 0) {
      states[taken++] = bucket.top->states[--bucket.used];
      if (bucket.used > 0) continue;
      Block* const emptied = bucket.top;
      bucket.top = emptied->below;
      if (bucket.top != nullptr) bucket.used = Block::size;
      emptied->below = free_;
      free_ = emptied;
    }
    row.count -= taken;
    count_ -= taken;
    return taken;
  }

 private:
  struct Block {
    static constexpr std::uint32_t size = (4096 - sizeof(void*)) / sizeof(State);
    Block* below;
    std::array<State, size> states;
  };
  struct Bucket {
    Block* top = nullptr;
    std::uint32_t used = 0;  // of the top block; those below are full
  };
  struct Row {
    std::vector<Bucket> buckets;  // by h
    std::size_t lowest = ~std::size_t{0};
    std::uint64_t count = 0;
  };

  Block* fresh() {
    if (free_ != nullptr) {
      Block* const block = free_;
      free_ = block->below;
      return block;
    }
    if (!budget_.take(sizeof(Block))) throw MemoryFull();
    blocks_.push_back(std::make_unique_for_overwrite<Block>());
    return blocks_.back().get();
  }

  MemoryBudget& budget_;
  std::vector<Row> rows_;
  std::size_t lowest_ = ~std::size_t{0};
  std::uint64_t count_ = 0;
  std::vector<std::unique_ptr<Block>> blocks_;
  Block* free_ = nullptr;
};

}  // namespace tessera
