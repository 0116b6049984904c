// SPDX-License-Identifier: MIT
#include "search/pruning/automaton_cost.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "search/pruning/pruning.hpp"

namespace tessera {
namespace {

// Nodes of the tree of strings, before states are merged. On 5x5, per cell: 10,413 at depth 14,
// 49,176 at 16, 231,749 at 18. Boards with more cells away from the border have more per cell: at
// depth 14, 1.65 times as many on 6x6 and 2.63 times on 8x8.
double crowding(Size size) {
  return std::max(0.4, 1 + 0.08 * (size.cells() - 25));
}
double nodes_of(Size size, int depth) {
  return size.cells() * crowding(size) * 232'000 * std::pow(4.75, (depth - 18) / 2.0);
}

constexpr std::size_t most_hash_bytes = std::size_t{1} << 28;

// Of one thread: with a table for a quarter of a cell's strings, building takes about half as long
// again as with one for all.
std::size_t least_hash_bytes(Size size, int depth) {
  constexpr double of_18_on_5x5 = 1 << 25;
  const double bytes = of_18_on_5x5 * std::pow(2.25, depth - 18) * std::pow(crowding(size), 1.5);
  return std::bit_ceil(static_cast<std::size_t>(std::clamp<double>(bytes, 1 << 16, 1 << 28)));
}

// Rows of 16 bytes and what merging their states needs; while the last strings are found, less than
// half of the nodes are there, and the strings.
constexpr double bytes_per_node = 32;
constexpr double bytes_while_finding = 12;

// On a slow, busy core: 25 s at depth 18, 4.5 at 16, 0.7 at 14.
constexpr double seconds_of_18_on_5x5 = 28;

}  // namespace

AutomatonCost automaton_cost(Size size, int depth) {
  const double nodes = nodes_of(size, depth);
  const auto hash = static_cast<double>(least_hash_bytes(size, depth));
  return {.bytes = static_cast<std::uint64_t>(16 * nodes),
          .build_bytes = static_cast<std::uint64_t>(
              std::max(bytes_per_node * nodes, bytes_while_finding * nodes + hash)),
          .build_seconds = seconds_of_18_on_5x5 * std::pow(nodes / nodes_of({5, 5}, 18), 1.15)};
}

AutomatonCost automaton_cost(Size size, PruneRule rule) {
  const auto key = Pruning::stored_as(rule, size);
  if (!key) return {};
  AutomatonCost cost = automaton_cost(size, static_cast<int>(key->homes));
  if (has_mirror(rule)) cost.bytes *= 2;  // a copy for one start
  return cost;
}

AutomatonBuild plan_build(Size size, int depth, int threads, std::uint64_t free_bytes) {
  const std::size_t least = least_hash_bytes(size, depth);
  const auto others = static_cast<std::uint64_t>(bytes_while_finding * nodes_of(size, depth));
  const std::uint64_t room =
      std::max<std::uint64_t>(least, free_bytes - std::min(free_bytes, others));
  AutomatonBuild build;
  build.threads =
      static_cast<int>(std::min<std::uint64_t>(room / least, static_cast<std::uint64_t>(threads)));
  build.hash_bytes = std::bit_floor(
      std::min<std::uint64_t>(most_hash_bytes, room / static_cast<std::uint64_t>(build.threads)));
  return build;
}

PruneRule deepest_automaton(Size size, int depth,
                            const std::function<bool(PruneRule, const AutomatonCost&)>& suits) {
  for (; depth > 2; depth -= 2) {
    if (suits(PruneRule(depth), automaton_cost(size, depth))) return PruneRule(depth);
  }
  return PruneRule::parent;
}

}  // namespace tessera
