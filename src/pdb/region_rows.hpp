// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "tessera/pdb/regions.hpp"

namespace tessera {

/// The states of k tiles and the blank's region, in rows: one for each set of k cells and region of
/// the open cells, of k! orders in which the tiles can stand on the set.
///
///     row     the sets of k cells in ascending order as numbers, a set's regions by number
///     order   of the tiles from the set's first cell to its last, lexicographically
///
/// The same move leads from all orders of a row to another row: between neighbours in the order of
/// cells each order to itself, else through a map of orders that depends on the tile's places
/// alone. So a breadth-first search handles 64 states at once, and the rows' links serve all
/// patterns.
class RegionRows {
 public:
  static constexpr int most_tiles = 8;
  using Order = std::array<std::uint8_t, most_tiles>;

  struct Link {
    std::uint32_t row;
    std::uint16_t map;  ///< 0: orders stay as they are
  };

  RegionRows(Size size, int tiles) : regions_(size), tiles_(static_cast<std::size_t>(tiles)) {
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

  [[nodiscard]] std::size_t rows() const { return link_start_.size() - 1; }
  [[nodiscard]] std::size_t orders() const { return orders_.size(); }
  [[nodiscard]] std::size_t words() const { return (orders() + 63) / 64; }
  /// The sets of cells, and the rows of each: from first_row(s) to first_row(s + 1).
  [[nodiscard]] const std::vector<CellSet>& sets() const { return sets_; }
  [[nodiscard]] std::size_t first_row(std::size_t set) const { return first_row_[set]; }
  [[nodiscard]] const Order& order(std::size_t number) const { return orders_[number]; }
  /// The row of a set with the blank in one of the other cells.
  [[nodiscard]] std::uint32_t row_of(CellSet set, int blank) const {
    return first_row_[rank(set)] +
           static_cast<std::uint32_t>(regions_.number(blank, regions_.all() & ~set));
  }

  [[nodiscard]] std::span<const Link> links(std::size_t row) const {
    return {links_.data() + link_start_[row], links_.data() + link_start_[row + 1]};
  }

  [[nodiscard]] const std::vector<std::uint16_t>& map(std::uint16_t number) const {
    return maps_[number];
  }

 private:
  void list_sets() {
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

  void list_orders() {
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

  void link_rows(Size size) {
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

  [[nodiscard]] std::size_t rank(CellSet set) const {
    std::size_t rank = 0;
    for (std::size_t i = 1; set != 0; set &= set - 1, ++i) {
      rank += choices_[static_cast<std::size_t>(std::countr_zero(set))][i];
    }
    return rank;
  }

  Regions regions_;
  std::size_t tiles_;
  std::vector<CellSet> sets_;
  std::vector<std::uint32_t> first_row_;
  std::vector<Order> orders_;
  std::vector<std::vector<std::uint16_t>> maps_;  // by place before and after
  std::vector<std::uint32_t> link_start_;
  std::vector<Link> links_;
  std::array<std::array<std::uint32_t, most_tiles + 1>, Size::max_cells + 1> choices_{};
};

}  // namespace tessera
