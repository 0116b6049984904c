// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "pdb/placement_index.hpp"
#include "pdb/table_store.hpp"

namespace tessera {

/// The states of k tiles and the blank, in rows: one for each set of k cells and place of the
/// blank, with the k! orders of the tiles on the set. The blank's place is its cell if each of its
/// moves counts, else its region, in which it moves for free.
///
///     row     the sets of k cells in ascending order as numbers, each with the blank's places in
///             the order of their first cells
///     order   of the tiles from the set's first cell to its last, lexicographically
///
/// A move leads from all orders of a row to the same other row: between consecutive cells every
/// order is kept, otherwise a few digits of its number change. So a breadth-first search handles 64
/// states at once, and all patterns share the links between rows.
class PlacementRows {
 public:
  /// `index` numbers the placements of the tiles, and of the blank if its moves count.
  PlacementRows(Size size, const PlacementIndex& index);

  [[nodiscard]] std::size_t rows() const { return first_row_.back(); }
  [[nodiscard]] std::size_t orders() const { return orders_.size(); }
  [[nodiscard]] std::size_t words() const { return (orders() + 63) / 64; }
  /// The number of sets, and the rows of each: from first_row(s) to first_row(s + 1).
  [[nodiscard]] std::size_t sets() const { return sets_.size(); }
  [[nodiscard]] std::size_t first_row(std::size_t set) const { return first_row_[set]; }

  /// Memory per order while the rows exist.
  static constexpr std::uint64_t bytes_per_order =
      PlacementIndex::max_tiles + sizeof(std::uint64_t);
  /// Memory per set of cells of that many tiles, with all links.
  static std::uint64_t bytes_per_set(int tiles) {
    return 32 + sizeof(Link) * 4 * static_cast<std::uint64_t>(tiles);
  }

  /// States of a row, one bit per order.
  using States = std::span<const std::uint64_t>;
  [[nodiscard]] States all() const { return all_; }
  /// What a search finds in a row after `moves` moves.
  struct Found {
    std::size_t set;
    std::size_t row;
    int moves;
    States states;
  };

  /// Breadth-first search from the tiles at home with `threads` threads, which pass what they find
  /// to `use`; rows of one set are handled by one thread at a time. False if `progress` stopped it.
  ///
  /// Memory: two bits per state.
  [[nodiscard]] bool search(CellSet homes, int blank, int threads, const TableProgress& progress,
                            const std::function<void(const Found&)>& use) const;

  /// Calls `use(order, cells, index)` for each of these states of a set: the cells of the tiles,
  /// and the lowest index of their placement.
  template <class Use>
  void for_each(std::size_t set, States states, const Use& use) const {
    PlaceOfTile places{};
    std::size_t place = 0;
    for (const int cell : cells_of(sets_[set])) places[place++] = static_cast<std::uint8_t>(cell);
    std::array<int, PlacementIndex::max_tiles> cells{};
    for (std::size_t word = 0; word < states.size(); ++word) {
      for (const int bit : cells_of(states[word])) {
        const std::size_t order = 64 * word + static_cast<std::size_t>(bit);
        std::uint64_t index = 0 - less_[order];
        for (std::size_t tile = 0; tile < tiles_; ++tile) {
          const std::uint8_t cell = places[orders_[order][tile]];
          cells[tile] = cell;
          index += cell * weights_[tile];
        }
        use(order, std::span<const int>(cells).first(tiles_), index);
      }
    }
  }

 private:
  using PlaceOfTile = std::array<std::uint8_t, PlacementIndex::max_tiles>;
  // Maps order to order + change[order / unit % change.size()], modulo 2^32.
  struct Turn {
    std::uint32_t unit = 1;
    std::vector<std::uint32_t> change;
  };
  // A row from which one move leads here, and how that changes the orders, if at all.
  struct Link {
    std::uint32_t row;
    std::uint32_t turn;
  };
  struct Plane;
  class Step;

  void list_sets();
  void list_orders(const PlacementIndex& index);
  void list_turns(int most_passed);
  void link_rows(Size size);
  [[nodiscard]] std::size_t rank(CellSet set) const;
  [[nodiscard]] std::uint32_t row_of(CellSet set, int blank) const;
  template <class Use>
  void for_each_place(CellSet set, const Use& use) const;

  Regions regions_;
  std::size_t tiles_;
  bool blank_counts_;
  std::vector<CellSet> sets_;
  std::vector<std::uint32_t> first_row_;  // by set
  std::vector<PlaceOfTile> orders_;
  // An index is the weighted sum of the tiles' cells, minus this for the tiles that are before
  // later ones.
  std::vector<std::uint64_t> less_;
  std::array<std::uint64_t, PlacementIndex::max_tiles> weights_{};
  std::vector<std::uint64_t> all_;
  std::vector<Turn> turns_;              // by source and destination place
  std::vector<std::size_t> link_start_;  // by row
  std::vector<Link> links_;
  std::array<std::array<std::uint32_t, PlacementIndex::max_tiles + 1>, Size::max_cells> choices_{};
};

}  // namespace tessera
