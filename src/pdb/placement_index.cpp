// SPDX-License-Identifier: MIT
#include "tessera/pdb/placement_index.hpp"

#include <bit>

#include "tessera/base/error.hpp"

namespace tessera {

PlacementIndex::PlacementIndex(int cells, int tiles) : cells_(cells), tiles_(tiles) {
  if (tiles < 1 || tiles > max_tiles || tiles >= cells) {
    bad_input("a pattern of " + std::to_string(tiles) + " tiles, expected 1 to " +
              std::to_string(std::min(max_tiles, cells - 1)));
  }
  constexpr std::uint64_t most = std::uint64_t{1} << 63;
  for (int tile = tiles; tile-- > 0;) {
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
  std::array<int, Size::max_cells> left{};
  for (int cell = 0; cell < cells_; ++cell) left[static_cast<std::size_t>(cell)] = cell;
  int count = cells_;
  for (int tile = 0; tile < tiles_; ++tile) {
    const auto digit = static_cast<int>(index / weight(tile));
    index %= weight(tile);
    cells[static_cast<std::size_t>(tile)] = left[static_cast<std::size_t>(digit)];
    for (int i = digit; i + 1 < count; ++i) {
      left[static_cast<std::size_t>(i)] = left[static_cast<std::size_t>(i + 1)];
    }
    --count;
  }
}

}  // namespace tessera
