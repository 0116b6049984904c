// SPDX-License-Identifier: MIT
#include "heuristic/placement_steps.hpp"

#include <algorithm>

namespace tessera {

std::array<std::uint8_t, Size::max_cells> cells_by_label(const Board& labels) {
  std::array<std::uint8_t, Size::max_cells> cell_of{};
  for (int cell = 0; cell < labels.size().cells(); ++cell) {
    cell_of[static_cast<std::size_t>(labels.tile(cell))] = static_cast<std::uint8_t>(cell);
  }
  return cell_of;
}

PlacementSteps::PlacementSteps(const Instance& instance, const Symmetry& symmetry, CellSet homes,
                               const PlacementIndex& index)
    : index_(index), image_(symmetry.image) {
  const Size size = symmetry.to;
  const Symmetry original = symmetry.inverse();
  constexpr int none = -1;
  std::array<int, Size::max_cells> tile_of;  // by label
  tile_of.fill(none);
  for (const int home : cells_of(homes)) {
    // `home` is an involution: it also gives the label of the tile at home in a cell.
    const int label = instance.home(original(home));
    tile_of[static_cast<std::size_t>(label)] = static_cast<int>(labels_.size());
    labels_.push_back(label);
  }
  const bool with_blank = static_cast<int>(labels_.size()) < index.tiles();
  if (with_blank) labels_.push_back(0);

  for (std::size_t label = 1; label < static_cast<std::size_t>(size.cells()); ++label) {
    const int tile = tile_of[label];
    if (tile == none && !with_blank) continue;
    // If the blank is placed, too, it moves the other way. Its digit counts the cells before it
    // that hold no pattern tile, so each of these that it passes takes one off: a tile outside the
    // pattern takes one per cell, and gives it back per pattern tile that it passes.
    const std::uint64_t share = tile == none ? ~std::uint64_t{0} : index.weight(tile);
    shares_[label] = {static_cast<std::uint32_t>(share),
                      static_cast<std::uint32_t>(share) * static_cast<std::uint32_t>(size.width)};
    for (std::size_t other = 1; other < static_cast<std::size_t>(size.cells()); ++other) {
      std::uint64_t change = 0;
      if (tile != none && tile_of[other] != none) change = index.passing(tile, tile_of[other]);
      else if (with_blank && tile != none) change = ~std::uint64_t{0};
      else if (with_blank && tile_of[other] != none) change = 1;
      passed_[label][other] = static_cast<std::uint32_t>(change);
    }
  }

  for (int blank = 0; blank < size.cells(); ++blank) {
    for (int d = 0; d < 4; ++d) {
      if (!instance.size().has_neighbor(blank, d)) continue;
      const int from = symmetry(blank + instance.size().offset(d));
      const int to = symmetry(blank);
      Passage& passage = passages_[static_cast<std::size_t>(4 * blank + d)];
      passage.sign = to < from ? ~0U : 0U;
      passage.is_row = size.row(from) != size.row(to) ? 1 : 0;
      passage.cells.fill(static_cast<std::uint8_t>(blank));
      for (int i = 1; passage.is_row != 0 && i < size.width; ++i) {
        passage.cells[static_cast<std::size_t>(i - 1)] =
            static_cast<std::uint8_t>(original(std::min(from, to) + i));
      }
    }
  }
}

}  // namespace tessera
