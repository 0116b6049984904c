// SPDX-License-Identifier: MIT
#include "pdb/placement_blocks.hpp"

namespace tessera {

PlacementBlocks::PlacementBlocks(const PlacementIndex& index, int low) : index_(index), low_(low) {
  const auto tiles = static_cast<std::size_t>(index.tiles());
  const std::size_t first = tiles - static_cast<std::size_t>(low);
  places_.resize(first == 0 ? index.count() : index.weight(static_cast<int>(first) - 1));
  std::array<int, PlacementIndex::max_tiles> cells{};
  for (std::uint64_t i = 0; i < places_.size(); ++i) {
    index.unrank(i, cells);  // the first tiles of block 0 stand in the first cells
    for (std::size_t tile = first; tile < tiles; ++tile) {
      places_[i][tile - first] = static_cast<std::uint8_t>(cells[tile] - high());
    }
  }
}

CellSet PlacementBlocks::place(std::uint64_t block, std::span<int> cells, FreeCells& free) const {
  index_.unrank(block * size(), cells.first(static_cast<std::size_t>(high())));
  CellSet occupied = 0;
  for (const int cell : cells.first(static_cast<std::size_t>(high()))) occupied |= cell_bit(cell);
  std::size_t count = 0;
  for (int cell = 0; cell < index_.cells(); ++cell) {
    if ((occupied & cell_bit(cell)) == 0) free[count++] = static_cast<std::uint8_t>(cell);
  }
  return occupied;
}

}  // namespace tessera
