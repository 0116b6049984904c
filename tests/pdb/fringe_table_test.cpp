// SPDX-License-Identifier: MIT
#include "pdb/fringe_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>

#include "base/error.hpp"
#include "base/refusal.hpp"
#include "puzzle/geometry.hpp"

namespace tessera {
namespace {

using Items = std::vector<int>;  // by cell

// Tiles of the fringe by home, then the blank, then any other tile.
Items solved(Size size, int goal_blank) {
  const CellSet homes = fringe_homes(size, goal_blank);
  const int blank = std::popcount(homes);
  Items items;
  for (int cell = 0; cell < size.cells(); ++cell) {
    const int tile = std::popcount(homes & (cell_bit(cell) - 1));
    items.push_back(cell == goal_blank ? blank : (homes >> cell & 1) != 0 ? tile : blank + 1);
  }
  return items;
}

int blank_of(Size size) {
  return size.width + size.height - 1;
}

std::uint64_t index_of(const Items& items, Size size) {
  std::vector<int> cells(static_cast<std::size_t>(blank_of(size)) + 1);
  for (std::size_t cell = 0; cell < items.size(); ++cell) {
    const auto item = static_cast<std::size_t>(items[cell]);
    if (item < cells.size()) cells[item] = static_cast<int>(cell);
  }
  return fringe_index(size).rank(cells);
}

// Breadth-first search over what stands in the cells, without an index.
std::map<Items, int> oracle(Size size, int goal_blank) {
  const RuntimeGeometry geometry(size);
  std::vector<Items> queue{solved(size, goal_blank)};
  std::map<Items, int> moves{{queue[0], 0}};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const Items items = queue[i];
    const int known = moves.at(items);
    const auto blank =
        static_cast<int>(std::find(items.begin(), items.end(), blank_of(size)) - items.begin());
    for (int d = 0; d < 4; ++d) {
      if (!geometry.allowed(blank, no_way, d)) continue;
      Items next = items;
      std::swap(next[static_cast<std::size_t>(blank)],
                next[static_cast<std::size_t>(blank + geometry.offset(d))]);
      if (moves.emplace(next, known + 1).second) queue.push_back(next);
    }
  }
  return moves;
}

TEST(Fringe, IsTheFarthestRowAndColumn) {
  const auto homes = [](Size size, int goal_blank) {
    std::vector<int> cells;
    for (const int cell : cells_of(fringe_homes(size, goal_blank))) cells.push_back(cell);
    return cells;
  };
  EXPECT_EQ(homes({4, 4}, 15), (std::vector<int>{0, 1, 2, 3, 4, 8, 12}));
  EXPECT_EQ(homes({4, 4}, 0), (std::vector<int>{3, 7, 11, 12, 13, 14, 15}));
  EXPECT_EQ(homes({4, 3}, 3), (std::vector<int>{0, 4, 8, 9, 10, 11}));
  EXPECT_EQ(homes({3, 3}, 4), (std::vector<int>{2, 5, 6, 7, 8}));  // as far: the last
}

TEST(Fringe, CountsItsEntriesAndRefusesTooMany) {
  EXPECT_EQ(fringe_index({4, 4}).count(), 518'918'400U);
  EXPECT_EQ(fringe_index({5, 3}).count(), 259'459'200U);
  EXPECT_EQ(fringe_index({2, 2}).count(), 24U);
  for (const Size size : {Size{5, 5}, Size{2, 7}, Size{8, 8}, Size{2, 32}}) {
    SCOPED_TRACE(to_string(size));
    EXPECT_EQ(refused([&] { return fringe_request(size, 0); }).kind(), ErrorKind::resource);
  }
  const Error error = refused([] { return fringe_index({5, 5}); });
  EXPECT_STREQ(error.what(),
               "the fringe table of 5x5 needs 11047 GiB, expected 4x4, 5x3, 6x2 or smaller");
  EXPECT_STREQ(refused([] {
                 return fringe_index({7, 2});
               }).what(),
               "the fringe table of 7x2 needs 692 MiB, expected 4x4, 5x3, 6x2 or smaller");
}

std::vector<std::uint8_t> built(Size size, int goal_blank, int threads,
                                const TableProgress& progress = {}) {
  const LargeBuffer table = fringe_request(size, goal_blank).build(threads, progress);
  return {table.bytes().begin(), table.bytes().end()};
}

TEST(FringeTable, IsTheOracles) {
  for (const Size size : {Size{2, 2}, Size{3, 2}, Size{2, 3}, Size{4, 2}, Size{2, 4}, Size{3, 3}}) {
    for (const int goal_blank : {0, 1, size.cells() - 1}) {
      const std::map<Items, int> moves = oracle(size, goal_blank);
      const std::vector<std::uint8_t> table = built(size, goal_blank, 3);
      ASSERT_EQ(table.size(), fringe_index(size).count());
      for (const auto& [items, known] : moves) ASSERT_EQ(table[index_of(items, size)], known);
      const auto missing = std::count(table.begin(), table.end(), unreached);
      // No two boards share an index.
      EXPECT_EQ(table.size() - static_cast<std::size_t>(missing), moves.size());
    }
  }
}

TEST(FringeTable, DoesNotDependOnTheThreads) {
  double last = 0;
  const auto progress = [&](double fraction) {
    EXPECT_GE(fraction, last);
    last = fraction;
    return true;
  };
  const std::vector<std::uint8_t> one = built({4, 3}, 0, 1, {progress});
  EXPECT_EQ(last, 1);
  EXPECT_EQ(one, built({4, 3}, 0, 4));
  EXPECT_EQ(*std::max_element(one.begin(), one.end()), 47);
}

// 259 million entries, which take several seconds: the builder asks often, and stops when told.
TEST(FringeTable, StopsSoonAndNeedsAQuarterMoreThanItsTable) {
  const TableRequest request = fringe_request({5, 3}, 14);
  EXPECT_EQ(request.cost.build_bytes, request.cost.entries + request.cost.entries / 4);
  int asked = 0;
  const auto report = [&](double done) {
    EXPECT_LE(done, 1);
    return ++asked < 30;
  };
  const LargeBuffer table = request.build(2, {report});
  EXPECT_TRUE(table.bytes().empty());
  EXPECT_EQ(asked, 30);
}

}  // namespace
}  // namespace tessera
