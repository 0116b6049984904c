// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "heuristic/collection.hpp"

namespace tessera {

/// One slot to look up on one of many boards.
struct LookUp {
  std::uint32_t index;  ///< into the table, filled in by `locate`
  std::uint16_t board;
  std::uint8_t slot;
};

/// Looks up the slots of a collection for a whole block of nodes: prefetches all entries first and
/// reads them afterwards. Every excess equals AwareSlot::excess.
///
/// With AVX2, for boards of at most 32 cells and patterns of at most six tiles, few branches
/// remain. An index (PlacementIndex) is a dot product of the tiles' cells, less a correction for
/// each pair of tiles whose later one is in the higher cell; one instruction does all 15
/// comparisons, and their results index a table of summed corrections. Eight lookups flood-fill the
/// blank's region together.
class BatchLookUp {
 public:
  /// `vectors`: use vector instructions if there are any. The slots must outlive this object.
  BatchLookUp(const std::vector<AwareSlot>& slots, int cells, bool vectors = true);

  /// Arrays of bytes; those of consecutive boards are `stride` bytes apart.
  struct Boards {
    const std::uint8_t* cells;  ///< by label, the blank's is 0; at least 32 bytes are readable
    std::uint8_t* excess;       ///< by slot
    std::size_t stride;
  };

  /// Computes the table index of each lookup and prefetches the entries.
  void locate(const Boards& boards, std::span<LookUp> look_ups) const {
    vectors_ ? locate_with_vectors(boards, look_ups) : locate_one_by_one(boards, look_ups);
  }
  /// Writes the excess of each lookup after `locate`.
  void read(const Boards& boards, std::span<const LookUp> look_ups) const;

 private:
  static constexpr std::size_t most_tiles = 6;
  static constexpr std::size_t lanes = 8;
  using Bytes = std::array<std::uint8_t, 16>;

  // Constants for the index of a number of tiles. The tiles take the last of the six places.
  struct alignas(16) Numbering {
    Numbering(int cells, int tiles);

    Bytes later{};    // comparison i tests whether the tile in place later[i]
    Bytes earlier{};  // is in a higher cell than that in place earlier[i]
    Bytes radix{};    // two adjacent places form one digit: first * radix + second
    std::array<std::int16_t, 8> factors{};  // of the first and the second such digit
    std::uint32_t last_factor = 0;          // of their combination, before the third is added
    std::array<std::uint32_t, 256> low{};   // corrections by the results of comparisons 0 to 7
    std::array<std::uint32_t, 128> high{};  // and 8 to 14
  };
  struct alignas(16) Slot {
    Bytes from_low{};   // the label in each place if it is in 0 .. 15, else 128
    Bytes from_high{};  // the same for 16 .. 31, minus 16
    Bytes image_low{};  // the table's cell of cells 0 .. 15
    Bytes image_high{};
    const Numbering* numbering = nullptr;
  };
  // Lookups of entries that differ by region.
  struct Lanes {
    alignas(32) std::array<std::uint32_t, lanes> open{};  // cells
    alignas(32) std::array<std::uint32_t, lanes> blank{};
    alignas(32) std::array<std::uint32_t, lanes> region{};  // the result
  };

  void locate_one_by_one(const Boards& boards, std::span<LookUp> look_ups) const;
  void locate_with_vectors(const Boards& boards, std::span<LookUp> look_ups) const;
  void resolve(const Boards& boards, std::span<const LookUp> look_ups) const;
  void number_regions(Lanes& batch) const;

  const std::vector<AwareSlot>& plain_;
  Regions regions_;
  bool vectors_ = false;
  std::vector<Numbering> numberings_;
  std::vector<Slot> slots_;
};

}  // namespace tessera
