// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>

#include "pdb/regions.hpp"

namespace tessera {

/// Numbers the placements of k distinct tiles on n cells lexicographically, 0 to n!/(n-k)! - 1:
///
///     index = sum over tiles j of digit_j * weight_j,   weight_j = (n-1-j)! / (n-k)!
///     digit_j = cell_j - (number of tiles before j in cells before cell_j)
///
/// A horizontal step passes no cell, so it changes the index by the tile's own weight. A vertical
/// step passes the cells in between, and each tile there changes one digit by one: the digit of
/// whichever of the two tiles comes later. Steps towards higher cells add
///
///     (distance in cells) * weight(tile) + sum over tiles passed of passing(tile, passed)
///
/// and steps towards lower cells subtract it.
class PlacementIndex {
 public:
  static constexpr int max_tiles = 12;

  /// `with_blank`: the blank is placed like a tile, the last one. Throws Error(input) for no tiles
  /// or too many.
  PlacementIndex(int cells, int tiles, bool with_blank = false);

  /// Including the blank if it is placed.
  [[nodiscard]] int tiles() const { return tiles_; }
  [[nodiscard]] bool has_blank() const { return has_blank_; }
  /// The number of placements; saturates at 2^63.
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] std::uint64_t weight(int tile) const {
    return weights_[static_cast<std::size_t>(tile)];
  }
  /// Modulo 2^64.
  [[nodiscard]] std::uint64_t passing(int tile, int passed) const {
    return passed > tile ? weight(passed) : 0 - weight(tile);
  }

  /// The sum of the contributions of the first cells.size() tiles; for all tiles it is the index.
  [[nodiscard]] std::uint64_t rank(std::span<const int> cells) const {
    std::uint64_t index = 0;
    CellSet before = 0;
    for (std::size_t tile = 0; tile < cells.size(); ++tile) {
      const CellSet cell = cell_bit(cells[tile]);
      const int digit = cells[tile] - std::popcount(before & (cell - 1));
      index += weights_[tile] * static_cast<std::uint64_t>(digit);
      before |= cell;
    }
    return index;
  }
  /// The cells of all tiles.
  void unrank(std::uint64_t index, std::span<int> cells) const;

 private:
  int cells_;
  int tiles_;
  bool has_blank_;
  std::uint64_t count_ = 1;
  std::array<std::uint64_t, max_tiles> weights_{};
};

}  // namespace tessera
