// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "pdb/line_colors.hpp"
#include "pdb/table_store.hpp"
#include "puzzle/size.hpp"

namespace tessera {

/// A lower bound on the moves along one axis only.
///
/// Read the tiles row by row and skip the blank: a horizontal move of any length does not change
/// this sequence, and a vertical step moves one tile W-1 places within it. So the least number of
/// vertical moves that puts every tile in its place in the sequence, with free horizontal moves, is
/// a lower bound on the vertical moves of any solution. Each move is either vertical or horizontal,
/// so the corresponding bound for columns may be added.
///
///     . 1 2 3      1 2 3 5 | 4 6 7 8 ...     the blank goes down: 5, which is W-1 places after
///     5 4 6 7      5 1 2 3 | 4 6 7 8 ...     the blank's place, moves before 1
///     8 ...
///
/// 4x4 has 15! sequences. A table gives the tiles one of two to four colors by their homes
/// instead: 63 million states with the blank's row, exact for the colors, a lower bound for the
/// tiles. Which tiles share a color matters more than the number of colors (LineColoring).

/// Ranks the arrangements of tiles of a few colors: rank = base[upper half] + place[lower half],
/// because all lower halves that go with an upper half contain the same counts of each color.
/// Colors (FourColors, ThreeColors, TwoColors or TwoColorsOfMany) says how a sequence is stored.
template <class Colors>
class LineIndex {
 public:
  using Sequence = typename Colors::Sequence;
  using Counts = std::array<int, Colors::colors>;  ///< tiles of each color

  explicit LineIndex(const Counts& counts);
  /// The index for these counts, shared by all users, because tables that are read together should
  /// not fill the caches with copies of it.
  static std::shared_ptr<const LineIndex> shared(const Counts& counts);

  /// The arrays that ranking reads, for hot loops. Valid as long as the index.
  struct View {
    const std::uint32_t* base = nullptr;
    const std::uint16_t* place = nullptr;
    std::uint32_t size = 0;

    [[nodiscard]] std::uint32_t rank(Sequence sequence) const {
      return base[Colors::upper(sequence)] + place[Colors::lower(sequence)];
    }
  };
  [[nodiscard]] View view() const { return {base_.data(), place_.data(), size_}; }
  [[nodiscard]] std::uint32_t rank(Sequence sequence) const { return view().rank(sequence); }
  /// The number of arrangements.
  [[nodiscard]] std::uint32_t size() const { return size_; }

  /// The lower halves that go with an upper half, by rank; empty if the upper half has too many
  /// tiles of a color.
  [[nodiscard]] std::span<const Sequence> lower_halves(std::uint32_t upper) const {
    return lower_[group_[upper]];
  }
  [[nodiscard]] std::uint32_t upper_halves() const {
    return static_cast<std::uint32_t>(base_.size());
  }
  /// The sequence with this upper half, and color 0 below.
  [[nodiscard]] Sequence upper_half(std::uint32_t upper) const;

 private:
  std::vector<std::uint32_t> base_;
  std::vector<std::uint16_t> place_;
  std::vector<std::uint16_t> group_;  // by upper half, into lower_
  std::vector<std::vector<Sequence>> lower_;
  std::uint32_t size_ = 0;
};

/// How a vertical step changes the sequence: one tile moves across a field of W tiles. If a word
/// holds two sequences or two planes of one, at bits 0 and 32, these change together.
template <class Colors>
class LineStep {
  static constexpr int bits = Colors::step_bits;

 public:
  explicit LineStep(int width)
      : field_(((std::uint64_t{1} << (bits * width)) - 1) *
               ((Colors::is_paired ? std::uint64_t{1} << 32 : 0) + 1)),
        across_(bits * (width - 1)) {}

  /// The blank moves from `cell` to the cell below; that tile moves to the front of the field.
  [[nodiscard]] std::uint64_t down(std::uint64_t word, int cell) const {
    const std::uint64_t mask = field_ << (bits * cell);
    const std::uint64_t field = word & mask;
    return (word ^ field) | ((field << bits) & mask) | ((field >> across_) & mask);
  }
  /// The blank moves to `cell` from the cell below.
  [[nodiscard]] std::uint64_t up(std::uint64_t word, int cell) const {
    const std::uint64_t mask = field_ << (bits * cell);
    const std::uint64_t field = word & mask;
    return (word ^ field) | ((field >> bits) & mask) | ((field << across_) & mask);
  }

 private:
  std::uint64_t field_;
  int across_;
};

/// The states of a table: entry = row of the blank * index->size() + index->rank(sequence).
template <class Colors>
struct LineSpace {
  std::array<std::uint8_t, max_line_cells> colors;  ///< by a tile's home cell
  typename Colors::Sequence goal = 0;               ///< the sequence at the goal
  std::shared_ptr<const LineIndex<Colors>> index;

  explicit LineSpace(const LineTableKey& key);
};

/// The request for the table of a key: the vertical moves that each state needs, one byte each, by
/// a breadth-first search from the goal.
[[nodiscard]] TableRequest line_request(const LineTableKey& key);

/// The tables of both axes for these colorings, without duplicates.
[[nodiscard]] std::vector<TableRequest> line_requests(Size size, int goal_blank,
                                                      std::span<const LineColoring> colorings);

}  // namespace tessera
