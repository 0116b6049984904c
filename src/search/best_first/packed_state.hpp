// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "puzzle/geometry.hpp"
#include "puzzle/position.hpp"

namespace tessera {

/// Boards as best-first search stores them by the million: in open lists, tables and messages. Each
/// form has a key that identifies the board, and also holds the blank's last direction (0 to 3, or
/// no_way), which is not part of the board.

/// At most 16 cells: the nibbles of NibblePosition except that of cell 15, which is redundant.
///
///     bit 63     60                       0
///         | 0 | way | cell 14 | ... | cell 0 |
class NibbleState {
 public:
  static constexpr int max_cells = NibblePosition::max_cells;
  static constexpr int key_bits = 60;
  using Position = NibblePosition;
  using Key = std::uint64_t;

  NibbleState() = default;
  NibbleState(const Position& position, int way)
      : word_((position.word() & key_mask) | static_cast<std::uint64_t>(way) << key_bits) {}

  [[nodiscard]] int way() const { return static_cast<int>(word_ >> key_bits); }
  [[nodiscard]] Key key() const { return word_ & key_mask; }
  [[nodiscard]] Position position(int cells) const {
    const std::uint64_t key = word_ & key_mask;
    if (cells < max_cells) return std::bit_cast<NibblePosition>(key);
    // 0 ^ 1 ^ ... ^ 15 is 0, so the last label is the XOR of all others.
    std::uint64_t all = key ^ (key >> 32);
    all ^= all >> 16;
    all ^= all >> 8;
    all ^= all >> 4;
    return std::bit_cast<NibblePosition>(key | all << key_bits);
  }
  /// Calls use(cell, label) for each cell in order.
  template <class Use>
  void for_each_label(int cells, const Use& use) const {
    const Position labels = position(cells);
    for (int cell = 0; cell < cells; ++cell) use(cell, labels.tile(cell));
  }
  /// The lowest zero nibble; those of nonexistent cells are above it.
  static int blank(const Position& position) {
    constexpr std::uint64_t ones = 0x1111111111111111;
    const std::uint64_t word = position.word();
    return std::countr_zero((word - ones) & ~word & (ones << 3)) / 4;
  }

 private:
  static constexpr std::uint64_t key_mask = (std::uint64_t{1} << key_bits) - 1;
  std::uint64_t word_ = 0;
};

/// More cells: six bits per label, ten labels per word, the direction in the top bits of word 0.
template <int Words>
class WideState {
 public:
  static constexpr int per_word = 10;
  static constexpr int max_cells =
      Words * per_word < Size::max_cells ? Words * per_word : Size::max_cells;
  using Key = std::array<std::uint64_t, Words>;

  class Position {
   public:
    Position() = default;
    explicit Position(const Board& board) {
      for (int cell = 0; cell < board.size().cells(); ++cell) {
        words_[word_of(cell)] |= static_cast<std::uint64_t>(board.tile(cell)) << shift_of(cell);
      }
    }
    [[nodiscard]] unsigned tile(int cell) const {
      return static_cast<unsigned>(words_[word_of(cell)] >> shift_of(cell)) & 63U;
    }
    [[nodiscard]] Position slid(int from, int to) const {
      Position next = *this;
      const std::uint64_t label = tile(from);
      next.words_[word_of(from)] ^= label << shift_of(from);
      next.words_[word_of(to)] ^= label << shift_of(to);
      return next;
    }
    [[nodiscard]] const Key& words() const { return words_; }

   private:
    friend class WideState;
    static constexpr std::size_t word_of(int cell) {
      return static_cast<std::size_t>(cell / per_word);
    }
    static constexpr int shift_of(int cell) { return 6 * (cell % per_word); }
    Key words_{};
  };

  WideState() = default;
  WideState(const Position& position, int way) : words_(position.words()) {
    words_[0] |= static_cast<std::uint64_t>(way) << way_shift;
  }
  [[nodiscard]] int way() const { return static_cast<int>(words_[0] >> way_shift); }
  [[nodiscard]] Key key() const {
    Key key = words_;
    key[0] &= (std::uint64_t{1} << way_shift) - 1;
    return key;
  }
  [[nodiscard]] Position position(int /*cells*/) const {
    Position position;
    position.words_ = key();
    return position;
  }
  template <class Use>
  void for_each_label(int cells, const Use& use) const {
    int cell = 0;
    for (std::uint64_t word : words_) {
      const int end = cells < cell + per_word ? cells : cell + per_word;
      for (; cell < end; ++cell, word >>= 6) use(cell, static_cast<unsigned>(word) & 63U);
    }
  }
  static int blank(const Position& position) {
    int cell = 0;
    while (position.tile(cell) != 0) ++cell;
    return cell;
  }

 private:
  static constexpr int way_shift = 60;
  Key words_{};
};

/// Calls `use.template operator()<State>()` with the most compact form for boards of that size.
template <class Use>
auto with_state_of(Size size, Use use) {
  if (size.cells() <= NibbleState::max_cells) return use.template operator()<NibbleState>();
  if (size.cells() <= WideState<3>::max_cells) return use.template operator()<WideState<3>>();
  return use.template operator()<WideState<7>>();
}

}  // namespace tessera
