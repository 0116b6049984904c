// SPDX-License-Identifier: MIT
#include "pdb/region_rows.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace tessera {

RegionRows::RegionRows(Size size, int tiles)
    : regions_(size), tiles_(static_cast<std::size_t>(tiles)) {
  for (auto& row : choices_) row[0] = 1;
  for (std::size_t n = 1; n < choices_.size(); ++n) {
    for (std::size_t k = 1; k <= most_tiles; ++k) {
      choices_[n][k] = choices_[n - 1][k - 1] + choices_[n - 1][k];
    }
  }
  list_sets();
  list_orders();
  link_rows(size);
}

void RegionRows::list_sets() {
  CellSet set = cell_bit(static_cast<int>(tiles_)) - 1;
  while (true) {
    sets_.push_back(set);
    // The next number with as many bits (Gosper).
    const CellSet low = set & -set;
    const CellSet carried = set + low;
    if (carried == 0) break;
    set = ((set ^ carried) >> 2) / low | carried;
    if ((set & ~regions_.all()) != 0) break;
  }
}

void RegionRows::list_orders() {
  Order order{};
  std::iota(order.begin(), order.end(), std::uint8_t{0});
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(tiles_);
  do orders_.push_back(order);
  while (std::next_permutation(order.begin(), end));
  maps_.resize(tiles_ * tiles_);
  for (std::size_t from = 0; from < tiles_; ++from) {
    for (std::size_t to = 0; to < tiles_; ++to) {
      std::vector<std::uint16_t>& map = maps_[from * tiles_ + to];
      for (Order moved : orders_) {
        const auto at = [&](std::size_t i) {
          return moved.begin() + static_cast<std::ptrdiff_t>(i);
        };
        if (from < to) std::rotate(at(from), at(from + 1), at(to + 1));
        if (from > to) std::rotate(at(to), at(from), at(from + 1));
        const auto found = std::lower_bound(orders_.begin(), orders_.end(), moved);
        map.push_back(static_cast<std::uint16_t>(found - orders_.begin()));
      }
    }
  }
}

std::size_t RegionRows::rank(CellSet set) const {
  std::size_t rank = 0;
  for (std::size_t i = 1; set != 0; set &= set - 1, ++i) {
    rank += choices_[static_cast<std::size_t>(std::countr_zero(set))][i];
  }
  return rank;
}

std::uint32_t RegionRows::row_of(CellSet set, int blank) const {
  return first_row_[rank(set)] +
         static_cast<std::uint32_t>(regions_.number(blank, regions_.all() & ~set));
}

void RegionRows::link_rows(Size size) {
  std::uint32_t row = 0;
  std::vector<CellSet> blanks;  // by row
  for (const CellSet set : sets_) {
    first_row_.push_back(row);
    for (CellSet open = regions_.all() & ~set; open != 0; ++row) {
      blanks.push_back(regions_.spread(open & -open, open));
      open &= ~blanks.back();
    }
  }
  first_row_.push_back(row);
  link_start_.reserve(row + 1);
  std::size_t of_set = 0;
  for (row = 0; row < blanks.size(); ++row) {
    link_start_.push_back(static_cast<std::uint32_t>(links_.size()));
    if (row == first_row_[of_set + 1]) ++of_set;
    const CellSet set = sets_[of_set];
    const auto link = [&](int blank, int tile) {
      if ((set & cell_bit(tile)) == 0) return;
      const CellSet next = set ^ cell_bit(tile) ^ cell_bit(blank);
      const auto place = [](CellSet cells, int cell) {
        return static_cast<std::size_t>(std::popcount(cells & (cell_bit(cell) - 1)));
      };
      const std::size_t from = place(set, tile);
      const std::size_t to = place(next, blank);
      const std::size_t map = from == to ? 0 : from * tiles_ + to;
      links_.push_back({row_of(next, tile), static_cast<std::uint16_t>(map)});
    };
    for (CellSet left = blanks[row]; left != 0; left &= left - 1) {
      const int cell = std::countr_zero(left);
      if (size.column(cell) > 0) link(cell, cell - 1);
      if (size.column(cell) + 1 < size.width) link(cell, cell + 1);
      if (cell >= size.width) link(cell, cell - size.width);
      if (cell + size.width < size.cells()) link(cell, cell + size.width);
    }
  }
  link_start_.push_back(static_cast<std::uint32_t>(links_.size()));
}

}  // namespace tessera
