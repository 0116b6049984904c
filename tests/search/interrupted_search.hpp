// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/temporary_folder.hpp"
#include "heuristic/registry.hpp"
#include "puzzle/goal.hpp"
#include "puzzle/random_board.hpp"
#include "restless_executor.hpp"
#include "search/tree/ida_star.hpp"

namespace tessera {

/// What is interrupted and resumed.
struct InterruptedCase {
  Size size;
  std::string heuristic;
  Metric metric = Metric::single;
};

inline const std::vector<InterruptedCase> interrupted_cases{{{4, 4}, "manhattan"},
                                                            {{4, 4}, "pdb:3-3-3-3-3"},
                                                            {{3, 3}, "misplaced"},
                                                            {{4, 3}, "lines", Metric::multi}};

inline Problem problem_of(const InterruptedCase& c, int moves, Random& random) {
  static const TemporaryFolder tables;
  const Board goal = Goal().board(c.size);
  Problem problem{make_instance(scrambled(goal, moves, random), goal), c.heuristic};
  if (c.metric == Metric::single) {
    problem.heuristic = to_string(resolve_heuristic(c.heuristic, goal));
  }
  problem.metric = c.metric;
  problem.table_directory = tables.text();
  return problem;
}

/// As many pieces of a RestlessExecutor as it takes.
inline constexpr std::uint64_t unstopped = ~std::uint64_t{0};

inline SearchResult search(const Problem& problem, IdaStarOptions options,
                           SubtreeExecutor& executor, SearchJournal* journal,
                           const SavedSearch& saved = {}) {
  Observer nobody;
  options.journal = journal;
  options.journal_seconds = 1e-9;
  options.saved = saved;
  return ida_star(problem, options, executor, {}, nobody);
}

inline void expect_same(const SearchResult& result, const SearchResult& expected) {
  ASSERT_EQ(result.iterations.size(), expected.iterations.size());
  for (std::size_t i = 0; i < result.iterations.size(); ++i) {
    ASSERT_EQ(result.iterations[i].bound, expected.iterations[i].bound);
    ASSERT_EQ(result.iterations[i].counts, expected.iterations[i].counts)
        << "bound " << expected.iterations[i].bound;
  }
  EXPECT_EQ(result.counts, expected.counts);
  EXPECT_EQ(result.solution, expected.solution);
  EXPECT_EQ(result.solution_count, expected.solution_count);
  EXPECT_EQ(result.optimal, expected.optimal);
}

}  // namespace tessera
