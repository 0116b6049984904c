// SPDX-License-Identifier: MIT
// Searches that an automaton prunes: their lengths hold, and they expand less the deeper it is.
#include <gtest/gtest.h>

#include "base/temporary_folder.hpp"
#include "base/thinned.hpp"
#include "heuristic/registry.hpp"
#include "puzzle/all_boards.hpp"
#include "puzzle/random_board.hpp"
#include "solve_length.hpp"

namespace tessera {
namespace {

class Automaton : public testing::TestWithParam<PruneRule> {};
INSTANTIATE_TEST_SUITE_P(Depths, Automaton,
                         testing::Values(PruneRule{6}, PruneRule{10}, PruneRule{14}, PruneRule{20}),
                         [](const auto& test) {
                           return "fsm" + std::to_string(depth_of(test.param));
                         });

TEST_P(Automaton, LengthsAreBreadthFirstSearchs) {
  for (const Size size : {Size{4, 2}, Size{2, 4}, Size{3, 3}, Size{5, 2}}) {
    const bool is_large = size == Size{5, 2};
    if (thinned > 1 && is_large) continue;
    const std::vector<Board> goals = varied_goals(size);
    for (const Board& goal : is_large ? std::vector{goals.back()} : goals) {
      const std::vector<int> distance = distances_from(goal);
      // Half of the ranks are no boards of that goal; an odd stride meets both halves.
      const std::uint64_t stride = is_large ? 19'997 : size == Size{3, 3} ? 31 : 5;
      for (std::uint64_t r = 0; r < distance.size(); r += thinned * stride * sampled(3)) {
        if (distance[r] < 0) continue;
        const Instance instance = make_instance(unrank(size, r), goal);
        const auto search = make_subtree_search({instance, "manhattan", Kernel::plain, GetParam()});
        ASSERT_EQ(solve_length(*search), distance[r]) << to_string(unrank(size, r));
      }
    }
  }
}

// The argument of the header needs no consistency: pattern databases have none.
TEST_P(Automaton, LengthsHoldWithAnInconsistentHeuristic) {
  const TemporaryFolder folder;
  const Size size{3, 3};
  for (const Board& goal : varied_goals(size)) {
    const std::vector<int> distance = distances_from(goal);
    const std::string heuristic = to_string(resolve_heuristic("pdb:4-4", goal));
    for (std::uint64_t r = 0; r < distance.size(); r += thinned * 53) {
      if (distance[r] < 0) continue;
      const Instance instance = make_instance(unrank(size, r), goal);
      for (const Kernel kernel : {Kernel::plain, Kernel::block}) {
        const auto search = make_subtree_search(
            {instance, heuristic, kernel, GetParam(), Metric::single, folder.text()});
        ASSERT_EQ(solve_length(*search), distance[r]) << to_string(unrank(size, r));
      }
    }
  }
}

TEST_P(Automaton, LengthsHoldWithoutAHeuristic) {
  for (const Size size : {Size{3, 3}, Size{2, 4}}) {
    for (const Board& goal : varied_goals(size)) {
      const std::vector<int> distance = distances_from(goal);
      for (std::uint64_t r = 0; r < distance.size(); r += thinned * 23) {
        if (distance[r] < 0 || distance[r] > 16) continue;
        const auto search = make_subtree_search(
            {make_instance(unrank(size, r), goal), "zero", Kernel::plain, GetParam()});
        ASSERT_EQ(solve_length(*search), distance[r]) << to_string(unrank(size, r));
      }
    }
  }
}

std::uint64_t expanded_within(const Problem& problem, int bound) {
  Unlimited control;
  const auto search = make_subtree_search(problem);
  return search->search(search->node_at(""), bound, Mode::exhaust, control).counts.expanded;
}

// Every goal and every board that is its own image under a reflection or rotation.
TEST(Mirror, LengthsAreBreadthFirstSearchs) {
  for (const Size size : {Size{3, 3}, Size{3, 2}, Size{2, 3}}) {
    std::uint64_t symmetric = 0;
    for (int blank = 0; blank < size.cells(); ++blank) {
      const Board goal = ordered_board(size, blank);
      const std::vector<int> distance = distances_from(goal);
      for (std::uint64_t r = 0; r < distance.size(); ++r) {
        if (distance[r] < 0) continue;
        const Instance instance = make_instance(unrank(size, r), goal);
        if (mirrored_moves(instance).directions == 0) continue;
        if (++symmetric % thinned != 0 && size.cells() == 9) continue;
        for (const std::string rule : {"parent+mirror", "fsm:8+mirror"}) {
          const auto search =
              make_subtree_search({instance, "manhattan", Kernel::plain, parse_prune(rule)});
          ASSERT_EQ(solve_length(*search), distance[r]) << to_string(unrank(size, r));
        }
      }
    }
    EXPECT_GT(symmetric, size.cells() == 9 ? 500U : 3U);
  }
}

// If the symmetry moves every first move, the root aside.
TEST(Mirror, HalfOfTheTreeIsSearched) {
  const Board reversed = parse_board("0 8 7 6 5 4 3 2 1", Size{3, 3});
  const Instance instance = make_instance(reversed, Goal().board({3, 3}));
  for (const int bound : {16, 20, 24}) {
    const auto whole = expanded_within({instance, "manhattan", Kernel::plain}, bound);
    const auto half = expanded_within(
        {instance, "manhattan", Kernel::plain, parse_prune("parent+mirror")}, bound);
    EXPECT_EQ(2 * (half - 1), whole - 1);
  }
  const Board other = parse_board("0 8 7 6 5 4 3 1 2", Size{3, 3});
  EXPECT_EQ(mirrored_moves(make_instance(other, Goal().board({3, 3}))).directions, 0);
}

// Within one bound the rule leaves nodes out and adds none, the more the deeper it is.
TEST(Pruning, DeeperAutomataExpandLess) {
  // 31 moves, as far as boards of that size are.
  const Instance instance =
      make_instance(parse_board("8 6 7 2 5 4 3 0 1", Size{3, 3}), Goal().board({3, 3}));
  std::uint64_t least = ~std::uint64_t{0};
  std::uint64_t with_parent = 0;
  for (const PruneRule rule : {PruneRule::parent, PruneRule{2}, PruneRule{6}, PruneRule{10},
                               PruneRule{12}, PruneRule{14}, PruneRule{17}, PruneRule{20}}) {
    const auto search = make_subtree_search({instance, "manhattan", Kernel::plain, rule});
    const Node root = search->node_at("");
    Unlimited control;
    std::uint64_t expanded = 0;
    for (int bound = root.f(); bound < 31; bound += 2) {
      const SubtreeResult result = search->search(root, bound, Mode::exhaust, control);
      EXPECT_EQ(result.counts.solutions, 0U);
      expanded += result.counts.expanded;
    }
    EXPECT_EQ(solve_length(*search, Metric::single, 31), 31);
    if (rule == PruneRule::parent) with_parent = expanded;
    if (rule == PruneRule{2}) {
      EXPECT_EQ(expanded, with_parent);
    }
    EXPECT_LE(expanded, least) << to_string(rule);
    if (rule == PruneRule{14}) {
      EXPECT_LT(expanded, with_parent * 3 / 4);
    }
    least = expanded;
  }
}

// Automata leave out duplicates, so of all solutions some stay, and parent counts at least those.
TEST(Pruning, SolutionsThatStayAreSomeOfParents) {
  Random random(51);
  const Board goal = Goal().board({3, 3});
  for (int i = 0; i < 20; ++i) {
    const Instance instance = make_instance(random_board(goal, random), goal);
    const auto parent =
        make_subtree_search({instance, "manhattan", Kernel::plain, PruneRule::parent});
    const auto pruned = make_subtree_search({instance, "manhattan", Kernel::plain, PruneRule{14}});
    const int length = solve_length(*parent);
    Unlimited control;
    const SubtreeResult a = parent->search(parent->node_at(""), length, Mode::exhaust, control);
    const SubtreeResult b = pruned->search(pruned->node_at(""), length, Mode::exhaust, control);
    EXPECT_GE(b.counts.solutions, 1U);
    EXPECT_LE(b.counts.solutions, a.counts.solutions);
    EXPECT_LE(b.counts.expanded, a.counts.expanded);
    // The first solution in move order is the same.
    EXPECT_EQ(parent->search(parent->node_at(""), length, Mode::first, control).solution,
              pruned->search(pruned->node_at(""), length, Mode::first, control).solution);
  }
}

}  // namespace
}  // namespace tessera
