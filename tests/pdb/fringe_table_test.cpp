// SPDX-License-Identifier: MIT
#include "tessera/pdb/fringe_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tessera/base/error.hpp"
#include "tessera/base/random.hpp"
#include "tessera/puzzle/geometry.hpp"

namespace tessera {
namespace {

using Items = std::vector<int>;  // by cell

Items solved(const FringePattern& pattern, Size size, int goal_blank) {
  Items items;
  for (int cell = 0; cell < size.cells(); ++cell) {
    items.push_back(cell == goal_blank ? pattern.tiles() : pattern.item_at_home(cell));
  }
  return items;
}

// Breadth-first search over what stands in the cells, without an index.
std::map<Items, int> oracle(Size size, int goal_blank) {
  const FringePattern pattern(size, goal_blank);
  const RuntimeGeometry geometry(size);
  std::vector<Items> queue{solved(pattern, size, goal_blank)};
  std::map<Items, int> moves{{queue[0], 0}};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const Items items = queue[i];
    const int known = moves.at(items);
    const auto blank =
        static_cast<int>(std::find(items.begin(), items.end(), pattern.tiles()) - items.begin());
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

TEST(FringePattern, IsTheFarthestRowAndColumn) {
  const auto homes = [](Size size, int goal_blank) {
    const FringePattern pattern(size, goal_blank);
    std::vector<int> cells;
    for (const int cell : cells_of(pattern.homes())) cells.push_back(cell);
    return cells;
  };
  EXPECT_EQ(homes({4, 4}, 15), (std::vector<int>{0, 1, 2, 3, 4, 8, 12}));
  EXPECT_EQ(homes({4, 4}, 0), (std::vector<int>{3, 7, 11, 12, 13, 14, 15}));
  EXPECT_EQ(homes({4, 3}, 3), (std::vector<int>{0, 4, 8, 9, 10, 11}));
  EXPECT_EQ(homes({3, 3}, 4), (std::vector<int>{2, 5, 6, 7, 8}));  // as far: the last
}

TEST(FringePattern, CountsItsEntriesAndRefusesTooMany) {
  EXPECT_EQ(FringePattern::entries({4, 4}), 518'918'400U);
  EXPECT_EQ(FringePattern::entries({5, 3}), 259'459'200U);
  EXPECT_EQ(FringePattern::entries({2, 2}), 24U);
  for (const Size size : {Size{5, 5}, Size{2, 7}, Size{8, 8}, Size{2, 32}}) {
    try {
      (void)build_fringe_table(size, 0, 1);
      FAIL() << to_string(size);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::resource);
    }
  }
  try {
    FringePattern::require({5, 5});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "the fringe table of 5x5 needs 11047 GiB, expected 4x4, 5x3, 6x2 or smaller");
  }
}

TEST(FringePattern, IndexGrowsAsTheMoveSays) {
  Random random(5);
  for (const Size size : {Size{4, 4}, Size{5, 3}, Size{3, 5}, Size{6, 2}, Size{2, 6}, Size{3, 3}}) {
    for (const int goal_blank : {0, 1, size.cells() / 2, size.cells() - 1}) {
      const FringePattern pattern(size, goal_blank);
      const RuntimeGeometry geometry(size);
      Items items = solved(pattern, size, goal_blank);
      for (std::size_t i = items.size(); i > 1; --i) {
        std::swap(items[i - 1], items[random.below(i)]);
      }
      auto blank =
          static_cast<int>(std::find(items.begin(), items.end(), pattern.tiles()) - items.begin());
      for (int step = 0; step < 500; ++step) {
        const auto d = static_cast<int>(random.below(4));
        if (!geometry.allowed(blank, no_way, d)) continue;
        const int next = blank + geometry.offset(d);
        const int item = items[static_cast<std::size_t>(next)];
        const std::int64_t growth =
            pattern.growth(item, std::min(blank, next), std::max(blank, next),
                           [&](int cell) { return items[static_cast<std::size_t>(cell)]; });
        const auto before = static_cast<std::int64_t>(pattern.index(items));
        std::swap(items[static_cast<std::size_t>(blank)], items[static_cast<std::size_t>(next)]);
        const auto after = static_cast<std::int64_t>(pattern.index(items));
        ASSERT_EQ(after, next < blank ? before + growth : before - growth) << to_string(size);
        ASSERT_LT(after, static_cast<std::int64_t>(pattern.entries()));
        blank = next;
      }
    }
  }
}

std::vector<std::uint8_t> built(Size size, int goal_blank, int threads,
                                const TableProgress& progress = {}) {
  const LargeBuffer table = build_fringe_table(size, goal_blank, threads, progress);
  return {table.bytes().begin(), table.bytes().end()};
}

TEST(FringeTable, IsTheOracles) {
  for (const Size size : {Size{2, 2}, Size{3, 2}, Size{2, 3}, Size{4, 2}, Size{2, 4}, Size{3, 3}}) {
    for (const int goal_blank : {0, 1, size.cells() - 1}) {
      const FringePattern pattern(size, goal_blank);
      const std::map<Items, int> moves = oracle(size, goal_blank);
      const std::vector<std::uint8_t> table = built(size, goal_blank, 3);
      ASSERT_EQ(table.size(), pattern.entries());
      for (const auto& [items, known] : moves) ASSERT_EQ(table[pattern.index(items)], known);
      const auto unreached = std::count(table.begin(), table.end(), fringe_unreached);
      // No two boards share an index.
      EXPECT_EQ(table.size() - static_cast<std::size_t>(unreached), moves.size());
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
  const std::vector<std::uint8_t> one = built({4, 3}, 0, 1, progress);
  EXPECT_EQ(last, 1);
  EXPECT_EQ(one, built({4, 3}, 0, 4));
  EXPECT_EQ(*std::max_element(one.begin(), one.end()), 47);
}

// 259 million entries, which take several seconds: the builder asks often, and stops when told.
TEST(FringeTable, StopsSoonAndNeedsAQuarterMoreThanItsTable) {
  const TableRequest request = fringe_request({5, 3}, 14);
  EXPECT_EQ(request.cost.build_bytes, request.cost.entries + request.cost.entries / 4);
  int asked = 0;
  const LargeBuffer table = request.build(2, [&](double done) {
    EXPECT_LE(done, 1);
    return ++asked < 30;
  });
  EXPECT_TRUE(table.bytes().empty());
  EXPECT_EQ(asked, 30);
}

}  // namespace
}  // namespace tessera
