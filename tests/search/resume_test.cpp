// SPDX-License-Identifier: MIT
// Searches that are stopped anywhere and resumed from any part of what was kept count as one that
// was not stopped.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/thinned.hpp"
#include "interrupted_search.hpp"
#include "long_first_bound.hpp"
#include "search/tree/balance_policy.hpp"
#include "search/tree/serial_executor.hpp"
#include "solving.hpp"

namespace tessera {
namespace {

// Keeps in memory what a checkpoint keeps in a file.
class Memory final : public SearchJournal {
 public:
  void iteration_finished(const IterationReport& report, int next_bound) override {
    saved.iterations.push_back(report);
    saved.next_bound = next_bound;
    saved.finished.clear();
  }
  void subtrees_finished(int, const std::vector<FinishedSubtree>& finished,
                         double seconds) override {
    saved.finished.insert(saved.finished.end(), finished.begin(), finished.end());
    saved.bound_seconds = seconds;
  }
  void beam_finished(const FinishedBeam& beam) override { saved.beams.push_back(beam); }
  SavedSearch saved;
};

// Of what was told any part may be there, a record that stands for others without them or with
// them.
TEST(Resume, CountsFromAnyPartOfWhatWasTold) {
  Random random(1);
  std::size_t resumed_within = 0;
  std::size_t resumed_solutions = 0;
  for (const InterruptedCase& c : interrupted_cases) {
    const int full = c.heuristic == "misplaced" ? 24 : c.size == Size{4, 4} ? 44 : 60;
    const int moves = thinned == 1 ? full : full * 9 / 10;
    for (int board = 0; board < 3; ++board) {
      const Problem problem = problem_of(c, moves, random);
      for (const bool exhaust : {true, false}) {
        IdaStarOptions options;
        options.all = exhaust;
        options.frontier = 30;
        SerialExecutor serial;
        const SearchResult expected = search(problem, options, serial, nullptr);
        for (std::uint64_t i = 0; i < (thinned == 1 && all_cases() ? 10 : 4); ++i) {
          SavedSearch saved;
          SearchResult result;
          for (std::uint64_t kills = 0;; ++kills) {
            options.frontier = 1 + random.below(60);
            Memory memory;
            memory.saved = saved;
            RestlessExecutor executor(
                random.next(), kills < 3 ? random.below(board == 0 ? 500 : 4000) : unstopped);
            result = search(problem, options, executor, &memory, saved);
            if (!result.stop) break;
            saved = memory.saved;
            const std::uint64_t part = random.below(5);
            std::erase_if(saved.finished,
                          [&](const FinishedSubtree&) { return random.below(4) < part; });
            if (random.below(2) == 0) std::reverse(saved.finished.begin(), saved.finished.end());
            resumed_within += saved.finished.empty() ? 0 : 1;
            for (const FinishedSubtree& subtree : saved.finished) {
              resumed_solutions += subtree.counts.solutions > 0 ? 1 : 0;
            }
          }
          if (exhaust) {
            expect_same(result, expected);
          } else {
            // Which nodes of the last iteration are met before the solution is nobody's to say.
            ASSERT_EQ(result.iterations.size(), expected.iterations.size());
            for (std::size_t k = 0; k + 1 < result.iterations.size(); ++k) {
              ASSERT_EQ(result.iterations[k].counts, expected.iterations[k].counts);
            }
            ASSERT_EQ(solution_length(*result.solution, c.metric),
                      solution_length(*expected.solution, c.metric));
          }
          if (HasFatalFailure()) return;
        }
      }
    }
  }
  EXPECT_GT(resumed_within, thinned == 1 ? all_cases() ? 50U : 20U : 2U);
  EXPECT_GT(resumed_solutions, thinned == 1 && all_cases() ? 20U : 0U);
}

TEST(Resume, AddsTheTimeOfEarlierRunsToTheirBound) {
  Random random(1);
  const Problem problem = problem_of(interrupted_cases[0], 40, random);
  IdaStarOptions options;
  options.all = true;
  options.frontier = 30;
  Memory memory;
  for (std::uint64_t pieces = 20; memory.saved.finished.empty(); pieces += 20) {
    ASSERT_LT(pieces, 4000U);
    memory.saved = {};
    RestlessExecutor executor(pieces, pieces);
    (void)search(problem, options, executor, &memory, {});
  }
  EXPECT_GT(memory.saved.bound_seconds, 0);
  const std::size_t cut = memory.saved.iterations.size();
  memory.saved.bound_seconds = 1000;
  RestlessExecutor executor(1, unstopped);
  const SearchResult result = search(problem, options, executor, nullptr, memory.saved);
  ASSERT_GT(result.iterations.size(), cut);
  for (std::size_t i = 0; i < result.iterations.size(); ++i) {
    EXPECT_EQ(result.iterations[i].seconds > 1000, i == cut) << i;
  }
  EXPECT_GE(result.earlier_seconds, 1000);
  EXPECT_LT(result.seconds, 1000);
}

// Its first bound is given up and divided, so that what is finished can be kept.
TEST(Resume, KeepsWhatIsFinishedOfALongFirstBound) {
  if (thinned > 1) GTEST_SKIP() << "millions of nodes take too long here";
  const Problem problem = long_first_bound();
  IdaStarOptions options;
  options.all = true;
  SerialExecutor serial;
  const SearchResult expected = search(problem, options, serial, nullptr);
  Memory memory;
  options.journal = &memory;
  options.journal_seconds = 1e-9;
  Limits limits;
  limits.nodes = 3 * balance.local_most;
  Observer nobody;
  const SearchResult stopped = ida_star(problem, options, serial, limits, nobody);
  EXPECT_EQ(stopped.stop, Stop::node_limit);
  EXPECT_FALSE(memory.saved.finished.empty());
  const SearchResult result = search(problem, options, serial, &memory, memory.saved);
  expect_same(result, expected);
  EXPECT_EQ(result.solution_count, expected.solution_count);
}

// When a subtree is finished, its record stands for those of the subtrees below it.
TEST(Resume, ANodeLimitCountsARecordWithinAnotherOnce) {
  if (thinned > 1) GTEST_SKIP() << "millions of nodes take too long here";
  const Problem problem = long_first_bound();
  const auto tree = make_subtree_search(problem);
  const Successor child = tree->successors(tree->node_at("")).front();
  const Successor grandchild = tree->successors(child.node).front();
  constexpr std::uint64_t claimed = 10'000'000'000;
  SavedSearch saved;
  for (const std::string& path : {child.letters + grandchild.letters, child.letters}) {
    FinishedSubtree subtree;
    subtree.path = path;
    subtree.counts.generated = claimed;
    saved.finished.push_back(subtree);
  }
  IdaStarOptions options;
  options.saved = saved;
  Limits limits;
  limits.nodes = claimed + claimed / 2;
  const SearchResult result = solve(problem, options, limits);
  EXPECT_FALSE(result.stop);
  EXPECT_TRUE(result.optimal);
}

}  // namespace
}  // namespace tessera
