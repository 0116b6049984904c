// SPDX-License-Identifier: MIT
#include "heuristic/matching.hpp"

#include <algorithm>

namespace tessera {
namespace {

constexpr std::uint64_t bit(unsigned vertex) {
  return std::uint64_t{1} << vertex;
}
constexpr unsigned lowest(std::uint64_t set) {
  return static_cast<unsigned>(std::countr_zero(set));
}

// Sets of vertices are bit sets; each function works on the subgraph that a set induces.
class Matching {
 public:
  explicit Matching(const WeightedGraph& graph) : graph_(graph) {}

  // NOLINTNEXTLINE(misc-no-recursion): a set gets smaller on each call
  [[nodiscard]] int best(std::uint64_t set) const {
    int sum = 0;
    while (const std::uint64_t connected = with_edges(set)) {
      const unsigned v = least_degree(connected);
      const std::uint64_t ways = graph_.neighbors(v) & connected;
      const unsigned u = lowest(ways);
      if (std::has_single_bit(ways) && graph_.weight(u, v) == heaviest(u, connected)) {
        // All other edges of u are at most as heavy, and v has no other neighbor.
        sum += graph_.weight(u, v);
        set = connected & ~(bit(u) | bit(v));
      } else {
        const std::uint64_t island = component(v, connected);
        sum += branch(v, island);
        set = connected & ~island;
      }
    }
    return sum;
  }

 private:
  [[nodiscard]] int branch(unsigned v, std::uint64_t set) const {
    const int most = bound(set);
    int found = 0;
    for (std::uint64_t ways = graph_.neighbors(v) & set; ways != 0; ways &= ways - 1) {
      const unsigned u = lowest(ways);
      const std::uint64_t rest = set & ~(bit(u) | bit(v));
      const int weight = graph_.weight(u, v);
      if (weight + bound(rest) <= found) continue;
      found = std::max(found, weight + best(rest));
      if (found == most) return found;
    }
    const std::uint64_t without = set & ~bit(v);
    return bound(without) <= found ? found : std::max(found, best(without));
  }

  [[nodiscard]] std::uint64_t with_edges(std::uint64_t set) const {
    std::uint64_t kept = 0;
    for (std::uint64_t left = set; left != 0; left &= left - 1) {
      const unsigned v = lowest(left);
      if ((graph_.neighbors(v) & set) != 0) kept |= bit(v);
    }
    return kept;
  }

  [[nodiscard]] unsigned least_degree(std::uint64_t set) const {
    unsigned least = lowest(set);
    int degree = Size::max_cells;
    for (std::uint64_t left = set; left != 0 && degree > 1; left &= left - 1) {
      const unsigned v = lowest(left);
      const int d = std::popcount(graph_.neighbors(v) & set);
      if (d < degree) {
        degree = d;
        least = v;
      }
    }
    return least;
  }

  [[nodiscard]] std::uint64_t component(unsigned v, std::uint64_t set) const {
    std::uint64_t reached = bit(v);
    for (std::uint64_t fresh = reached; fresh != 0;) {
      const std::uint64_t next = graph_.neighbors(lowest(fresh)) & set & ~reached;
      fresh = (fresh & (fresh - 1)) | next;
      reached |= next;
    }
    return reached;
  }

  [[nodiscard]] int heaviest(unsigned v, std::uint64_t set) const {
    int weight = 0;
    for (std::uint64_t ways = graph_.neighbors(v) & set; ways != 0; ways &= ways - 1) {
      weight = std::max(weight, graph_.weight(v, lowest(ways)));
    }
    return weight;
  }

  // No edge weighs more than the heaviest edge at either of its ends.
  [[nodiscard]] int bound(std::uint64_t set) const {
    int sum = 0;
    for (std::uint64_t left = set; left != 0; left &= left - 1) sum += heaviest(lowest(left), set);
    return sum / 2;
  }

  const WeightedGraph& graph_;
};

}  // namespace

int maximum_weight_matching(const WeightedGraph& graph) {
  return Matching(graph).best(graph.vertices());
}

}  // namespace tessera
