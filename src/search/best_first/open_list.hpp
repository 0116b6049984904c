// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "search/best_first/state_table.hpp"
#include "search/kernels/subtree_search.hpp"

namespace tessera {

/// The nodes waiting to be expanded, in buckets with two small keys: the smallest `priority` first
/// (f for A*), then the smallest `h` (the deepest), then the latest. Nodes are pushed and popped at
/// the same end of a bucket, in the same few cache lines; buckets are linked lists of blocks, so
/// growth never copies.
template <class State>
class OpenList {
 public:
  explicit OpenList(MemoryBudget& budget) : budget_(budget) {}
  ~OpenList() { budget_.give(bytes_); }
  OpenList(const OpenList&) = delete;
  OpenList& operator=(const OpenList&) = delete;

  /// Throws MemoryFull.
  void push(int priority, int h, const State& state) {
    const auto row_index = static_cast<std::size_t>(priority);
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
  /// The priority of the next state; no_bound if there is none.
  [[nodiscard]] int priority() {
    if (count_ == 0) return no_bound;
    while (rows_[lowest_].count == 0) ++lowest_;
    return static_cast<int>(lowest_);
  }
  /// The h of the next state; the list must not be empty.
  [[nodiscard]] int h() {
    Row& row = rows_[static_cast<std::size_t>(priority())];
    while (row.buckets[row.lowest].used == 0) ++row.lowest;
    return static_cast<int>(row.lowest);
  }

  /// Removes as many states as fit from the bucket of priority() and h().
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
  // Small boards have dozens of buckets with a few states each.
  struct Block {
    static constexpr std::uint32_t size = (1024 - sizeof(void*)) / sizeof(State);
    Block* below;
    std::array<State, size> states;
  };
  struct Bucket {
    Block* top = nullptr;
    std::uint32_t used = 0;  // in the top block; those below are full
  };
  struct Row {
    std::vector<Bucket> buckets;  // by h
    std::size_t lowest = ~std::size_t{0};
    std::uint64_t count = 0;
  };

  Block* fresh() {
    if (free_ != nullptr) return std::exchange(free_, free_->below);
    if (unused_.empty()) {
      // Few large allocations, but small enough for a small board to avoid mmap: many such boards
      // are solved in parallel and would contend for the kernel's lock.
      constexpr std::size_t least = std::size_t{1} << 14;
      constexpr std::size_t most = std::size_t{1} << 21;
      constexpr std::size_t large = std::size_t{1} << 17;
      std::size_t bytes = std::clamp<std::size_t>(bytes_ / 2 / least * least, least, most);
      if (!budget_.take(bytes)) {
        bytes = sizeof(Block);
        if (!budget_.take(bytes)) throw MemoryFull();
      }
      const std::size_t blocks = bytes / sizeof(Block);
      if (bytes < large) {
        small_slabs_.push_back(std::make_unique_for_overwrite<Block[]>(blocks));
        unused_ = {small_slabs_.back().get(), blocks};
      } else {
        slabs_.emplace_back(bytes);
        unused_ = {reinterpret_cast<Block*>(slabs_.back().bytes().data()), blocks};
      }
      bytes_ += bytes;
    }
    Block* const block = unused_.data();
    unused_ = unused_.subspan(1);
    return block;
  }

  MemoryBudget& budget_;
  std::vector<Row> rows_;
  std::size_t lowest_ = ~std::size_t{0};
  std::uint64_t count_ = 0;
  std::vector<std::unique_ptr<Block[]>> small_slabs_;
  std::vector<LargeBuffer> slabs_;
  std::size_t bytes_ = 0;    // of all slabs
  std::span<Block> unused_;  // of the last one
  Block* free_ = nullptr;
};

}  // namespace tessera
