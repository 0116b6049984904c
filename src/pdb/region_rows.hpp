// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
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

  RegionRows(Size size, int tiles);

  [[nodiscard]] std::size_t rows() const { return link_start_.size() - 1; }
  [[nodiscard]] std::size_t orders() const { return orders_.size(); }
  [[nodiscard]] std::size_t words() const { return (orders() + 63) / 64; }
  /// The sets of cells, and the rows of each: from first_row(s) to first_row(s + 1).
  [[nodiscard]] const std::vector<CellSet>& sets() const { return sets_; }
  [[nodiscard]] std::size_t first_row(std::size_t set) const { return first_row_[set]; }
  [[nodiscard]] const Order& order(std::size_t number) const { return orders_[number]; }
  /// The row of a set with the blank in one of the other cells.
  [[nodiscard]] std::uint32_t row_of(CellSet set, int blank) const;
  [[nodiscard]] std::span<const Link> links(std::size_t row) const {
    return {links_.data() + link_start_[row], links_.data() + link_start_[row + 1]};
  }
  [[nodiscard]] const std::vector<std::uint16_t>& map(std::uint16_t number) const {
    return maps_[number];
  }

 private:
  void list_sets();
  void list_orders();
  void link_rows(Size size);
  [[nodiscard]] std::size_t rank(CellSet set) const;

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
