// SPDX-License-Identifier: MIT
#include "protocol/rank_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

namespace tessera {
namespace {

using Ranks = std::vector<int>;

// The ranks of a block in the order of a gather: the rank itself, then the blocks below it, the
// smallest first.
Ranks gathered(int rank, int ranks, int hops, int& most_hops) {
  most_hops = std::max(most_hops, hops);
  Ranks all{rank};
  const std::vector<RankBlock> below = blocks_below(rank, ranks);
  for (auto block = below.rbegin(); block != below.rend(); ++block) {
    EXPECT_EQ(parent_of(block->first), rank);
    const Ranks of_block = gathered(block->first, ranks, hops + 1, most_hops);
    EXPECT_EQ(of_block.front(), block->first);
    EXPECT_EQ(of_block.back(), block->end - 1);
    EXPECT_EQ(of_block.size(), block->size());
    all.insert(all.end(), of_block.begin(), of_block.end());
  }
  return all;
}

TEST(RankTree, ReachesEachRankOnceAndInOrder) {
  for (const int ranks : {1, 2, 3, 4, 5, 6, 7, 8, 9, 31, 100, 1000, 65'536}) {
    Ranks expected(static_cast<std::size_t>(ranks));
    std::iota(expected.begin(), expected.end(), 0);
    int most_hops = 0;
    EXPECT_EQ(gathered(0, ranks, 0, most_hops), expected) << ranks;
    EXPECT_LE(most_hops, std::bit_width(static_cast<unsigned>(ranks - 1))) << ranks;
  }
}

TEST(RankTree, SendsTheLargestBlockFirst) {
  std::vector<std::pair<int, int>> below;
  for (const RankBlock& block : blocks_below(0, 13)) below.emplace_back(block.first, block.end);
  EXPECT_EQ(below, (std::vector<std::pair<int, int>>{{8, 13}, {4, 8}, {2, 4}, {1, 2}}));
  EXPECT_EQ(block_of(8, 13).end, 13);
  EXPECT_TRUE(blocks_below(5, 13).empty());
}

}  // namespace
}  // namespace tessera
