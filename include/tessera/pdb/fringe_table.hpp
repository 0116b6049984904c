// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "tessera/pdb/placement_index.hpp"
#include "tessera/pdb/table_store.hpp"

namespace tessera {

/// The fringe (Culberson and Schaeffer 1996): the tiles at home in the row and in the column that
/// are farthest from the blank's home, the last ones where two are as far. A board as this pattern
/// sees it is the cells of these tiles and of the blank; the other tiles look alike.
///
/// Its index is the PlacementIndex of these tiles, by home, and of the blank, which is the last:
///
///     4x4, goal last: tiles at home in cells  0  1  2  3  4  8 12   blank
///                     digits less than       16 15 14 13 12 11 10       9
///
/// Tiles slide to cells nearby, so digits change little: a move of a late tile, and each of the
/// blank past tiles of no pattern, stays within a few hundred entries.
class FringePattern {
 public:
  static constexpr std::uint64_t max_entries = 600'000'000;

  /// Throws Error(resource) where the table would have more than max_entries.
  static void require(Size size);
  FringePattern(Size size, int goal_blank);

  /// The number of indices: 518,918,400 on 4x4. Beyond 2^58 any number that is too.
  [[nodiscard]] static std::uint64_t entries(Size size);
  [[nodiscard]] std::uint64_t entries() const { return index_.count(); }
  [[nodiscard]] const PlacementIndex& placements() const { return index_; }

  /// Items are the pattern's tiles 0 .. tiles()-1, by home, and the blank; `other` stands for each
  /// tile that is not in the pattern.
  [[nodiscard]] int tiles() const { return index_.tiles() - 1; }
  [[nodiscard]] int other() const { return index_.tiles(); }
  [[nodiscard]] CellSet homes() const { return homes_; }
  /// The item whose home is that cell.
  [[nodiscard]] int item_at_home(int cell) const;

  /// The index of a board by the item in each cell.
  [[nodiscard]] std::uint64_t index(std::span<const int> items) const;

  /// By how much the index grows when a tile slides from cell `low` on to the blank in cell `high`,
  /// and falls when it slides from there back: `item` is that tile, `item_in(cell)` what stands in
  /// the cells that it passes.
  template <class ItemIn>
  [[nodiscard]] std::int64_t growth(int item, int low, int high, ItemIn item_in) const {
    const Growth& own = growth_[static_cast<std::size_t>(item)];
    std::int64_t sum = own.cell * (high - low);
    for (int cell = low + 1; cell < high; ++cell) {
      sum += own.passing[static_cast<std::size_t>(item_in(cell))];
    }
    return sum;
  }

 private:
  static constexpr std::size_t max_items = PlacementIndex::max_tiles;

  // What an item's moves add to the index: for each cell on, and beyond that for each item passed.
  struct Growth {
    std::int64_t cell = 0;
    std::array<std::int64_t, max_items> passing{};
  };

  PlacementIndex index_;
  CellSet homes_ = 0;
  std::array<Growth, max_items> growth_{};
};

/// The entry of an index that no moves lead to.
inline constexpr std::uint8_t fringe_unreached = 255;

/// The moves, of all tiles, that bring the pattern and the blank home, by index. Empty where
/// `progress` ended it.
///
/// Memory: a byte an entry, and while it is made a quarter more. Throws Error(resource) for too
/// large a table.
[[nodiscard]] LargeBuffer build_fringe_table(Size size, int goal_blank, int threads,
                                             const TableProgress& progress = {});

/// The request for that table.
[[nodiscard]] TableRequest fringe_request(Size size, int goal_blank);

}  // namespace tessera
