// SPDX-License-Identifier: MIT
#include "pdb/pattern.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "base/error.hpp"
#include "base/random.hpp"
#include "base/refusal.hpp"
#include "base/temporary_folder.hpp"

namespace tessera {
namespace {

CellSet bit(int cell) {
  return CellSet{1} << cell;
}

CellSet all_cells(Size size) {
  return size.cells() == 64 ? ~CellSet{0} : bit(size.cells()) - 1;
}

// The tiles by cell of a goal whose tiles are in order around the blank.
std::vector<int> goal_tiles(Size size, int blank) {
  std::vector<int> tiles;
  int tile = 0;
  for (int cell = 0; cell < size.cells(); ++cell) tiles.push_back(cell == blank ? 0 : ++tile);
  return tiles;
}

// One cell after another, as far as neighbours go.
CellSet flooded(Size size, int cell, CellSet occupied) {
  if ((occupied & bit(cell)) != 0) return 0;
  CellSet region = bit(cell);
  for (int again = 0; again < size.cells(); ++again) {
    for (int a = 0; a < size.cells(); ++a) {
      for (int b = 0; b < size.cells(); ++b) {
        const bool joins = (region & bit(a)) != 0 && size.distance(a, b) == 1;
        if (joins && (occupied & bit(b)) == 0) region |= bit(b);
      }
    }
  }
  return region;
}

CellSet some_cells(Size size, Random& random) {
  return random.next() & random.next() & all_cells(size);
}

const std::vector<Size> sizes{{3, 3}, {4, 3}, {3, 4}, {4, 4}, {2, 6}, {5, 5}, {8, 8}, {32, 2}};

TEST(Region, IsWhatNeighboursReach) {
  Random random(1);
  for (const Size size : {Size{3, 3}, Size{4, 3}, Size{2, 6}, Size{5, 5}}) {
    for (int i = 0; i < 200; ++i) {
      const CellSet occupied = random.next() & all_cells(size);
      const int cell = static_cast<int>(random.below(static_cast<std::uint64_t>(size.cells())));
      ASSERT_EQ(make_pattern(size, occupied, cell).blank_region, flooded(size, cell, occupied));
    }
  }
  EXPECT_EQ(make_pattern({8, 8}, 0, 63).blank_region, ~CellSet{0});
  EXPECT_EQ(make_pattern({8, 8}, bit(62) | bit(55), 63).blank_region, bit(63));
}

TEST(Canonical, IsOneForAllEightImages) {
  Random random(2);
  for (const Size size : sizes) {
    for (int i = 0; i < 50; ++i) {
      const int blank = static_cast<int>(random.below(static_cast<std::uint64_t>(size.cells())));
      const Pattern pattern = make_pattern(size, some_cells(size, random) & ~bit(blank), blank);
      const CanonicalPattern own = canonical(pattern);
      EXPECT_GE(own.pattern.size.width, own.pattern.size.height);
      EXPECT_EQ(own.pattern.tiles(), pattern.tiles());
      // The symmetry leads there.
      ASSERT_EQ(own.symmetry.from, size);
      ASSERT_EQ(own.symmetry.to, own.pattern.size);
      ASSERT_EQ(own.symmetry.of(pattern.homes), own.pattern.homes);
      ASSERT_EQ(own.symmetry.of(pattern.blank_region), own.pattern.blank_region);
      ASSERT_EQ(symmetries(size).size(), 8U);
      for (const Symmetry& symmetry : symmetries(size)) {
        const Pattern image =
            make_pattern(symmetry.to, symmetry.of(pattern.homes), symmetry(blank));
        ASSERT_EQ(image.blank_region, symmetry.of(pattern.blank_region));
        ASSERT_EQ(canonical(image).pattern, own.pattern);
      }
      ASSERT_EQ(canonical(own.pattern).pattern, own.pattern);
    }
  }
}

TEST(Canonical, TellsApartWhereTheBlankEnds) {
  // The middle column parts the grid: the blank ends left of it or within a corner of it.
  const Pattern left = make_pattern({3, 3}, 0b010'010'010, 0);
  const Pattern right = make_pattern({3, 3}, 0b010'010'010, 8);
  EXPECT_NE(left, right);
  EXPECT_EQ(canonical(left).pattern, canonical(right).pattern);
  EXPECT_EQ(make_pattern({3, 3}, 0b000'000'110, 0), make_pattern({3, 3}, 0b000'000'110, 8));
  EXPECT_NE(canonical(make_pattern({3, 3}, 0b000'001'010, 0)).pattern,
            canonical(make_pattern({3, 3}, 0b000'001'010, 8)).pattern);
}

TEST(Symmetries, KeepNeighboursAndAreEightMaps) {
  for (const Size size : sizes) {
    std::vector<std::vector<int>> maps;
    for (const Symmetry& symmetry : symmetries(size)) {
      CellSet images = 0;
      std::vector<int> map;
      for (int a = 0; a < size.cells(); ++a) {
        images |= bit(symmetry(a));
        map.push_back(symmetry(a));
        for (int b = 0; b < size.cells(); ++b) {
          ASSERT_EQ(symmetry.to.distance(symmetry(a), symmetry(b)), size.distance(a, b));
        }
      }
      EXPECT_EQ(images, all_cells(size));
      map.push_back(symmetry.to.width);
      EXPECT_EQ(std::count(maps.begin(), maps.end(), map), 0);
      maps.push_back(map);
    }
    EXPECT_EQ(symmetries(size)[0](1), 1);
    EXPECT_EQ(symmetries(size)[4](1), size.height);
  }
}

std::vector<int> sizes_of(const std::vector<CellSet>& partition) {
  std::vector<int> counts;
  for (const CellSet pattern : partition) counts.push_back(std::popcount(pattern));
  std::sort(counts.begin(), counts.end());
  return counts;
}

void expect_partition(const std::vector<CellSet>& partition, Size size, int blank) {
  CellSet covered = 0;
  for (const CellSet pattern : partition) {
    EXPECT_EQ(covered & pattern, 0U);
    covered |= pattern;
  }
  EXPECT_EQ(covered, all_cells(size) & ~bit(blank));
}

TEST(Partition, SizesCoverAllTilesWhereverTheBlankEnds) {
  const std::vector<std::pair<Size, std::string>> cases{
      {{4, 4}, "7-8"},      {{4, 4}, "8-7"},   {{4, 4}, "5-5-5"}, {{4, 4}, "6-6-3"},
      {{5, 5}, "6-6-6-6"},  {{3, 3}, "4-4"},   {{3, 3}, "8"},     {{3, 3}, "1-1-6"},
      {{2, 6}, "5-6"},      {{4, 3}, "3-4-4"}, {{3, 4}, "11"},    {{5, 5}, "3-3-3-3-3-3-3-3"},
      {{8, 8}, "21-21-21"},
  };
  for (const auto& [size, text] : cases) {
    std::vector<int> wanted;
    for (std::size_t at = 0; at < text.size(); at = text.find('-', at) + 1) {
      wanted.push_back(std::atoi(text.c_str() + at));
      if (text.find('-', at) == std::string::npos) break;
    }
    std::sort(wanted.begin(), wanted.end());
    for (int blank = 0; blank < size.cells(); ++blank) {
      const auto partition = parse_partition(text, size, goal_tiles(size, blank));
      expect_partition(partition, size, blank);
      EXPECT_EQ(sizes_of(partition), wanted) << text << " blank " << blank;
    }
  }
}

TEST(Partition, NamedOnesShareTheirTablesOverAllCorners) {
  for (const auto& [size, text] : {std::pair{Size{4, 4}, "7-8"},
                                   {Size{4, 4}, "5-5-5"},
                                   {Size{4, 4}, "6-6-3"},
                                   {Size{5, 5}, "6-6-6-6"}}) {
    std::vector<std::vector<Pattern>> tables;
    for (const int blank : {0, size.width - 1, size.cells() - size.width, size.cells() - 1}) {
      tables.emplace_back();
      for (const CellSet homes : parse_partition(text, size, goal_tiles(size, blank))) {
        tables.back().push_back(canonical(make_pattern(size, homes, blank)).pattern);
      }
      std::sort(tables.back().begin(), tables.back().end());
      EXPECT_EQ(tables.back(), tables.front()) << text << " blank " << blank;
    }
  }
  // The usual cut: the upper half without the corner, and the lower.
  EXPECT_EQ(parse_partition("7-8", {4, 4}, goal_tiles({4, 4}, 0)),
            (std::vector<CellSet>{0x00fe, 0xff00}));
}

TEST(Partition, SetsNameTilesWhereverTheyLive) {
  // Tiles out of order: their homes count.
  const std::vector<int> goal{8, 1, 2, 3, 0, 4, 5, 6, 7};
  EXPECT_EQ(parse_partition("{8,1,2,3}{4,5,6,7}", {3, 3}, goal),
            (std::vector<CellSet>{0b000'001'111, 0b111'100'000}));
  EXPECT_EQ(parse_partition("{7 6 5 4}{3, 2, 1 8}", {3, 3}, goal),
            (std::vector<CellSet>{0b111'100'000, 0b000'001'111}));
}

TEST(Partition, APictureShowsTheGoalsGrid) {
  const TemporaryFolder folder;
  const std::vector<int> goal = goal_tiles({3, 3}, 4);
  const std::vector<CellSet> expected{0b000'001'111, 0b111'100'000};
  EXPECT_EQ(parse_partition(folder.file("a", "aaa\na.b\nbbb\n"), {3, 3}, goal), expected);
  EXPECT_EQ(parse_partition(folder.file("b", "# why\r\na a a\r\na . b\r\n\tb b b"), {3, 3}, goal),
            expected);
}

void expect_refused(const std::string& text, Size size, const std::string& why) {
  SCOPED_TRACE(text);
  const std::vector<int> goal = goal_tiles(size, size.cells() - 1);
  const Error error = refused([&] { return parse_partition(text, size, goal); });
  EXPECT_EQ(error.kind(), ErrorKind::input);
  EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
}

TEST(Partition, SaysWhatIsWrong) {
  const Size size{3, 3};
  expect_refused("{1,2,3}{4,5,6,7}", size, "misses tile 8");
  expect_refused("{1,2,3,4}{4,5,6,7,8}", size, "tile 4 appears twice");
  expect_refused("{1,2,3,3}{4,5,6,7,8}", size, "tile 3 appears twice");
  expect_refused("{1,2,3,4}{5,6,7,9}", size, "tile 9 is not on the board");
  expect_refused("{0,1,2,3,4}{5,6,7,8}", size, "tile 0 is not on the board");
  expect_refused("{1,2,3,-4}{5,6,7,8}", size, "tile -4 is not on the board");
  for (const char* malformed :
       {"{1,2,3,4}{5,6,7,8", "{1,2,3,4}5,6,7,8}", "{}{1,2,3,4,5,6,7,8}", "{1,2,3,4}{5,6,x,8}",
        "{1,2,3,4}{5,6,7,8}x", "{", "{}", "{1,2,3,4} {5,6,7,8}", "{1,2,3,4},{5,6,7,8}"}) {
    expect_refused(malformed, size, "is not valid");
  }
  expect_refused("4-5", size, "has 9 tiles, expected 8");
  expect_refused("3-4", size, "has 7 tiles, expected 8");
  expect_refused("9", size, "has 9 tiles, expected 8");
  expect_refused("7-8", {2, 2}, "has 15 tiles, expected 3");
  for (const char* malformed : {"4--4", "-4-4", "4-4-", "0-8", "-", "99999999999999999999"}) {
    expect_refused(malformed, size, "is not valid");
  }
  for (const char* unknown : {"", "x", "7:8", "no/such/file"}) {
    expect_refused(unknown, size, "is unknown");
  }
  // Longer than a file's name may be.
  expect_refused(std::string(5000, 'x'), size, "is unknown");
}

TEST(Partition, SaysWhatIsWrongWithAPicture) {
  const TemporaryFolder folder;
  const Size size{3, 3};
  expect_refused(folder.file("short", "aaa\nbbb\n"), size, "6 cells");
  expect_refused(folder.file("empty", ""), size, "0 cells");
  expect_refused(folder.file("long", "aaa\nbbb\nbb.\naaa\n"), size, "12 cells");
  expect_refused(folder.file("no dot", "aaa\nbbb\nbba\n"), size, "cell 8 is wrong");
  expect_refused(folder.file("dot", "a.a\nbbb\nbb.\n"), size, "cell 1 is wrong");
  expect_refused(folder.text(), size, "cannot be read");
}

TEST(Images, KeepTheBlanksHome) {
  const Size size{4, 4};
  using Partitions = std::vector<Partition>;
  const Partition halves{0x00fe, 0xff00};
  const Partition image{0x3332, 0xcccc};
  EXPECT_EQ(with_images({halves}, size, 0), (Partitions{halves, image}));
  EXPECT_EQ(with_images({image}, size, 0), (Partitions{image, halves}));
  EXPECT_EQ(with_images({halves, image}, size, 0), (Partitions{halves, image}));
  EXPECT_EQ(with_images({halves}, size, 0, 1), Partitions{halves});
  expect_partition(image, size, 0);
  // Beside the other diagonal, and beside a column.
  EXPECT_EQ(with_images({{0x00f7, 0xff00}}, size, 3),
            (Partitions{{0x00f7, 0xff00}, {0x3333, 0xccc4}}));
  EXPECT_EQ(with_images({{0x01b, 0x1e0}}, {3, 3}, 2).size(), 2U);
  EXPECT_EQ(with_images({{0b00'11'01, 0b11'00'00}}, {2, 3}, 1).size(), 1U);
  EXPECT_EQ(with_images({{0b001'101, 0b110'000}}, {3, 2}, 1),
            (Partitions{{0b001'101, 0b110'000}, {0b011'000, 0b100'101}}));
  // No symmetry keeps that home, or none that keeps the size.
  EXPECT_EQ(with_images({{0x00fd, 0xff00}}, size, 1), (Partitions{{0x00fd, 0xff00}}));
  EXPECT_EQ(with_images({{0x00e, 0xff0}}, {4, 3}, 0), (Partitions{{0x00e, 0xff0}}));
  // Its own image, whatever the order of its patterns.
  const Partition own{0b000'000'110, 0b001'001'000, 0b110'110'000};
  EXPECT_EQ(with_images({own}, {3, 3}, 0), Partitions{own});
}

}  // namespace
}  // namespace tessera
