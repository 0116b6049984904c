// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tessera/pdb/table_store.hpp"
#include "tessera/puzzle/size.hpp"

namespace tessera {

/// A bound on the moves along one axis alone.
///
/// Take the tiles row by row and leave the blank out: a horizontal move, however long, does not
/// change this sequence, and a vertical step takes one tile W-1 places through it. So the least
/// number of vertical moves until every tile is at its place in the sequence, where horizontal
/// moves cost nothing, is a bound on the vertical moves of any solution; and since a move is either
/// vertical or horizontal, the like bound for columns may be added.
///
///     . 1 2 3      1 2 3 5 | 4 6 7 8 ...     the blank goes down: 5, W-1 places behind the blank's
///     5 4 6 7      5 1 2 3 | 4 6 7 8 ...     place, comes before 1
///     8 ...
///
/// There are 15! sequences on 4x4. A table takes tiles of four colors instead, by their homes: 63
/// million states with the blank's row, exact for the colors, a bound for the tiles. Which tiles
/// share a color matters more than how many colors there are: on 4x4 rows give 10.9 on average,
/// quarters 12.0, and quarters with the spiral 12.3.
enum class LineColoring : std::uint8_t {
  quarters = 1,  ///< upper left, upper right, lower left, lower right
  spiral = 2,    ///< three arcs of the rim and the middle
};
inline constexpr std::array<LineColoring, 2> line_colorings{LineColoring::quarters,
                                                            LineColoring::spiral};

/// Which moves a table counts.
enum class LineAxis : std::uint8_t { vertical, horizontal };

/// What a table of vertical moves is made for. A table of horizontal moves is the one of the
/// transposed board, so a square board whose blank ends on the diagonal needs one for both.
struct LineTableKey {
  Size size;
  int goal_blank = 0;
  LineColoring coloring = LineColoring::quarters;

  auto operator<=>(const LineTableKey&) const = default;
};

inline constexpr int max_line_cells = 16;

[[nodiscard]] LineTableKey line_table_key(Size size, int goal_blank, LineAxis axis,
                                          LineColoring coloring);

/// Ranks the arrangements of up to 15 symbols of four kinds, two bits a symbol, the first lowest:
///
///     bit 29           14 13            0
///         |    upper     |     lower     |     rank = base[upper] + place[lower]
///
/// since an upper half leaves the same kinds to all lower halves that go with it.
class LineIndex {
 public:
  static constexpr int lower_symbols = 7;
  static constexpr int lower_bits = 2 * lower_symbols;
  static constexpr std::uint32_t lower_mask = (1U << lower_bits) - 1;
  using Counts = std::array<int, 4>;  ///< symbols of each kind

  explicit LineIndex(const Counts& counts);
  /// The index of those counts, shared by all who ask: tables that are read together had better not
  /// fill the caches with copies.
  static std::shared_ptr<const LineIndex> shared(const Counts& counts);

  /// What ranking takes, for loops that must not look for it. Valid as long as the index.
  struct View {
    const std::uint32_t* base = nullptr;
    const std::uint16_t* place = nullptr;
    std::uint32_t size = 0;

    [[nodiscard]] std::uint32_t rank(std::uint32_t sequence) const {
      return base[sequence >> lower_bits] + place[sequence & lower_mask];
    }
  };
  [[nodiscard]] View view() const { return {base_.data(), place_.data(), size_}; }
  [[nodiscard]] std::uint32_t rank(std::uint32_t sequence) const { return view().rank(sequence); }
  /// The number of arrangements.
  [[nodiscard]] std::uint32_t size() const { return size_; }

  /// The lower halves that go with an upper half in the order of their ranks; empty for an upper
  /// half that has too many of a kind.
  [[nodiscard]] std::span<const std::uint16_t> lower_halves(std::uint32_t upper) const {
    return lower_[group_[upper]];
  }
  [[nodiscard]] std::uint32_t upper_halves() const {
    return static_cast<std::uint32_t>(base_.size());
  }

 private:
  std::vector<std::uint32_t> base_;
  std::vector<std::uint16_t> place_;
  std::vector<std::uint16_t> group_;  // by upper half, into lower_
  std::vector<std::vector<std::uint16_t>> lower_;
  std::uint32_t size_ = 0;
};

/// How the sequence changes on a vertical step: one symbol goes through a field of W symbols. Two
/// sequences in one word, from bits 0 and 32 on, change together.
class LineStep {
 public:
  explicit LineStep(int width)
      : field_(((std::uint64_t{1} << (2 * width)) - 1) * ((std::uint64_t{1} << 32) + 1)),
        across_(2 * (width - 1)) {}

  /// The blank leaves cell `cell` for the one below, whose tile comes to the front of the field.
  [[nodiscard]] std::uint64_t down(std::uint64_t word, int cell) const {
    const std::uint64_t mask = field_ << (2 * cell);
    const std::uint64_t field = word & mask;
    return (word ^ field) | ((field << 2) & mask) | ((field >> across_) & mask);
  }
  /// The blank comes to cell `cell` from the one below.
  [[nodiscard]] std::uint64_t up(std::uint64_t word, int cell) const {
    const std::uint64_t mask = field_ << (2 * cell);
    const std::uint64_t field = word & mask;
    return (word ^ field) | ((field >> 2) & mask) | ((field << across_) & mask);
  }

 private:
  std::uint64_t field_;
  int across_;
};

/// The states of a table: value index = row of the blank * index->size() +
/// index->rank(sequence).
struct LineSpace {
  std::array<std::uint8_t, max_line_cells> colors;  ///< by a tile's home cell
  std::uint32_t goal;                               ///< the sequence at the goal
  std::shared_ptr<const LineIndex> index;

  explicit LineSpace(const LineTableKey& key);
};

/// A state that no moves lead to.
inline constexpr std::uint8_t line_unreached = 255;

/// The vertical moves that each state needs, a byte each, by breadth-first search from the goal on
/// so many threads. Empty where `progress` ended it.
[[nodiscard]] LargeBuffer build_line_table(const LineTableKey& key, int threads,
                                           const TableProgress& progress = {});

/// The request for that table.
[[nodiscard]] TableRequest line_request(const LineTableKey& key);

/// The tables of both axes and all colorings, each once.
[[nodiscard]] std::vector<TableRequest> line_requests(Size size, int goal_blank);

}  // namespace tessera
