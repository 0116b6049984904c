// SPDX-License-Identifier: MIT
#include "pdb/placement_index.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/refusal.hpp"
#include "pdb/placements.hpp"

namespace tessera {
namespace {

TEST(PlacementIndex, CountsPlacementsInLexicographicOrder) {
  for (int cells = 2; cells <= 7; ++cells) {
    for (int tiles = 1; tiles < cells; ++tiles) {
      const PlacementIndex index(cells, tiles);
      std::uint64_t expected = 0;
      for_each_placement(cells, tiles, [&](const std::vector<int>& placement) {
        ASSERT_EQ(index.rank(placement), expected);
        std::vector<int> back(placement.size());
        index.unrank(expected, back);
        ASSERT_EQ(back, placement);
        ++expected;
      });
      EXPECT_EQ(index.count(), expected) << cells << " cells, " << tiles << " tiles";
    }
  }
}

// What the header says of a tile's step, cell by cell.
TEST(PlacementIndex, AStepChangesItByWhatTheTilesPassedWeigh) {
  for (const Size size : {Size{3, 3}, Size{4, 2}, Size{2, 4}}) {
    for (int tiles = 1; tiles <= 5; ++tiles) {
      const PlacementIndex index(size.cells(), tiles);
      for_each_placement(size.cells(), tiles, [&](const std::vector<int>& placement) {
        const auto tile_in = [&](int cell) {
          return static_cast<int>(std::find(placement.begin(), placement.end(), cell) -
                                  placement.begin());
        };
        for (int tile = 0; tile < tiles; ++tile) {
          const int cell = placement[static_cast<std::size_t>(tile)];
          std::vector<int> after = placement;
          if (size.column(cell) + 1 < size.width && tile_in(cell + 1) == tiles) {
            after[static_cast<std::size_t>(tile)] = cell + 1;
            ASSERT_EQ(index.rank(after), index.rank(placement) + index.weight(tile));
          }
          if (size.row(cell) + 1 < size.height && tile_in(cell + size.width) == tiles) {
            after[static_cast<std::size_t>(tile)] = cell + size.width;
            std::uint64_t expected = index.rank(placement);
            expected += static_cast<std::uint64_t>(size.width) * index.weight(tile);
            for (int passed = cell + 1; passed < cell + size.width; ++passed) {
              const int other = tile_in(passed);
              if (other < tile) expected -= index.weight(tile);
              else if (other < tiles) expected += index.weight(other);
            }
            ASSERT_EQ(index.rank(after), expected);
          }
        }
      });
    }
  }
}

TEST(PlacementIndex, LargeOnesAreInverseAndSaturate) {
  const PlacementIndex index(25, 7);
  EXPECT_EQ(index.count(), 2'422'728'000U);
  std::vector<int> cells(7);
  for (std::uint64_t i = 0; i < index.count(); i += 12'345'677) {
    index.unrank(i, cells);
    ASSERT_EQ(index.rank(cells), i);
  }
  EXPECT_EQ(PlacementIndex(64, 12).count(), std::uint64_t{1} << 63);
}

TEST(PlacementIndex, RefusesPatternsThatAreNone) {
  for (const auto& [cells, tiles] : {std::pair{9, 0}, {9, 9}, {9, -1}, {16, 13}, {64, 64}}) {
    SCOPED_TRACE(testing::Message() << cells << " cells, " << tiles << " tiles");
    const auto made = [cells = cells, tiles = tiles] { return PlacementIndex(cells, tiles); };
    EXPECT_EQ(refused(made).kind(), ErrorKind::input);
  }
  EXPECT_EQ(PlacementIndex(9, 8).count(), 362'880U);
}

}  // namespace
}  // namespace tessera
