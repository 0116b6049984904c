// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tessera/pdb/regions.hpp"
#include "tessera/puzzle/size.hpp"

namespace tessera {

/// Numbers the placements of k distinct tiles on n cells 0 .. n!/(n-k)! - 1, lexicographically:
///
///     index = sum over tiles j of digit_j * weight_j,   weight_j = (n-1-j)! / (n-k)!
///     digit_j = cell_j - (tiles before j that stand in cells before cell_j)
///
/// So a tile that steps sideways, passing no cell, changes the index by its own weight; one that
/// steps to the next row passes the cells between, and each tile that it meets there changes one
/// digit by one: the later tile's, or its own for an earlier tile. Steps towards higher cells add
///
///     (cells gone on) * weight(tile) + sum over tiles passed of passing(tile, passed)
///
/// and steps back take it off again.
class PlacementIndex {
 public:
  static constexpr int max_tiles = 12;

  /// `with_blank`: the blank is placed like a tile, the last one. Throws Error(input) for a pattern
  /// without tiles or with too many.
  PlacementIndex(int cells, int tiles, bool with_blank = false);

  [[nodiscard]] int cells() const { return cells_; }
  /// The blank included where it is placed.
  [[nodiscard]] int tiles() const { return tiles_; }
  /// The number of placements; saturates at 2^63.
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] std::uint64_t weight(int tile) const {
    return weights_[static_cast<std::size_t>(tile)];
  }
  /// Modulo 2^64.
  [[nodiscard]] std::uint64_t passing(int tile, int passed) const {
    return passed > tile ? weight(passed) : 0 - weight(tile);
  }

  [[nodiscard]] std::uint64_t rank(std::span<const int> cells) const;
  /// The cells of all tiles, or of as many as `cells` holds.
  void unrank(std::uint64_t index, std::span<int> cells) const;

 private:
  int cells_;
  int tiles_;
  std::uint64_t count_ = 1;
  std::array<std::uint64_t, max_tiles> weights_{};
};

/// The placements of an index in blocks: those whose first tiles stand alike lie together, the last
/// ones, `low` of them, differ. The first ones are placed once a block, and of the last ones each
/// entry has the places among the cells that these leave free.
class PlacementBlocks {
 public:
  static constexpr int most_low = 4;
  using Places = std::array<std::uint8_t, most_low>;
  using FreeCells = std::array<std::uint8_t, Size::max_cells>;

  PlacementBlocks(const PlacementIndex& index, int low);

  /// Tiles that stand alike in a block, and the others.
  [[nodiscard]] int high() const { return index_.tiles() - low_; }
  [[nodiscard]] int low() const { return low_; }
  /// The number of blocks, and of entries in each.
  [[nodiscard]] std::uint64_t count() const { return index_.count() / size(); }
  [[nodiscard]] std::uint64_t size() const { return places_.size(); }

  /// The places of an entry's last tiles: free[places(entry)[i]] is the cell of tile high() + i.
  [[nodiscard]] const Places& places(std::uint64_t entry) const { return places_[entry]; }
  /// Writes the cells of a block's first tiles and the free cells, ascending. Returns the first.
  CellSet place(std::uint64_t block, std::span<int> cells, FreeCells& free) const;

 private:
  PlacementIndex index_;
  int low_;
  std::vector<Places> places_;
};

}  // namespace tessera
