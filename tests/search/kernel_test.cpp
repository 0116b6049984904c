// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/thinned.hpp"
#include "built_in_problem.hpp"
#include "heuristic/registry.hpp"
#include "heuristic/tried_sizes.hpp"
#include "plain_oracle.hpp"
#include "puzzle/all_boards.hpp"
#include "puzzle/random_board.hpp"
#include "search/kernels/bucket_search.hpp"
#include "search/kernels/depth_first.hpp"
#include "solve_length.hpp"

namespace tessera {
namespace {

// A solvable board whose plain search stays small: some moves from the goal, not too many.
Instance easy_instance(const Board& goal, Random& random, int moves) {
  return make_instance(scrambled(goal, moves, random), goal);
}

TEST(Kernels, CountWhatTheOracleCounts) {
  Random random(21);
  for (const Size size : {Size{2, 2}, Size{3, 3}, Size{4, 3}, Size{3, 4}, Size{4, 4}, Size{5, 5},
                          Size{2, 6}, Size{5, 3}, Size{6, 5}}) {
    for (const Board& goal : varied_goals(size)) {
      const Instance instance = easy_instance(goal, random, 22);
      for (const HeuristicInfo& info : heuristic_infos()) {
        if (!is_tried(info.name, size) || random.below(sampled(3)) != 0) continue;
        const auto search = make_subtree_search({instance, std::string(info.name), Kernel::plain});
        const Node root = search->node_at("");
        int bound = root.f();
        for (int iteration = 0; iteration < 5; ++iteration) {
          const bool weak = info.name == "zero" || info.name == "misplaced";
          if (weak && bound > 12) break;  // the oracle is slow
          Unlimited control;
          SubtreeResult expected = PlainOracle(*search, bound, Mode::exhaust).search(root);
          SubtreeResult counted = search->search(root, bound, Mode::exhaust, control);
          ASSERT_EQ(show(counted), show(expected)) << info.name << " " << to_string(size);
          EXPECT_EQ(control.told, counted.counts);
          expected = PlainOracle(*search, bound, Mode::first).search(root);
          counted = search->search(root, bound, Mode::first, control);
          ASSERT_EQ(counted.counts, expected.counts) << info.name << " " << to_string(size);
          ASSERT_EQ(counted.solution, expected.solution);
          if (expected.found) break;
          bound = expected.next_bound;
        }
      }
    }
  }
}

TEST(Kernels, FastSizesAreTheirRuntimeTwins) {
  Random random(22);
  for (const Size size : {Size{3, 3}, Size{4, 3}, Size{3, 4}, Size{4, 4}, Size{5, 5}}) {
    for (const Board& goal : varied_goals(size)) {
      const Instance instance = easy_instance(goal, random, 40);
      const auto fast = make_subtree_search({instance, "linear-conflict", Kernel::plain});
      DepthFirst<RuledGeometry, LinearConflict, BytePosition<64>> twin(
          {instance, "linear-conflict"},
          {RuntimeGeometry(size), Pruning::of(PruneRule::parent, size)});
      const Node root = fast->node_at("");
      for (int bound = root.f(); bound <= root.f() + 6; bound += 2) {
        for (const Mode mode : {Mode::first, Mode::exhaust}) {
          Unlimited control;
          const SubtreeResult a = fast->search(root, bound, mode, control);
          const SubtreeResult b = twin.search(root, bound, mode, control);
          ASSERT_EQ(show(a), show(b)) << to_string(size);
        }
      }
    }
  }
}

class BucketKernel : public testing::TestWithParam<NamedExpander> {};

TEST_P(BucketKernel, CountsAsThePlainOne) {
  Random random(23);
  for (const Size size : {Size{2, 2}, Size{3, 2}, Size{3, 3}, Size{4, 3}, Size{4, 4}, Size{2, 8},
                          Size{8, 2}, Size{5, 3}, Size{3, 5}}) {
    for (const Board& goal : varied_goals(size)) {
      const Instance instance = make_instance(random_board(goal, random), goal);
      const auto plain = make_subtree_search({instance, "manhattan", Kernel::plain});
      BucketSearch bucket({instance, "manhattan"},
                          make_subtree_search({instance, "manhattan", Kernel::plain}));
      bucket.use_expander(GetParam().expand);
      // At the root and inside the tree, where the move back is excluded.
      for (int depth = 0; depth < 3; ++depth) {
        std::string path;
        for (Board board = instance.start; static_cast<int>(path.size()) < depth;) {
          const Direction d = all_directions.at(random.below(4));
          if (!board.neighbor(d) || (!path.empty() && direction_of(path.back()) == opposite(d)))
            continue;
          board.move(d);
          path += letter(d);
        }
        const Node root = plain->node_at(path);
        ASSERT_EQ(bucket.node_at(path).h, root.h);
        for (int bound = root.f(); bound < root.f() + 16; bound += 2) {
          for (const Mode mode : {Mode::first, Mode::exhaust}) {
            Unlimited a;
            Unlimited b;
            const SubtreeResult expected = plain->search(root, bound, mode, a);
            ASSERT_EQ(show(bucket.search(root, bound, mode, b)), show(expected))
                << to_string(size) << " " << to_string(instance.start) << " bound " << bound;
            if (mode == Mode::exhaust) {
              EXPECT_EQ(b.told, expected.counts);
            }
          }
          Unlimited control;
          if (plain->search(root, bound, Mode::exhaust, control).counts.expanded > 100'000) break;
        }
      }
    }
  }
}

TEST_P(BucketKernel, ExpanderIsThePortableOne) {
  const BucketExpander portable = bucket_expanders().back().expand;
  Random random(24);
  for (std::size_t count = 0; count <= 41; ++count) {
    for (const int cell : {0, 7, 15}) {
      const int next = cell == 15 ? 14 : cell + 1;
      const BucketStep step{4 * next, (4 * (cell - next)) & 63, random.next() & 0xffff};
      std::vector<std::uint64_t> words(count + bucket_padding);
      for (auto& word : words) word = random.next() & ~(std::uint64_t{15} << (4 * cell));
      for (const bool with_lower : {true, false}) {
        std::vector<std::uint64_t> same_a(count + bucket_padding);
        auto same_b = same_a;
        auto lower_a = same_a;
        auto lower_b = same_a;
        const std::size_t near = portable(words.data(), count, step, same_a.data(),
                                          with_lower ? lower_a.data() : nullptr);
        ASSERT_EQ(GetParam().expand(words.data(), count, step, same_b.data(),
                                    with_lower ? lower_b.data() : nullptr),
                  near);
        const auto first = [](const auto& v, std::size_t n) {
          return std::vector<std::uint64_t>(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(n));
        };
        EXPECT_EQ(first(same_a, near), first(same_b, near));
        if (with_lower) {
          EXPECT_EQ(first(lower_a, count - near), first(lower_b, count - near));
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Expanders, BucketKernel, testing::ValuesIn(bucket_expanders()),
                         [](const auto& test) { return std::string(test.param.name); });

// Also on sizes without a plain kernel of their own.
TEST(BucketKernel, SearchesPlainlyWhereABucketIsFull) {
  Random random(3);
  for (const auto& [instance, more] : {std::pair(built_in_problem("korf100:12").instance, 8),
                                       {easy_instance(Goal().board({3, 5}), random, 60), 16}}) {
    const auto plain = make_subtree_search({instance, "manhattan", Kernel::plain});
    BucketSearch bucket({instance, "manhattan"},
                        make_subtree_search({instance, "manhattan", Kernel::plain}));
    bucket.limit_capacity(40);
    const Node root = plain->node_at("");
    Unlimited control;
    const int bound = root.f() + more;
    const SubtreeResult expected = plain->search(root, bound, Mode::exhaust, control);
    EXPECT_EQ(show(bucket.search(root, bound, Mode::exhaust, control)), show(expected));
    EXPECT_GT(bucket.overflows(), 0U);
  }
}

TEST(Kernels, OnlyManhattanOnSmallBoardsHasBuckets) {
  Random random(1);
  const Board goal = Goal().board({5, 5});
  EXPECT_THROW(
      (void)make_subtree_search({easy_instance(goal, random, 5), "manhattan", Kernel::bucket}),
      Error);
  EXPECT_THROW(
      (void)make_subtree_search({easy_instance(goal, random, 5), "nonsense", Kernel::automatic}),
      Error);
}

TEST(Kernels, StopWhenTold) {
  const Instance instance = built_in_problem("korf100:88").instance;
  for (const Kernel kernel : {Kernel::plain, Kernel::bucket}) {
    const auto search = make_subtree_search({instance, "manhattan", kernel});
    StopAtOnce control;
    const SubtreeResult result = search->search(search->node_at(""), 65, Mode::exhaust, control);
    EXPECT_TRUE(result.stopped);
    EXPECT_LT(result.counts.expanded, 2'000'000U);
  }
}

// States of the 8-puzzle and smaller ones, most by every seventh, to the true distance.
class Lengths : public testing::TestWithParam<std::string> {};

TEST_P(Lengths, AgreeWithBreadthFirstSearch) {
  const bool weak = GetParam() == "zero" || GetParam() == "misplaced";
  for (const Size size : {Size{3, 3}, Size{2, 3}, Size{4, 2}, Size{2, 5}}) {
    if (thinned > 1 && size.cells() == 10) continue;
    for (const Goal::Kind kind : {Goal::Kind::first, Goal::Kind::last}) {
      if (size == Size{2, 5} && kind == Goal::Kind::last) continue;
      const Board goal = Goal(kind).board(size);
      const std::vector<int> distance = distances_from(goal);
      // Fewer with weak heuristics, and of 2x5, whose 1.8 million boards take milliseconds each.
      const std::uint64_t stride = size == Size{2, 5} ? (weak ? 90'001 : 4'999) : weak ? 997 : 7;
      for (std::uint64_t r = 0; r < distance.size(); r += thinned * stride * sampled(3)) {
        if (distance[r] < 0 || (weak && distance[r] > 22)) continue;
        const Instance instance = make_instance(unrank(size, r), goal);
        const auto search = make_subtree_search({instance, GetParam(), Kernel::plain});
        ASSERT_EQ(solve_length(*search), distance[r]) << to_string(unrank(size, r));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Heuristics, Lengths,
                         testing::Values("zero", "misplaced", "manhattan", "linear-conflict",
                                         "inversion", "pairwise", "fringe"),
                         [](const auto& test) {
                           return test.param == "linear-conflict" ? "linear_conflict" : test.param;
                         });

}  // namespace
}  // namespace tessera
