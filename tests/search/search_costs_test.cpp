// SPDX-License-Identifier: MIT
#include "search/tree/search_costs.hpp"

#include <gtest/gtest.h>

#include "heuristic/registry.hpp"
#include "puzzle/goal.hpp"

namespace tessera {
namespace {

PruneRule pruning(Size size, const char* heuristic) {
  return fastest_pruning(size, resolve_heuristic(heuristic, Goal().board(size)));
}
BeamCosts costs(Size size, const char* heuristic) {
  const Board goal = Goal().board(size);
  const HeuristicSpec spec = resolve_heuristic(heuristic, goal);
  return beam_costs({.instance = make_instance(goal, goal),
                     .heuristic = to_string(spec),
                     .prune = fastest_pruning(size, spec)});
}
double evaluation(Size size, const char* heuristic) {
  return costs(size, heuristic).evaluation;
}

TEST(SearchCosts, ParentUpTo16Cells) {
  for (const HeuristicInfo& info : heuristic_infos()) {
    const HeuristicSpec spec = parse_heuristic(info.name);
    EXPECT_EQ(fastest_pruning({4, 4}, spec), PruneRule::parent) << info.name;
    EXPECT_EQ(fastest_pruning({8, 2}, spec), PruneRule::parent) << info.name;
  }
  EXPECT_EQ(pruning({4, 4}, "pdb:7-8"), PruneRule::parent);
}

TEST(SearchCosts, AutomataWhereTheySaveMoreThanTheyCost) {
  for (const char* const heuristic :
       {"linear-conflict", "inversion", "pairwise", "max(manhattan,inversion)"}) {
    for (const Size size : {Size{5, 4}, Size{5, 5}, Size{6, 6}, Size{8, 8}}) {
      EXPECT_EQ(pruning(size, heuristic), PruneRule{12}) << heuristic << " " << to_string(size);
    }
  }
  // These nodes are too cheap, most of them only in 5x5's own kernel.
  for (const char* const heuristic : {"zero", "misplaced", "manhattan"}) {
    EXPECT_EQ(pruning({5, 5}, heuristic), PruneRule::parent) << heuristic;
  }
  EXPECT_EQ(pruning({6, 6}, "zero"), PruneRule::parent);
  EXPECT_EQ(pruning({6, 6}, "misplaced"), PruneRule{12});
  EXPECT_EQ(pruning({5, 4}, "manhattan"), PruneRule{12});
  EXPECT_EQ(pruning({5, 4}, "pdb:5-5-5-4"), PruneRule{18});
  EXPECT_EQ(pruning({5, 5}, "pdb:6-6-6-6"), PruneRule{18});
  EXPECT_EQ(pruning({5, 5}, "pdb:small"), PruneRule{18});
  EXPECT_EQ(pruning({6, 6}, "pdb:5-5-5-5-5-5-5"), PruneRule{12});
}

TEST(SearchCosts, AnEvaluationCostsMoreNodesWhereTheyAreCheap) {
  EXPECT_LT(evaluation({5, 5}, "pdb:small"), evaluation({5, 5}, "pdb:6-6-6-6"));
  EXPECT_LT(evaluation({5, 5}, "pdb:6-6-6-6"), 1);
  EXPECT_LT(evaluation({5, 5}, "pairwise"), 1);
  EXPECT_GT(evaluation({5, 5}, "manhattan"), 9);
  EXPECT_GT(evaluation({5, 5}, "zero"), evaluation({5, 5}, "manhattan"));
  EXPECT_LT(evaluation({6, 6}, "manhattan"), evaluation({5, 5}, "manhattan"));
}

// A beam that is too narrow costs the last bound of a hard board.
TEST(SearchCosts, CollectionsAreWorthMoreBeams) {
  EXPECT_GT(costs({5, 5}, "pdb:small").share, costs({5, 5}, "pdb:6-6-6-6").share);
  EXPECT_LE(costs({5, 5}, "manhattan").share, 0.1);
}

}  // namespace
}  // namespace tessera
