// SPDX-License-Identifier: MIT
#include "pdb/pattern_table.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "base/error.hpp"
#include "base/random.hpp"
#include "base/refusal.hpp"
#include "pdb/placement_index.hpp"
#include "pdb/placements.hpp"
#include "pdb/table_oracle.hpp"

namespace tessera {
namespace {

std::vector<std::uint8_t> built(const Pattern& pattern, int threads = 1) {
  const LargeBuffer table = additive_request(pattern).build(threads, {});
  return {table.bytes().begin(), table.bytes().end()};
}

std::vector<int> entries_of(const std::vector<std::uint8_t>& table, std::size_t count) {
  std::vector<int> entries;
  for (std::size_t i = 0; i < count; ++i) entries.push_back(table[i / 2] >> (4 * (i % 2)) & 15);
  return entries;
}

void expect_truth(Size size, CellSet homes, int goal_blank) {
  const std::vector<int> expected = TableOracle(size, homes, goal_blank).excesses();
  const std::vector<std::uint8_t> table = built(make_pattern(size, homes, goal_blank));
  ASSERT_EQ(table.size(), (expected.size() + 1) / 2);
  ASSERT_EQ(entries_of(table, expected.size()), expected)
      << to_string(size) << " homes " << homes << " blank " << goal_blank;
}

CellSet random_homes(Size size, int tiles, int goal_blank, Random& random) {
  CellSet homes = 0;
  while (std::popcount(homes) < tiles) {
    const int cell = static_cast<int>(random.below(static_cast<std::uint64_t>(size.cells())));
    if (cell != goal_blank) homes |= CellSet{1} << cell;
  }
  return homes;
}

TEST(AdditiveTable, IsTheOraclesOnThreeByThree) {
  Random random(11);
  for (const int goal_blank : {0, 8, 1, 4}) {
    for (int tiles = 1; tiles <= 5; ++tiles) {
      for (int i = 0; i < (tiles < 5 ? 4 : 1); ++i) {
        expect_truth({3, 3}, random_homes({3, 3}, tiles, goal_blank, random), goal_blank);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(AdditiveTable, KnowsInWhichPartTheBlankEnds) {
  // Tiles at home cut the grid in two.
  expect_truth({3, 3}, 0b000'001'010, 0);
  expect_truth({3, 3}, 0b000'001'010, 8);
  expect_truth({3, 3}, 0b010'010'010, 3);
  expect_truth({3, 3}, 0b010'101'010, 4);
  expect_truth({3, 3}, 0b010'101'010, 6);
  expect_truth({2, 5}, 0b00'00'11'00'00, 9);
}

TEST(AdditiveTable, IsTheOraclesOnOtherSizes) {
  Random random(12);
  for (const Size size : {Size{4, 3}, Size{3, 4}, Size{2, 5}, Size{6, 2}, Size{4, 4}}) {
    for (const int goal_blank : {0, size.width + 1}) {
      expect_truth(size, random_homes(size, 3, goal_blank, random), goal_blank);
      if (HasFatalFailure()) return;
    }
  }
  expect_truth({4, 3}, 0b0001'0011'0010, 0);
}

// Beyond sixteen cells regions are found by spreading instead of by look-up.
TEST(AdditiveTable, IsTheOraclesBeyondSixteenCells) {
  Random random(13);
  for (const Size size : {Size{6, 3}, Size{3, 6}, Size{9, 2}, Size{5, 5}, Size{6, 5}, Size{7, 7}}) {
    const int goal_blank = size.cells() - 1;
    const int tiles = size.cells() < 25 ? 3 : 2;
    expect_truth(size, random_homes(size, tiles, goal_blank, random), goal_blank);
    if (HasFatalFailure()) return;
  }
  // The blank ends in a corner cut off, and outside of it.
  expect_truth({9, 2}, 0b000000100'000001000, 17);
  expect_truth({6, 3}, 0b000000'000001'000010, 0);
  expect_truth({6, 3}, 0b000000'000001'000010, 17);
}

TEST(AdditiveTable, ImagesUnderSymmetryHoldTheSameEntries) {
  const Pattern pattern = make_pattern({4, 3}, 0b0000'0110'0011, 11);
  const PlacementIndex index(12, pattern.tiles());
  const std::vector<int> entries = entries_of(built(pattern), index.count());
  for (const Symmetry& symmetry : symmetries({4, 3})) {
    const Pattern image = make_pattern(symmetry.to, symmetry.of(pattern.homes), symmetry(11));
    const std::vector<int> image_entries = entries_of(built(image), index.count());
    std::vector<int> homes;
    for (int cell = 0; cell < 12; ++cell) {
      if ((pattern.homes >> cell & 1) != 0) homes.push_back(cell);
    }
    // The image's tiles come in the order of their own homes.
    std::vector<std::size_t> order(homes.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return symmetry(homes[a]) < symmetry(homes[b]);
    });
    std::vector<int> cells(homes.size());
    std::vector<int> image_cells(homes.size());
    for (std::uint64_t i = 0; i < index.count(); ++i) {
      index.unrank(i, cells);
      for (std::size_t tile = 0; tile < cells.size(); ++tile) {
        image_cells[tile] = symmetry(cells[order[tile]]);
      }
      ASSERT_EQ(image_entries[index.rank(image_cells)], entries[i]);
    }
  }
}

TEST(AdditiveTable, IsTheSameFromAnyNumberOfThreads) {
  const Pattern many_blocks = make_pattern({4, 3}, 0b0000'0110'1111, 11);
  const Pattern one_block = make_pattern({3, 3}, 0b000'011'110, 0);
  const Pattern beyond_sixteen = make_pattern({6, 3}, 0b000001'000011'000000, 0);
  for (const Pattern& pattern : {many_blocks, one_block, beyond_sixteen}) {
    const std::vector<std::uint8_t> alone = built(pattern);
    for (const int threads : {2, 4, 9, 0}) EXPECT_EQ(built(pattern, threads), alone) << threads;
  }
}

TEST(AdditiveTable, TellsHowFarItIsAndCanBeEnded) {
  const Pattern pattern = make_pattern({4, 3}, 0b0000'0000'1111, 11);
  std::vector<double> told;
  const auto report = [&](double done) {
    told.push_back(done);
    return true;
  };
  const LargeBuffer whole = additive_request(pattern).build(1, {report});
  EXPECT_FALSE(whole.bytes().empty());
  ASSERT_FALSE(told.empty());
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  EXPECT_GE(told.front(), 0);
  EXPECT_LE(told.back(), 1);
  EXPECT_GT(told.back(), 0.5);

  for (const std::size_t last : {std::size_t{1}, told.size() / 2, told.size()}) {
    std::size_t calls = 0;
    const LargeBuffer cut =
        additive_request(pattern).build(1, {[&](double) { return ++calls < last; }});
    EXPECT_TRUE(cut.bytes().empty()) << last;
    EXPECT_EQ(calls, last);
  }
}

TEST(AdditiveTable, ATeamIsEndedToo) {
  // Enough blocks that the thread that tells meets some of them.
  const Pattern pattern = make_pattern({4, 4}, 0b0000'0000'0011'1110, 0);
  EXPECT_TRUE(additive_request(pattern).build(3, {[](double) { return false; }}).bytes().empty());
}

TEST(AdditiveTable, RefusesFourThousandMillionEntries) {
  for (const auto& [size, homes] : {std::pair{Size{5, 5}, CellSet{0x1fe}},
                                    {Size{5, 4}, {0x1fe}},
                                    {Size{8, 8}, {0x1ffe}},
                                    {Size{4, 4}, {0x3ffe}}}) {
    const Pattern pattern = make_pattern(size, homes, 0);
    SCOPED_TRACE(to_string(size));
    const bool too_many_tiles = pattern.tiles() > 12;
    EXPECT_EQ(refused([&] { return additive_request(pattern); }).kind(),
              too_many_tiles ? ErrorKind::input : ErrorKind::resource);
  }
  EXPECT_EQ(additive_request(make_pattern({5, 5}, 0xfe, 0)).cost.entries, 2'422'728'000U);
}

TEST(AdditiveTable, RequestsNameTheirPattern) {
  const Pattern pattern = make_pattern({4, 4}, 0x00fe, 0);
  const TableRequest request = additive_request(pattern);
  EXPECT_EQ(file_name(request.key), "additive-4x4-fe-1.pdb");
  EXPECT_EQ(request.cost.entries, 57'657'600U);
  EXPECT_EQ(request.cost.file_bytes, 28'828'800U);
  EXPECT_GT(request.cost.build_bytes, request.cost.file_bytes);
}

}  // namespace
}  // namespace tessera
