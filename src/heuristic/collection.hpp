// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "heuristic/additive.hpp"
#include "heuristic/huge_tables.hpp"
#include "heuristic/manhattan.hpp"
#include "pdb/pattern_table.hpp"
#include "pdb/regions.hpp"

namespace tessera {

/// A pattern with its zero-aware table (pattern_table.hpp), looked up by the cells of its tiles.
class AwareSlot {
 public:
  /// Set in an excess that is not exact: one move may change it by more than one.
  static constexpr unsigned inexact = 0x80;

  /// Where the tiles are on the table's grid.
  struct Placement {
    CellSet occupied;
    std::uint32_t index;
  };

  /// Opens the table; if it is missing, one thread builds it first.
  AwareSlot(const Instance& instance, const CanonicalPattern& own,
            const std::string& table_directory);

  /// `cell_of` is the cell of each label.
  template <class Cells>
  [[nodiscard, gnu::always_inline]] Placement placement(const Cells& cell_of) const {
    return tiles_ == 6 ? placed<6>(cell_of, 6) : placed<0>(cell_of, tiles_);
  }
  [[gnu::always_inline]] void prefetch(const Placement& placement) const {
    __builtin_prefetch(codes_ + placement.index);
  }
  /// Half of the excess of the tiles' least number of moves over their Manhattan distance, with the
  /// blank in that cell; may have the `inexact` bit.
  [[nodiscard, gnu::always_inline]] unsigned excess(const Placement& placement, int blank) const {
    const unsigned code = codes_[placement.index];
    if (code < AwareTable::first_tuple) [[likely]]
      return code;
    return excess_in(code, regions_.number(image_[static_cast<std::size_t>(blank)],
                                           regions_.all() & ~placement.occupied));
  }

  [[nodiscard]] bool is_unchanged() const { return table_->table->is_unchanged(); }
  /// The tiles' labels.
  [[nodiscard]] std::span<const std::uint8_t> labels() const {
    return std::span(labels_).first(static_cast<std::size_t>(tiles_));
  }

 private:
  friend class BatchLookUp;  // the same for a block of nodes

  template <class Cells>
  [[nodiscard, gnu::always_inline]] CellSet occupied(const Cells& cell_of) const {
    CellSet occupied = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(tiles_); ++i) {
      occupied |= CellSet{1} << image_[cell_of[labels_[i]]];
    }
    return occupied;
  }
  // For an entry whose code is not the excess of all regions.
  [[nodiscard, gnu::always_inline]] unsigned excess_in(unsigned code, int region) const {
    if (code >= AwareTable::first_inexact) [[unlikely]]
      return (code - AwareTable::first_inexact) | inexact;
    return tuples_[code] >> (4 * region) & 15U;
  }

  template <int Tiles, class Cells>
  [[nodiscard, gnu::always_inline]] Placement placed(const Cells& cell_of, int tiles) const {
    Placement placement{0, 0};
    for (std::size_t i = 0; i < static_cast<std::size_t>(Tiles > 0 ? Tiles : tiles); ++i) {
      const unsigned cell = image_[cell_of[labels_[i]]];
      const CellSet below = placement.occupied & ((CellSet{1} << cell) - 1);
      placement.index += (cell - static_cast<unsigned>(std::popcount(below))) * weights_[i];
      placement.occupied |= CellSet{1} << cell;
    }
    return placement;
  }

  const std::uint8_t* codes_;
  const std::uint32_t* tuples_;
  Regions regions_;
  int tiles_ = 0;
  std::array<std::uint8_t, AwareTable::most_tiles> labels_{};  // in the table's order of tiles
  std::array<std::uint32_t, AwareTable::most_tiles> weights_{};
  std::array<std::uint8_t, Size::max_cells> image_{};  // maps the board's cells to the table's
  std::shared_ptr<const HugeTable> table_;
};

/// The maximum of many additive partitions with zero-aware tables. Partitions share slots: there is
/// one for each pattern (set of home cells).
///
/// If the excesses of a view are exact, each move changes its value by exactly one, up or down.
class Collection {
 public:
  static constexpr std::size_t most_views = 64;
  static constexpr std::size_t most_slots = 256;

  /// Partitions with all of their images (with_images) if these fit, else with one. Opens the
  /// tables or builds them first. Throws Error(input) if there are too many partitions.
  Collection(const Instance& instance, const std::vector<Partition>& partitions,
             const std::string& table_directory);

  [[nodiscard]] int evaluate(const Board& labels) const;
  [[nodiscard]] const Manhattan& manhattan() const { return manhattan_; }
  [[nodiscard]] const std::vector<AwareSlot>& slots() const { return slots_; }
  /// False once a change of a table's file was noticed.
  [[nodiscard]] bool is_unchanged() const {
    return std::ranges::all_of(slots_, &AwareSlot::is_unchanged);
  }
  [[nodiscard]] const std::vector<View>& views() const { return views_; }

 private:
  Manhattan manhattan_;
  std::vector<AwareSlot> slots_;
  std::vector<View> views_;
};

/// Whether these partitions and their mirror images are too many for Additive.
[[nodiscard]] bool is_collection(const std::vector<Partition>& partitions, Size size,
                                 int goal_blank);

/// The tables that a collection needs, without duplicates. Throws Error(input) like Collection.
[[nodiscard]] std::vector<TableRequest> collection_requests(
    const std::vector<Partition>& partitions, Size size, int goal_blank);

}  // namespace tessera
