// SPDX-License-Identifier: MIT
#include "search/tree/search_costs.hpp"

#include <algorithm>
#include <array>

#include "heuristic/heuristic_spec.hpp"
#include "heuristic/registry.hpp"

namespace tessera {
namespace {

// In ns.
struct NodeCosts {
  double parent;
  double ruled;  // with fsm:12
};
struct Costs {
  std::string_view heuristic;
  NodeCosts on_5x5;  // whose kernel with `parent` has cells as types
  NodeCosts node;    // on other sizes
};
// bench/defaults --costs: one thread of an Intel Xeon shared with other processes,
// 2026-11-26, the least of three rounds; escapes by its ratio to walking in another run. Partitions
// are not here.
constexpr std::array measured{
    Costs{Zero::info.name, {1.8, 9.1}, {5.2, 8.6}},
    Costs{Misplaced::info.name, {5.0, 12.8}, {10.6, 16.9}},
    Costs{Manhattan::info.name, {3.0, 9.0}, {10.9, 14.6}},
    Costs{LinearConflict::info.name, {19.1, 25.8}, {27.0, 29.8}},
    Costs{Inversion::info.name, {27.8, 30.8}, {27.5, 29.3}},
    Costs{Walking::info.name, {36.6, 39.3}, {31.7, 36.4}},
    Costs{Escapes::info.name, {80.8, 76.7}, {55.9, 62.4}},
    Costs{Pairwise::info.name, {73.0, 79.4}, {110.1, 113.7}},
};

// Of a board in a beam, in ns.
constexpr double evaluation = 65;

// Nodes with `parent` per node with fsm:12, in searches of seconds (decision 20). Longer ones save
// more.
constexpr double saved_nodes = 1.6;

// What beams are worth beside the next bound (decision 18). A beam that is too narrow is most
// expensive with a collection: it costs the last bound of a hard board.
constexpr double default_share = 0.06;
constexpr BeamCosts with_partition{.evaluation = 0.6, .share = default_share};
constexpr BeamCosts with_collection{.evaluation = 0.33, .share = 0.1};
// On 5x5, a beam of metric multi evaluates 5 million boards per second, and its kernel expands as
// many nodes.
constexpr BeamCosts in_multi{.evaluation = 1, .share = default_share};

// A maximum costs what its parts cost; it has no kernel of its own on 5x5.
NodeCosts costs_of(const HeuristicSpec& spec, Size size) {
  const bool own_kernel = size == Size{5, 5} && spec.parts.size() == 1;
  NodeCosts sum{};
  for (const HeuristicSpec::Part& part : spec.parts) {
    const auto* const found = std::ranges::find(measured, part.name, &Costs::heuristic);
    if (found == measured.end()) continue;  // a partition
    const NodeCosts& node = own_kernel ? found->on_5x5 : found->node;
    sum.parent += node.parent;
    sum.ruled += node.ruled;
  }
  return sum;
}

template <class... H>
constexpr bool all_measured(std::type_identity<std::tuple<H...>>) {
  return ((H::info.max_cells <= 16 ||
           std::ranges::count(measured, H::info.name, &Costs::heuristic) == 1) &&
          ...);
}
static_assert(all_measured(std::type_identity<Heuristics>{}), "bench/defaults --costs");

}  // namespace

PruneRule fastest_pruning(Size size, const HeuristicSpec& heuristic) {
  if (size.cells() <= 16) return PruneRule::parent;
  // With tables the automaton is free (the kernel prefetches its rows), and the deepest one that is
  // built in seconds is fastest.
  if (is_table_heuristic(heuristic)) return PruneRule(size.cells() > 25 ? 12 : 18);
  const NodeCosts costs = costs_of(heuristic, size);
  return costs.ruled > saved_nodes * costs.parent ? PruneRule::parent : PruneRule(12);
}

BeamCosts beam_costs(const Problem& problem) {
  if (problem.metric == Metric::multi) return in_multi;
  const HeuristicSpec spec = parse_heuristic(problem.heuristic);
  if (is_table_heuristic(spec)) {
    return partitions_of(spec).size() > 1 ? with_collection : with_partition;
  }
  const NodeCosts costs = costs_of(spec, problem.instance.size());
  const double node = problem.prune == PruneRule::parent ? costs.parent : costs.ruled;
  // Nothing is known of a program's own heuristic.
  return {.evaluation = node > 0 ? evaluation / node : 1, .share = default_share};
}

}  // namespace tessera
