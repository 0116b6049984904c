// SPDX-License-Identifier: MIT
// What a best-first search does with single nodes: boards that are open several times, and with an
// h that is not consistent boards that are expanded again.
#include "search/best_first/best_first_core.hpp"

#include <gtest/gtest.h>

#include "base/temporary_folder.hpp"
#include "base/thinned.hpp"
#include "heuristic/registry.hpp"
#include "puzzle/all_boards.hpp"
#include "puzzle/random_board.hpp"
#include "search/best_first/best_first_run.hpp"

namespace tessera {
namespace {

constexpr std::uint64_t enough_memory = std::uint64_t{1} << 28;
const Size three_by_three{3, 3};

struct Search {
  explicit Search(Problem posed, BestFirstOrder order = BestFirstOrder::astar)
      : problem(std::move(posed)), expander(make_expander<NibbleState>(problem)) {
    BestFirstOptions options;
    options.order = order;
    core.emplace(*expander, options, budget, problem.metric);
  }
  /// Makes the start open with that g.
  void push_start(int g) {
    Reached<NibbleState> node = core->start();
    node.g = static_cast<std::uint16_t>(g);
    core->push(node);
  }
  /// Expands all that is open and keeps no child.
  std::size_t expand_all() {
    std::size_t children = 0;
    while (!core->empty()) {
      EXPECT_FALSE(core->expand([&](const Reached<NibbleState>&) { ++children; }));
    }
    return children;
  }

  Problem problem;
  std::unique_ptr<Expander<NibbleState>> expander;
  MemoryBudget budget{enough_memory};
  std::optional<BestFirstCore<NibbleState>> core;
};

Problem some_problem() {
  const Board goal = Goal().board(three_by_three);
  return {make_instance(parse_board("8 1 2 4 0 3 7 6 5", {}), goal), "manhattan"};
}

TEST(BestFirstCore, ExpandsABoardThatIsOpenTwiceOnce) {
  Search search(some_problem());
  // Sixteen are taken at once; the others are found in the table.
  for (int i = 0; i < 40; ++i) search.push_start(4);
  EXPECT_EQ(search.core->open_count(), 40U);
  EXPECT_EQ(search.expand_all(), 4U);
  EXPECT_EQ(search.core->counts(), (Counts{1, 4, 0}));
  EXPECT_EQ(search.core->states(), 1U);
}

TEST(BestFirstCore, ExpandsABoardAgainOnlyForASmallerG) {
  Search search(some_problem());
  for (const int g : {7, 5, 9}) search.push_start(g);
  EXPECT_EQ(search.expand_all(), 4U) << "the best comes first, the others are passed over";
  search.push_start(5);
  search.push_start(6);
  EXPECT_EQ(search.expand_all(), 0U);
  search.push_start(3);
  EXPECT_EQ(search.expand_all(), 4U);
  EXPECT_EQ(search.core->counts(), (Counts{2, 8, 0}));
  EXPECT_EQ(search.core->states(), 1U);
}

TEST(BestFirstCore, GreedyOpensABoardOnce) {
  Search search(some_problem(), BestFirstOrder::greedy);
  for (const int g : {0, 3, 0}) search.push_start(g);
  EXPECT_EQ(search.core->open_count(), 1U);
  EXPECT_EQ(search.expand_all(), 4U);
  search.push_start(0);
  EXPECT_TRUE(search.core->empty());
}

// Admissible and hardly consistent: the truth on one board of eight, nothing on the others.
class Moody final : public EvaluatingExpander<NibbleState> {
 public:
  Moody(const Problem& problem, const std::vector<int>& distance)
      : EvaluatingExpander<NibbleState>(problem), distance_(distance) {}
  [[nodiscard]] int evaluate(const Board& labels) const override {
    const std::uint64_t number = rank(labels);
    return mixed(number) >> 61 == 0 ? distance_[number] : 0;
  }

 private:
  const std::vector<int>& distance_;
};

TEST(Astar, ReopensBoardsWhereHIsNotConsistent) {
  for (const Metric metric : {Metric::single, Metric::multi}) {
    const Board goal = Goal().board(three_by_three);
    Random random(12);
    Observer nobody;
    std::uint64_t again = 0;
    for (int i = 0; i < (thinned == 1 ? 12 : 4); ++i) {
      Problem problem{make_instance(random_board(goal, random), goal), "zero"};
      problem.metric = metric;
      const Board end = problem.instance.goal();
      BestFirstOptions options;
      options.memory_bytes = enough_memory;
      options.order = BestFirstOrder::breadth;
      const SearchResult truth = best_first(problem, options, {}, nobody);
      options.order = BestFirstOrder::astar;
      std::vector<int> distance = distances_from(end);
      // A move takes a tile two steps at most.
      if (metric == Metric::multi) {
        for (int& steps : distance) steps = (steps + 1) / 2;
      }
      Moody expander(problem, distance);
      const SearchResult result =
          run_best_first<NibbleState>(expander, problem, options, {}, nobody);
      ASSERT_TRUE(result.solution);
      EXPECT_EQ(replayed(problem.instance.start, *result.solution), end);
      EXPECT_EQ(solution_length(*result.solution, metric),
                solution_length(*truth.solution, metric));
      EXPECT_TRUE(result.optimal);
      again += result.counts.expanded - (result.states - 1);  // the goal is kept, not expanded
    }
    EXPECT_GT(again, 1000U) << "nothing was opened again: h was consistent after all";
  }
}

// Nodes expanded in blocks, with table entries looked up step by step: the same search as with each
// child evaluated from scratch.
TEST(Astar, LooksUpTablesInBlocksAsFromScratch) {
  struct Case {
    Size size;
    const char* heuristic;
    int boards;
  };
  const TemporaryFolder folder;
  Random random(5);
  Observer nobody;
  for (const Case& c :
       {Case{{3, 3}, "pdb:4-4", 6}, Case{{3, 3}, "max(pdb:4-4,pdb:3-5)", 6},
        Case{{4, 3}, "pdb:3-3-3-2", 3}, Case{{5, 4}, "pdb:4-4-4-4-3", 2},
        Case{{5, 4}, "max(pdb:4-4-4-4-3,pdb:3-4-4-4-4,pdb:4-3-4-4-4,pdb:4-4-3-4-4)", 2},
        Case{{6, 6}, "pdb:3-3-3-3-3-3-3-3-3-3-3-2", 2}}) {
    for (const Board& goal : {Goal().board(c.size), varied_goals(c.size)[2]}) {
      for (int i = 0; i < c.boards; ++i) {
        const Problem problem{.instance = make_instance(random_board(goal, random), goal),
                              .heuristic = to_string(resolve_heuristic(c.heuristic, goal)),
                              .table_directory = folder.path()};
        Limits limits;
        limits.nodes = 20'000;
        for (const BestFirstOrder order : {BestFirstOrder::astar, BestFirstOrder::greedy}) {
          BestFirstOptions options;
          options.order = order;
          options.memory_bytes = enough_memory;
          const SearchResult in_blocks = best_first(problem, options, limits, nobody);
          with_state_of(c.size, [&]<class State>() {
            EvaluatingExpander<State> from_scratch(problem);
            const SearchResult one_by_one =
                run_best_first<State>(from_scratch, problem, options, limits, nobody);
            EXPECT_EQ(in_blocks.solution, one_by_one.solution) << c.heuristic;
            EXPECT_EQ(in_blocks.counts, one_by_one.counts);
            EXPECT_EQ(in_blocks.states, one_by_one.states);
            EXPECT_EQ(in_blocks.bound, one_by_one.bound);
            EXPECT_EQ(in_blocks.stop, one_by_one.stop);
          });
        }
      }
    }
  }
}

// What is lost where memory ends is not proven to hold no solution.
TEST(Astar, EndsWithALowerBoundWhereverMemoryEnds) {
  const Board goal = Goal().board(three_by_three);
  const std::vector<int> distance = distances_from(goal);
  const auto farthest = static_cast<std::uint64_t>(
      std::max_element(distance.begin(), distance.end()) - distance.begin());
  const Problem problem{make_instance(unrank(three_by_three, farthest), goal), "manhattan"};
  Observer nobody;
  BestFirstOptions options;
  int stopped = 0;
  for (options.memory_bytes = 10'000;; options.memory_bytes += 20'000 * thinned) {
    const SearchResult result = best_first(problem, options, {}, nobody);
    EXPECT_LE(result.bytes, options.memory_bytes);
    EXPECT_LE(result.bound, distance[farthest]);
    if (!result.stop) {
      EXPECT_EQ(static_cast<int>(result.solution->size()), distance[farthest]);
      break;
    }
    EXPECT_EQ(result.stop, Stop::memory);
    EXPECT_FALSE(result.solution);
    EXPECT_FALSE(result.optimal);
    ++stopped;
  }
  EXPECT_GE(stopped, 5 / thinned);
}

}  // namespace
}  // namespace tessera
