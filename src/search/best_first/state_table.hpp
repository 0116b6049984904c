// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "base/memory.hpp"
#include "search/best_first/packed_state.hpp"

namespace tessera {

/// For the high half of a product.
__extension__ using Uint128 = unsigned __int128;

/// The memory limit of a search. Its parts reserve before they allocate and release afterwards.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::uint64_t limit_bytes) : limit_(limit_bytes) {}

  [[nodiscard]] bool take(std::uint64_t bytes) {
    if (bytes > limit_ - used_) return false;
    used_ += bytes;
    return true;
  }
  void give(std::uint64_t bytes) { used_ -= bytes; }
  [[nodiscard]] std::uint64_t used() const { return used_; }
  [[nodiscard]] std::uint64_t limit() const { return limit_; }

 private:
  std::uint64_t limit_;
  std::uint64_t used_ = 0;
};

/// Thrown if the budget is exhausted; best-first searches catch it and stop cleanly.
struct MemoryFull {};

/// Mixes a key so that each part of the result can serve another purpose: the top six bits select a
/// segment of the table, the bits below them the position in it. A bijection of 60 bits
/// (multiplication by odd factors, XOR with shifts), left-aligned.
[[nodiscard]] inline std::uint64_t mixed(std::uint64_t key) {
  constexpr std::uint64_t mask = (std::uint64_t{1} << NibbleState::key_bits) - 1;
  key = (key ^ (key >> 31)) * 0x9e3779b97f4a7c15 & mask;
  key = (key ^ (key >> 29)) * 0xbf58476d1ce4e5b9 & mask;
  key ^= key >> 30;
  return key << (64 - NibbleState::key_bits);
}
template <std::size_t Words>
[[nodiscard]] std::uint64_t mixed(const std::array<std::uint64_t, Words>& key) {
  std::uint64_t all = 0;
  for (const std::uint64_t word : key) {
    all = (all ^ word) * 0x9e3779b97f4a7c15;
    all ^= all >> 32;
  }
  return all;
}

/// Which of `count` ranks owns the board with this mixed key: independent of its table position.
[[nodiscard]] inline int owner_of(std::uint64_t mixed_key, int count) {
  const std::uint64_t spread = (mixed_key >> 4) * 0x94d049bb133111eb >> 32;
  return static_cast<int>(spread * static_cast<std::uint64_t>(count) >> 32);
}

/// What is stored with a board's key: a tag from 1 to the slot's most_tag (0: nothing known), and
/// the direction that led there.
struct StateMark {
  unsigned tag = 0;
  int way = 0;
};

/// A 64-bit slot for boards of at most 16 cells: the segment implies six of the 60 bits of the
/// mixed key, which leaves ten bits free.
///
///     bit 63                  10      2     0
///         | 54 bits of the key | tag | way |        all 0: empty
class NibbleSlot {
 public:
  static constexpr unsigned most_tag = 255;

  [[nodiscard]] bool empty() const { return word_ == 0; }
  [[nodiscard]] bool holds(std::uint64_t mixed_key, NibbleState::Key) const {
    return (word_ ^ mixed_key << 6) >> 10 == 0;
  }
  void assign(std::uint64_t mixed_key, NibbleState::Key) { word_ = mixed_key << 6 >> 10 << 10; }
  /// The mixed key without the segment's bits, for growing.
  [[nodiscard]] std::uint64_t place() const { return word_ >> 10 << 10; }

  [[nodiscard]] StateMark mark() const {
    return {static_cast<unsigned>(word_ >> 2) & most_tag, static_cast<int>(word_ & 3)};
  }
  void set_mark(const StateMark& mark) {
    word_ = word_ >> 10 << 10 | std::uint64_t{mark.tag} << 2 | static_cast<std::uint64_t>(mark.way);
  }

 private:
  std::uint64_t word_ = 0;
};

/// A slot with the whole key, for larger boards.
template <class Key>
class WideSlot {
 public:
  static constexpr unsigned most_tag = 65'535;

  [[nodiscard]] bool empty() const { return tag_ == 0; }
  [[nodiscard]] bool holds(std::uint64_t, const Key& key) const { return key_ == key; }
  void assign(std::uint64_t, const Key& key) { key_ = key; }
  [[nodiscard]] std::uint64_t place() const { return mixed(key_) << 6; }
  [[nodiscard]] StateMark mark() const { return {tag_, way_}; }
  void set_mark(const StateMark& mark) {
    tag_ = static_cast<std::uint16_t>(mark.tag);
    way_ = static_cast<std::uint8_t>(mark.way);
  }

 private:
  Key key_{};
  std::uint16_t tag_ = 0;
  std::uint8_t way_ = 0;
};

/// The boards that a best-first search stores: open addressing with linear probing, in 64 segments
/// that grow one by one, by half, so that growth never stops the search for long. Large ones grow
/// in place: the first touch of memory is slow (the kernel, and often a hypervisor below it, must
/// find it), so they keep what they have. All but the smallest are outside the heap, which would
/// not return what they leave. 10 to 14 bytes per board of at most 16 cells.
template <class State>
class StateTable {
 public:
  using Key = typename State::Key;
  using Slot = std::conditional_t<std::is_same_v<State, NibbleState>, NibbleSlot, WideSlot<Key>>;

  explicit StateTable(MemoryBudget& budget)
      : budget_(budget),
        pages_(budget.limit() / segment_count >= 8 * huge_page ? LargeBuffer::Pages::huge
                                                               : LargeBuffer::Pages::small) {}
  ~StateTable() {
    for (const Segment& segment : segments_) budget_.give(segment.capacity * sizeof(Slot));
  }

  /// The slot of a board, or null.
  [[nodiscard]] const Slot* find(const Key& key) const {
    const std::uint64_t mix = mixed(key);
    const Segment& segment = segments_[mix >> 58];
    if (segment.capacity == 0) return nullptr;
    for (std::size_t i = segment.home(mix << 6);; i = segment.after(i)) {
      if (segment.slots[i].empty()) return nullptr;
      if (segment.slots[i].holds(mix, key)) return &segment.slots[i];
    }
  }

  /// The slot of a board, valid until the next call; a new one has tag 0, which the caller must
  /// change immediately. Throws MemoryFull.
  [[nodiscard]] Slot& reach(std::uint64_t mix, const Key& key) {
    Segment& segment = segments_[mix >> 58];
    if (segment.count >= segment.limit) grow(segment);
    std::size_t i = segment.home(mix << 6);
    for (; !segment.slots[i].empty(); i = segment.after(i)) {
      if (segment.slots[i].holds(mix, key)) return segment.slots[i];
    }
    ++segment.count;
    ++count_;
    segment.slots[i].assign(mix, key);
    return segment.slots[i];
  }

  void prefetch(std::uint64_t mix) const {
    const Segment& segment = segments_[mix >> 58];
    if (segment.capacity > 0) __builtin_prefetch(&segment.slots[segment.home(mix << 6)]);
  }

  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  static constexpr std::size_t segment_count = 64;

  struct Segment {
    Slot* slots = nullptr;
    std::size_t capacity = 0;
    std::size_t count = 0;
    std::size_t limit = 0;  // on count before it grows
    std::vector<Slot> small;
    LargeBuffer large;  // with address space behind it

    // The top bits determine the position: capacities need not be powers of two, and growth
    // preserves the order.
    [[nodiscard]] std::size_t home(std::uint64_t place) const {
      place = place >> 10 << 10;  // what a 64-bit slot stores of it
      return static_cast<std::size_t>(static_cast<Uint128>(place) * capacity >> 64);
    }
    [[nodiscard]] std::size_t after(std::size_t i) const { return i + 1 == capacity ? 0 : i + 1; }

    void insert(const Slot& slot) {
      std::size_t i = home(slot.place());
      while (!slots[i].empty()) i = after(i);
      slots[i] = slot;
    }
  };

  void grow(Segment& segment) {
    constexpr std::size_t least = 16;
    constexpr std::size_t small = 256;  // growing costs more than the memory
    const std::size_t more = segment.capacity < small ? segment.capacity : segment.capacity / 2;
    const std::size_t bytes = rounded(std::max(least, segment.capacity + more) * sizeof(Slot));
    const std::size_t capacity = bytes / sizeof(Slot);
    const bool stays = segment.large.bytes().size() >= bytes;
    const std::size_t held = segment.capacity * sizeof(Slot);
    const std::size_t taken = stays ? bytes - held : bytes;
    if (!budget_.take(taken)) return fill(segment);
    if (stays) {
      spread(segment, capacity);
    } else {
      Segment grown;
      grown.capacity = capacity;
      grown.count = segment.count;
      if (bytes > most_on_heap) {
        grown.large = space_for(bytes);
        if (grown.large.bytes().empty()) {
          budget_.give(taken);
          return fill(segment);
        }
        grown.slots = reinterpret_cast<Slot*>(grown.large.bytes().data());
      } else {
        grown.small.resize(capacity);
        grown.slots = grown.small.data();
      }
      for (std::size_t i = 0; i < segment.capacity; ++i) {
        if (!segment.slots[i].empty()) grown.insert(segment.slots[i]);
      }
      budget_.give(held);
      segment = std::move(grown);
    }
    segment.limit = capacity - capacity / 5;
  }

  // At the memory limit: up to a load at which probing is slow.
  static void fill(Segment& segment) {
    const std::size_t most = segment.capacity - segment.capacity / 16;
    if (segment.count >= most) throw MemoryFull();
    segment.limit = most;
  }

  [[nodiscard]] bool is_huge(std::size_t bytes) const {
    return pages_ == LargeBuffer::Pages::huge && bytes > huge_page * 3 / 4;
  }

  // To whole pages: the system provides no less.
  [[nodiscard]] std::size_t rounded(std::size_t bytes) const {
    if (is_huge(bytes)) return (bytes + huge_page / 2) / huge_page * huge_page;
    return bytes > most_on_heap ? whole_pages(bytes) : bytes;
  }

  // For a segment that will grow in place if the system has the addresses; those of small ones that
  // will have huge pages are copied. Keys are distributed evenly, so no segment gets much more than
  // its share.
  [[nodiscard]] LargeBuffer space_for(std::size_t bytes) const {
    if (pages_ == LargeBuffer::Pages::huge && !is_huge(bytes)) {
      return LargeBuffer::if_possible(bytes, LargeBuffer::Pages::small);
    }
    const std::size_t share =
        has_free_addresses() ? budget_.limit() / segment_count / 4 * 5 + 2 * huge_page : 0;
    LargeBuffer space = LargeBuffer::if_possible(std::max(bytes, share), pages_);
    return space.bytes().empty() ? LargeBuffer::if_possible(bytes, pages_) : std::move(space);
  }

  // Spreads the slots over more slots behind them, which are empty. From last to first, each moves
  // to its new position, which is behind all that have not moved yet. The exceptions (some at the
  // beginning, and those wrapped around the end) wait until all others have moved.
  static void spread(Segment& segment, std::size_t capacity) {
    std::vector<Slot> waiting;
    const std::size_t before = segment.capacity;
    segment.capacity = capacity;
    for (std::size_t i = before; i-- > 0;) {
      Slot& slot = segment.slots[i];
      if (slot.empty()) continue;
      const Slot moving = slot;
      slot = Slot();
      std::size_t to = segment.home(moving.place());
      if (to < i) to = capacity;
      // Does not wrap around either: the slots at the beginning are not emptied yet, and a slot
      // behind an empty one would not be found.
      while (to < capacity && !segment.slots[to].empty()) ++to;
      if (to < capacity) segment.slots[to] = moving;
      else waiting.push_back(moving);
    }
    for (const Slot& slot : waiting) segment.insert(slot);
  }

  static constexpr std::size_t most_on_heap = std::size_t{1} << 15;

  MemoryBudget& budget_;
  LargeBuffer::Pages pages_;  // of large segments: huge ones waste half of a small limit
  std::array<Segment, segment_count> segments_;
  std::uint64_t count_ = 0;
};

}  // namespace tessera
