// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tessera/heuristic/collection.hpp"

namespace tessera {

/// A slot to look up on one of many boards.
struct LookUp {
  std::uint32_t index;  ///< into the table, filled in by `locate`
  std::uint16_t board;
  std::uint8_t slot;
};

/// The slots of a collection as they are looked up for a whole block of nodes: all entries are
/// asked for first and read afterwards. Every excess equals AwareSlot::excess.
///
/// With AVX2, for boards of at most 32 cells and patterns of at most six tiles, few branches are
/// left. An index (PlacementIndex) is a scalar product of the tiles' cells, less a correction for
/// each pair of tiles whose later one stands behind the earlier one; one instruction makes all 15
/// comparisons, whose outcomes are the index of the corrections' sum in a table. The blank's
/// region is filled for eight look-ups together.
class BatchLookUp {
 public:
  /// `vectors`: with vector instructions where there are any. The slots must outlive it.
  BatchLookUp(const std::vector<AwareSlot>& slots, int cells, bool vectors = true);

  /// Arrays of bytes, those of one board `stride` bytes behind those of the last one.
  struct Boards {
    const std::uint8_t* cells;  ///< by label, the blank's is 0; 32 bytes can be read at least
    std::uint8_t* excess;       ///< by slot
    std::size_t stride;
  };

  /// Finds the entries and asks for them.
  void locate(const Boards& boards, std::span<LookUp> look_ups) const {
    vectors_ ? locate_with_vectors(boards, look_ups) : locate_one_by_one(boards, look_ups);
  }
  /// Writes the excess of each look-up that `locate` found.
  void read(const Boards& boards, std::span<const LookUp> look_ups) const;

 private:
  static constexpr std::size_t most_tiles = 6;
  static constexpr std::size_t lanes = 8;
  using Bytes = std::array<std::uint8_t, 16>;

  // What the index of so many tiles is made of. The tiles come last in the six places.
  struct alignas(16) Numbering {
    Numbering(int cells, int tiles);

    Bytes later{};    // comparison i is whether the tile in place later[i]
    Bytes earlier{};  // stands behind the one in place earlier[i]
    Bytes radix{};    // two neighbors become one digit: first * radix + second
    std::array<std::int16_t, 8> factors{};  // of the first and the second such digit
    std::uint32_t last_factor = 0;          // of both together, before the third one is added
    std::array<std::uint32_t, 256> low{};   // corrections by the outcomes of comparisons 0 to 7
    std::array<std::uint32_t, 128> high{};  // and 8 to 14
  };
  struct alignas(16) Slot {
    Bytes from_low{};   // of each place the label, where it is one of 0 .. 15, else 128
    Bytes from_high{};  // the same of 16 .. 31, less 16
    Bytes image_low{};  // the table's cell of cells 0 .. 15
    Bytes image_high{};
    const Numbering* numbering = nullptr;
  };
  // Look-ups of entries that differ by region.
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
