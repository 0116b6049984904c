// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tessera/pdb/placement_index.hpp"
#include "tessera/pdb/regions.hpp"

namespace tessera {

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
