// SPDX-License-Identifier: MIT
#include "pdb/placement_index.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"

namespace tessera {

PlacementIndex::PlacementIndex(int cells, int tiles, bool with_blank)
    : cells_(cells), tiles_(tiles + (with_blank ? 1 : 0)), has_blank_(with_blank) {
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

void PlacementIndex::unrank(std::uint64_t index, std::span<int> cells) const {
  std::array<int, Size::max_cells> left;
  std::iota(left.begin(), left.begin() + cells_, 0);
  auto end = left.begin() + cells_;
  for (int tile = 0; tile < tiles_; ++tile) {
    const auto digit = static_cast<std::ptrdiff_t>(index / weight(tile));
    index %= weight(tile);
    const auto cell = left.begin() + digit;
    cells[static_cast<std::size_t>(tile)] = *cell;
    end = std::copy(cell + 1, end, cell);
  }
}

}  // namespace tessera
