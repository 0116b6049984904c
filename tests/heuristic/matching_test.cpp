// SPDX-License-Identifier: MIT
#include "heuristic/matching.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/random.hpp"

namespace tessera {
namespace {

struct Edge {
  unsigned a;
  unsigned b;
  std::uint8_t weight;
};

int oracle(const std::vector<Edge>& edges, std::size_t first = 0, std::uint64_t used = 0) {
  if (first == edges.size()) return 0;
  const Edge& edge = edges[first];
  const std::uint64_t ends = std::uint64_t{1} << edge.a | std::uint64_t{1} << edge.b;
  int best = oracle(edges, first + 1, used);
  if ((used & ends) == 0)
    best = std::max(best, edge.weight + oracle(edges, first + 1, used | ends));
  return best;
}

int matched(const std::vector<Edge>& edges) {
  WeightedGraph graph;
  for (const Edge& edge : edges) graph.add(edge.a, edge.b, edge.weight);
  return maximum_weight_matching(graph);
}

TEST(Matching, OfGraphsByHand) {
  EXPECT_EQ(matched({}), 0);
  EXPECT_EQ(matched({{1, 63, 7}}), 7);
  EXPECT_EQ(matched({{1, 2, 2}, {2, 3, 3}, {3, 4, 2}}), 4);
  EXPECT_EQ(matched({{1, 2, 2}, {2, 3, 5}, {3, 4, 2}}), 5);
  EXPECT_EQ(matched({{1, 2, 1}, {2, 3, 1}, {3, 1, 1}}), 1);
  EXPECT_EQ(matched({{1, 2, 1}, {2, 3, 1}, {3, 1, 1}, {3, 9, 1}, {40, 41, 2}}), 4);
}

TEST(Matching, IsTheOracles) {
  Random random(31);
  for (int i = 0; i < 4000; ++i) {
    const std::uint64_t vertices = 2 + random.below(9);
    const std::uint64_t heaviest = 1 + random.below(4);
    const std::uint64_t one_in = 1 + random.below(5);
    std::vector<unsigned> names;  // spread over all labels
    while (names.size() < vertices) {
      const auto name = static_cast<unsigned>(random.below(64));
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    std::vector<Edge> edges;
    for (std::size_t a = 0; a < vertices; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (random.below(one_in) != 0 || edges.size() == 20) continue;
        edges.push_back(
            {names[a], names[b], static_cast<std::uint8_t>(1 + random.below(heaviest))});
      }
    }
    ASSERT_EQ(matched(edges), oracle(edges)) << vertices << " vertices " << edges.size();
  }
}

TEST(Matching, OfManyTilesThatAllConflict) {
  std::vector<Edge> edges;
  for (unsigned a = 0; a < 31; ++a) {
    for (unsigned b = 0; b < a; ++b) edges.push_back({a, b, 1});
  }
  EXPECT_EQ(matched(edges), 15);
}

}  // namespace
}  // namespace tessera
