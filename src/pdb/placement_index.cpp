// SPDX-License-Identifier: MIT
#include "tessera/pdb/placement_index.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "tessera/base/error.hpp"

namespace tessera {

PlacementIndex::PlacementIndex(int cells, int tiles, bool with_blank)
    : cells_(cells), tiles_(tiles + (with_blank ? 1 : 0)) {
  if (tiles < 1 || tiles_ > max_tiles || tiles >= cells) {
    bad_input("a pattern of " + std::to_string(tiles) + " tiles, expected 1 to " +
              std::to_string(std::min(max_tiles, cells - 1)));
  }
  constexpr std::uint64_t most = std::uint64_t{1} << 63;
  for (int tile = tiles_; tile-- > 0;) {
    weights_[static_cast<std::size_t>(tile)] = count_;
    const auto choices = static_cast<std::uint64_t>(cells - tile);
    count_ = count_ > most / choices ? most : count_ * choices;
  }
}

std::uint64_t PlacementIndex::rank(std::span<const int> cells) const {
  std::uint64_t index = 0;
  std::uint64_t before = 0;
  for (int tile = 0; tile < tiles_; ++tile) {
    const int cell = cells[static_cast<std::size_t>(tile)];
    const std::uint64_t below = (std::uint64_t{1} << cell) - 1;
    index += weight(tile) * static_cast<std::uint64_t>(cell - std::popcount(before & below));
    before |= std::uint64_t{1} << cell;
  }
  return index;
}

void PlacementIndex::unrank(std::uint64_t index, std::span<int> cells) const {
  std::array<int, Size::max_cells> left;
  std::iota(left.begin(), left.begin() + cells_, 0);
  auto end = left.begin() + cells_;
  const int placed = std::min(tiles_, static_cast<int>(cells.size()));
  for (int tile = 0; tile < placed; ++tile) {
    const auto digit = static_cast<std::ptrdiff_t>(index / weight(tile));
    index %= weight(tile);
    const auto cell = left.begin() + digit;
    cells[static_cast<std::size_t>(tile)] = *cell;
    end = std::copy(cell + 1, end, cell);
  }
}

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
