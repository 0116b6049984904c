// SPDX-License-Identifier: MIT
#include "search/kernels/kernels.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/refusal.hpp"
#include "base/temporary_folder.hpp"
#include "base/thinned.hpp"
#include "heuristic/registry.hpp"
#include "plain_oracle.hpp"
#include "puzzle/all_boards.hpp"
#include "puzzle/random_board.hpp"

namespace tessera {
namespace {

struct KernelCase {
  Size size;
  std::string heuristic;
  int moves;  // of the boards, from the goal
};

const std::vector<KernelCase> kernel_cases{
    {{3, 3}, "pdb:4-4", 60},
    {{3, 3}, "max(walking,pdb:4-4)", 60},
    {{3, 3}, "max(pdb:4-4,pdb:2-6,pdb:3-5,manhattan)", 60},
    {{4, 3}, "pdb:5-6", 60},
    {{3, 4}, "max(walking,pdb:4-4-3)", 60},
    {{5, 2}, "pdb:5-4", 40},
    {{5, 2}, "max(walking,pdb:4-3-2)", 40},
    {{2, 6}, "pdb:4-4-3", 40},
    {{8, 2}, "pdb:4-4-4-3", 26},
    {{4, 4}, "pdb:5-5-5", 60},
    {{4, 4}, "max(walking,pdb:5-5-5,pdb:3-3-3-3-3)", 60},
    {{4, 3}, "max(pdb:5-6,pdb:4-4-3,pdb:3-4-4)", 60},
    {{4, 4}, "max(walking,pdb:3-3-3-3-3,pdb:4-4-4-3,pdb:2-3-3-3-4)", 60},
    {{5, 3}, "max(walking,pdb:4-4-4-2)", 60},  // walking distance from a file
    {{4, 4}, "max(escapes,pdb:5-5-5)", 60},
    {{5, 3}, "max(escapes,pdb:4-4-4-2,pdb:2-4-4-4,pdb:3-3-4-4)", 60},
    {{3, 5}, "max(walking,pdb:4-4-4-2,pdb:2-4-4-4,pdb:3-3-4-4)", 60},
    {{5, 5}, "max(pdb:3-3-3-3-3-3-3-3,pdb:2-2-4-4-4-4-4,pdb:4-4-4-4-4-2-2)", 40},
    {{5, 5}, "pdb:3-3-3-3-3-3-3-3", 40},
    {{6, 5}, "max(pdb:2-2-2-2-2-2-2-2-2-2-2-2-2-1-1-1)", 26},
};

Problem problem_of(const Instance& instance, const KernelCase& c, const Board& goal, Kernel kernel,
                   const TemporaryFolder& folder, PruneRule prune = PruneRule::parent) {
  return {instance,       to_string(resolve_heuristic(c.heuristic, goal)),
          kernel,         prune,
          Metric::single, folder.text()};
}

// A path of random moves that the rule allows.
std::string random_path(const SubtreeSearch& search, int depth, Random& random) {
  Node node = search.node_at("");
  std::string path;
  while (static_cast<int>(path.size()) < depth) {
    const std::vector<Successor> children = search.successors(node);
    if (children.empty()) return path;
    const Successor& child = children[random.below(children.size())];
    path += child.letters;
    node = child.node;
  }
  return path;
}

TEST(BlockKernel, CountsAsThePlainOneAndTheOracle) {
  const TemporaryFolder folder;
  Random random(41);
  for (const KernelCase& c : kernel_cases) {
    for (const Board& goal : varied_goals(c.size)) {
      const Instance instance = make_instance(scrambled(goal, c.moves, random), goal);
      const auto plain = make_subtree_search(problem_of(instance, c, goal, Kernel::plain, folder));
      const auto block = make_subtree_search(problem_of(instance, c, goal, Kernel::block, folder));
      for (const int depth : {0, 1, 5, 14}) {
        if (random.below(sampled(3)) != 0) continue;
        const Node root = plain->node_at(random_path(*plain, depth, random));
        ASSERT_EQ(block->evaluate(root.board), root.h);
        for (int bound = root.f(), rounds = 0; rounds < 6; ++rounds) {
          Unlimited a;
          Unlimited b;
          const SubtreeResult expected = plain->search(root, bound, Mode::exhaust, a);
          const SubtreeResult result = block->search(root, bound, Mode::exhaust, b);
          ASSERT_EQ(show(result), show(expected)) << to_string(c.size) << " " << c.heuristic << " "
                                                  << to_string(root.board) << " bound " << bound;
          ASSERT_EQ(a.told, expected.counts);
          ASSERT_EQ(b.told, expected.counts);
          if (expected.counts.expanded < 4'000) {
            const SubtreeResult truth = PlainOracle(*plain, bound, Mode::exhaust).search(root);
            ASSERT_EQ(show(expected), show(truth)) << c.heuristic << " bound " << bound;
          }
          if (expected.counts.expanded > 30'000 || expected.next_bound == no_bound) break;
          bound = expected.next_bound;
        }
      }
    }
  }
}

TEST(BlockKernel, TheFirstSolutionIsDepthFirstSearchsOwn) {
  const TemporaryFolder folder;
  Random random(42);
  for (const KernelCase& c : kernel_cases) {
    for (const Board& goal : varied_goals(c.size)) {
      const Instance instance = make_instance(scrambled(goal, c.moves / 2, random), goal);
      for (const Kernel kernel : {Kernel::plain, Kernel::block, Kernel::automatic}) {
        if (random.below(sampled(2)) != 0) continue;
        const auto search = make_subtree_search(problem_of(instance, c, goal, kernel, folder));
        const Node root = search->node_at(random_path(*search, 2, random));
        for (int bound = root.f();;) {
          Unlimited control;
          const SubtreeResult truth = PlainOracle(*search, bound, Mode::first).search(root);
          const SubtreeResult result = search->search(root, bound, Mode::first, control);
          ASSERT_EQ(result.found, truth.found) << c.heuristic;
          ASSERT_EQ(result.counts, truth.counts) << show(result) << "\n" << show(truth);
          ASSERT_EQ(result.solution, truth.solution);
          ASSERT_EQ(control.told, result.counts);
          if (truth.found || truth.counts.expanded > 20'000) break;
          ASSERT_EQ(result.next_bound, truth.next_bound);
          bound = truth.next_bound;
        }
      }
    }
  }
}

// IDA* in Mode::any from the root; the solution is checked by replaying it.
std::string solution_of(SubtreeSearch& search, const Node& root) {
  for (int bound = root.f();;) {
    Unlimited control;
    const SubtreeResult result = search.search(root, bound, Mode::any, control);
    EXPECT_FALSE(result.stopped);
    EXPECT_EQ(control.told, result.counts);
    if (result.found) {
      const auto end = replayed(root.board, result.solution);
      EXPECT_TRUE(end && *end == search.goal()) << result.solution;
      return result.solution;
    }
    if (result.next_bound <= bound || result.next_bound == no_bound) {
      ADD_FAILURE() << "no bound after " << bound;
      return "";
    }
    bound = result.next_bound;
  }
}

TEST(BlockKernel, AnySolutionIsOptimal) {
  const TemporaryFolder folder;
  Random random(43);
  for (const Size size : {Size{3, 3}, Size{4, 2}}) {
    for (const Board& goal : varied_goals(size)) {
      const std::vector<int> distance = distances_from(goal);
      for (const std::string text : {"pdb:1-2-4", "max(walking,pdb:4-3)"}) {
        KernelCase c{size, text, 0};
        if (size == Size{3, 3}) c.heuristic.insert(c.heuristic.size() - (text[0] == 'm'), "-1");
        for (int i = 0; i < 60; ++i) {
          const Board board = random_board(goal, random);
          const Instance instance = make_instance(board, goal);
          const auto search =
              make_subtree_search(problem_of(instance, c, goal, Kernel::block, folder));
          ASSERT_EQ(static_cast<int>(solution_of(*search, search->node_at("")).size()),
                    distance[rank(board)])
              << to_string(board);
        }
      }
    }
  }
}

// The goal itself is a solution of no moves.
TEST(BlockKernel, TheGoalNeedsNoMove) {
  const TemporaryFolder folder;
  for (const Board& goal : varied_goals({3, 3})) {
    const auto search = make_subtree_search(
        problem_of(make_instance(goal, goal), kernel_cases[0], goal, Kernel::block, folder));
    for (const Mode mode : {Mode::first, Mode::any, Mode::exhaust}) {
      Unlimited control;
      const SubtreeResult result = search->search(search->node_at(""), 0, mode, control);
      EXPECT_EQ(result.counts, (Counts{0, 0, 1}));
      EXPECT_EQ(result.found, mode != Mode::exhaust);
      EXPECT_EQ(result.solution, "");
    }
  }
}

// A node remembers its last 64 moves; the way to a goal further below is searched for again.
TEST(BlockKernel, SolutionsOfMoreThan64MovesAreFound) {
  const TemporaryFolder folder;
  const KernelCase c{{6, 2}, "pdb:5-6", 0};
  const Board goal = Goal(Goal::Kind::first).board(c.size);
  const Board board = parse_board("3 10 4 8 6 0 5 7 9 11 1 2", c.size);
  const auto search =
      make_subtree_search(problem_of(make_instance(board, goal), c, goal, Kernel::block, folder));
  const Node root = search->node_at("");
  const std::string any = solution_of(*search, root);
  EXPECT_EQ(any.size(), 65U);
  Unlimited control;
  const SubtreeResult first = search->search(root, 65, Mode::first, control);
  EXPECT_EQ(first.solution.size(), 65U);
  EXPECT_EQ(first.solution, any);
  // From there on 64 moves are left, which are remembered.
  const Node child = search->node_at(any.substr(0, 1));
  const SubtreeResult rest = search->search(child, 65, Mode::any, control);
  ASSERT_TRUE(rest.found);
  EXPECT_EQ(rest.solution.size(), 64U);
  EXPECT_EQ(replayed(child.board, rest.solution), search->goal());
}

class Stopper final : public SearchControl {
 public:
  explicit Stopper(std::uint64_t poll_interval, int calls)
      : poll_interval_(poll_interval), calls_left_(calls) {}
  bool keep_going(const Counts& since_last) override {
    told += since_last;
    return --calls_left_ > 0;
  }
  [[nodiscard]] std::uint64_t poll_interval() const override { return poll_interval_; }
  Counts told;

 private:
  std::uint64_t poll_interval_;
  int calls_left_;
};

TEST(BlockKernel, StopsWhenToldTo) {
  const TemporaryFolder folder;
  Random random(44);
  const KernelCase c{{4, 4}, "pdb:5-5-5", 0};
  const Board goal = Goal().board({4, 4});
  const Instance instance = make_instance(random_board(goal, random), goal);
  for (const Kernel kernel : {Kernel::plain, Kernel::block}) {
    for (const Mode mode : {Mode::first, Mode::any, Mode::exhaust}) {
      const auto search = make_subtree_search(problem_of(instance, c, goal, kernel, folder));
      const Node root = search->node_at("");
      for (const std::uint64_t poll_interval : {1U, 100U, 1'000U}) {
        Stopper control(poll_interval, 3);
        const SubtreeResult result = search->search(root, root.h + 40, mode, control);
        EXPECT_TRUE(result.stopped);
        EXPECT_FALSE(result.found);
        // Node by node successors are counted ahead until the stop unwinds.
        EXPECT_EQ(control.told.expanded, result.counts.expanded);
        EXPECT_GE(control.told.generated, result.counts.generated);
        EXPECT_LE(result.counts.expanded, 3 * (poll_interval + 64));
        EXPECT_GT(result.counts.expanded, poll_interval);
      }
      // What was stopped can search again.
      Unlimited control;
      EXPECT_FALSE(search->search(root, root.h, mode, control).stopped);
    }
  }
}

TEST(BlockKernel, RefusesWhatItHasNoTablesFor) {
  const TemporaryFolder folder;
  const Board goal = Goal().board({3, 3});
  const Instance instance = make_instance(goal, goal);
  const auto kind_of = [&](const std::string& heuristic, Kernel kernel) {
    SCOPED_TRACE(heuristic);
    const Error error = refused([&] {
      return make_subtree_search({instance, to_string(resolve_heuristic(heuristic, goal)), kernel,
                                  PruneRule::parent, Metric::single, folder.text()});
    });
    return error.kind();
  };
  EXPECT_EQ(kind_of("manhattan", Kernel::block), ErrorKind::input);
  EXPECT_EQ(kind_of("walking", Kernel::block), ErrorKind::input);
  EXPECT_EQ(kind_of("max(pdb:4-4,linear-conflict)", Kernel::block), ErrorKind::input);
  EXPECT_EQ(kind_of("pdb:4-4", Kernel::bucket), ErrorKind::input);
}

// With a pruning rule of its own, block and plain leave the same moves out.
TEST(BlockKernel, KeepsToThePruningRule) {
  const TemporaryFolder folder;
  Random random(45);
  for (const std::size_t which : {1U, 4U, 9U, 11U, 13U}) {
    const KernelCase& c = kernel_cases[which];
    const Board goal = varied_goals(c.size)[1];
    const Instance instance = make_instance(scrambled(goal, 50, random), goal);
    const auto plain =
        make_subtree_search(problem_of(instance, c, goal, Kernel::plain, folder, PruneRule{10}));
    const auto block =
        make_subtree_search(problem_of(instance, c, goal, Kernel::block, folder, PruneRule{10}));
    for (const int depth : {0, 7, 13}) {
      const Node root = plain->node_at(random_path(*plain, depth, random));
      for (int bound = root.f(), rounds = 0; rounds < 5; ++rounds) {
        Unlimited control;
        const SubtreeResult expected = plain->search(root, bound, Mode::exhaust, control);
        ASSERT_EQ(show(block->search(root, bound, Mode::exhaust, control)), show(expected));
        const SubtreeResult a = plain->search(root, bound, Mode::first, control);
        ASSERT_EQ(show(block->search(root, bound, Mode::first, control)), show(a));
        if (expected.counts.expanded > 30'000 || expected.next_bound == no_bound) break;
        bound = expected.next_bound;
      }
    }
  }
}

}  // namespace
}  // namespace tessera
