// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>

#include "puzzle/board.hpp"

namespace tessera {

/// A board of at most 16 cells in one word: bits 4c .. 4c+3 hold the label in cell c; the blank is
/// 0.
///
///     bit 63                                 0
///         | cell 15 | ... | cell 1 | cell 0 |      4x4 solved, goal first: 0xfedcba9876543210
///
/// A value type: a move makes a new word, and undoing it discards that word.
class NibblePosition {
 public:
  static constexpr int max_cells = 16;

  NibblePosition() = default;
  explicit NibblePosition(const Board& board) {
    for (int cell = 0; cell < board.size().cells(); ++cell) {
      word_ |= static_cast<std::uint64_t>(board.tile(cell)) << (4 * cell);
    }
  }

  using Handle = NibblePosition;  ///< what the search passes to its children
  [[nodiscard]] Handle handle() const { return *this; }

  [[nodiscard]] unsigned tile(int cell) const {
    return static_cast<unsigned>(word_ >> (4 * cell)) & 15U;
  }
  /// The tile in cell `from` slides into the blank at `to`.
  [[nodiscard]] NibblePosition slid(int from, int to) const {
    const std::uint64_t label = (word_ >> (4 * from)) & 15U;
    NibblePosition next;
    next.word_ = word_ ^ ((label << (4 * from)) | (label << (4 * to)));
    return next;
  }
  static void slide_back(NibblePosition, int, int) {}

  [[nodiscard]] std::uint64_t word() const { return word_; }
  bool operator==(const NibblePosition&) const = default;

 private:
  std::uint64_t word_ = 0;
};

/// A board of any size, one byte per cell. The search passes it by reference and undoes each move:
/// copying 64 bytes per node would cost more than the two stores.
template <int Cells>
class BytePosition {
 public:
  static constexpr int max_cells = Cells;

  BytePosition() = default;
  explicit BytePosition(const Board& board) {
    for (int cell = 0; cell < board.size().cells(); ++cell) {
      labels_[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(board.tile(cell));
    }
  }

  class Handle {
   public:
    explicit Handle(BytePosition& position) : labels_(position.labels_.data()) {}
    [[nodiscard]] unsigned tile(int cell) const { return labels_[cell]; }
    [[nodiscard]] Handle slid(int from, int to) const {
      labels_[to] = labels_[from];
      labels_[from] = 0;
      return *this;
    }
    static void slide_back(Handle child, int from, int to) { (void)child.slid(to, from); }
    [[nodiscard]] bool operator==(const BytePosition& other) const {
      return std::equal(labels_, labels_ + Cells, other.labels().begin());
    }

   private:
    std::uint8_t* labels_;
  };
  [[nodiscard]] Handle handle() { return Handle(*this); }
  [[nodiscard]] unsigned tile(int cell) const { return labels_[static_cast<std::size_t>(cell)]; }
  /// A copy in which that tile has moved.
  [[nodiscard]] BytePosition slid(int from, int to) const {
    BytePosition next = *this;
    (void)next.handle().slid(from, to);
    return next;
  }
  [[nodiscard]] const std::array<std::uint8_t, Cells>& labels() const { return labels_; }

 private:
  std::array<std::uint8_t, Cells> labels_{};
};

/// The most compact position for this many cells.
template <int Cells>
using PositionFor =
    std::conditional_t<(Cells <= NibblePosition::max_cells), NibblePosition, BytePosition<Cells>>;

}  // namespace tessera
