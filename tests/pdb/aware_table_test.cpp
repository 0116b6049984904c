// SPDX-License-Identifier: MIT
#include "pdb/pattern_table.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "base/error.hpp"
#include "base/refusal.hpp"
#include "pdb/table_oracle.hpp"

namespace tessera {
namespace {

// The excess that a table gives a placement with the blank in that cell.
unsigned looked_up(const LargeBuffer& table, const Regions& regions, std::size_t index,
                   CellSet occupied, int blank) {
  const unsigned code = table.bytes()[AwareTable::codes_offset + index];
  if (code < AwareTable::first_tuple) return code;
  if (code >= AwareTable::first_inexact) return code - AwareTable::first_inexact;
  std::uint32_t tuple = 0;
  std::memcpy(&tuple, table.bytes().data() + code * sizeof tuple, sizeof tuple);
  return tuple >> (4 * regions.number(blank, regions.all() & ~occupied)) & 15;
}

bool is_exact(const LargeBuffer& table, std::size_t index) {
  return table.bytes()[AwareTable::codes_offset + index] < AwareTable::first_inexact;
}

struct Case {
  Size size;
  CellSet homes;
  int goal_blank;
};

const std::vector<Case> aware_cases{{{3, 3}, 0x1e, 0},   {{3, 3}, 0xf, 8},   {{4, 2}, 0x1c, 0},
                                    {{2, 4}, 0x6c, 1},   {{3, 4}, 0x6c, 11}, {{4, 3}, 0x36, 0},
                                    {{5, 2}, 0x3c6, 0},  {{2, 6}, 0x3c, 11}, {{4, 4}, 0x36, 0},
                                    {{4, 4}, 0xcc0, 15}, {{5, 5}, 0xe0, 0},  {{3, 3}, 0x2, 4}};

TEST(AwareTable, HoldsTheExcessOfEveryPlacementAndRegion) {
  for (const auto& [size, homes, goal_blank] : aware_cases) {
    const TableOracle oracle(size, homes, goal_blank);
    const Pattern pattern = make_pattern(size, homes, goal_blank);
    const LargeBuffer table = build_aware_table(pattern, 1, {});
    ASSERT_EQ(table.bytes().size(), aware_request(pattern).cost.file_bytes);
    const Regions regions(size);
    std::size_t index = 0;
    std::size_t inexact = 0;
    const int cell_count = size.cells();  // clang 14 lets no lambda use `size`
    for_each_placement(cell_count, pattern.tiles(), [&](const std::vector<int>& cells) {
      CellSet occupied = 0;
      for (const int cell : cells) occupied |= CellSet{1} << cell;
      for (int blank = 0; blank < cell_count; ++blank) {
        if ((occupied >> blank & 1) != 0) continue;
        const auto expected = oracle.excess(cells, blank);
        if (!expected) continue;
        const unsigned excess = looked_up(table, regions, index, occupied, blank);
        if (is_exact(table, index)) ASSERT_EQ(excess, static_cast<unsigned>(*expected)) << index;
        else ASSERT_LE(excess, static_cast<unsigned>(*expected)) << index;
        inexact += is_exact(table, index) ? 0 : 1;
      }
      ++index;
    });
    // Six tiles on ten cells leave more tuples than there are codes.
    EXPECT_EQ(inexact > 0, size == (Size{5, 2})) << to_string(size);
  }
}

// Without tuples a placement has its least excess, and says that it is not exact.
TEST(AwareTable, FallsBackOnTheLeastExcess) {
  const Size size{3, 3};
  const CellSet homes = 0x1e;
  const TableOracle oracle(size, homes, 0);
  const std::vector<int> least = oracle.excesses();
  const Pattern pattern = make_pattern(size, homes, 0);
  const LargeBuffer exact = build_aware_table(pattern, 1, {});
  const LargeBuffer table = build_aware_table(pattern, 1, {}, 0);
  std::size_t inexact = 0;
  for (std::size_t i = 0; i < least.size(); ++i) {
    const unsigned code = table.bytes()[AwareTable::codes_offset + i];
    const unsigned exact_code = exact.bytes()[AwareTable::codes_offset + i];
    ASSERT_EQ(code % 16, static_cast<unsigned>(least[i]));
    ASSERT_EQ(code >= AwareTable::first_inexact, exact_code >= AwareTable::first_tuple);
    inexact += code >= AwareTable::first_inexact ? 1 : 0;
  }
  EXPECT_GT(inexact, 0U);
}

TEST(AwareTable, EndsWhenTheProgressSaysSo) {
  const Pattern pattern = make_pattern({4, 4}, 0x36, 0);
  int calls = 0;
  const auto report = [&](double done) {
    EXPECT_GE(done, 0.0);
    EXPECT_LE(done, 1.0);
    return ++calls < 3;
  };
  const LargeBuffer table = build_aware_table(pattern, 1, {report});
  EXPECT_TRUE(table.bytes().empty());
  EXPECT_EQ(calls, 3);
}

TEST(AwareTable, RefusesPatternsThatAreTooLarge) {
  const auto kind_of = [](Size size, CellSet homes) {
    return refused([&] { return aware_request(make_pattern(size, homes, 0)); }).kind();
  };
  EXPECT_EQ(kind_of({4, 4}, 0x3fe), ErrorKind::input);     // nine tiles
  EXPECT_EQ(kind_of({8, 8}, 0x1fe), ErrorKind::resource);  // 64 cells
}

}  // namespace
}  // namespace tessera
