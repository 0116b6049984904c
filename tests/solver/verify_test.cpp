// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "puzzle/goal.hpp"
#include "solver/plan.hpp"

namespace tessera {
namespace {

constexpr auto two_moves_away = "1 2 3 4 5 6 0 7 8";

std::optional<int> verified(SearchResult& found, bool from_goal = false,
                            Metric metric = Metric::single) {
  Plan plan;
  plan.heuristic.from_goal = from_goal;
  const Board start = parse_board(two_moves_away, {});
  return verify(found, plan, start, Goal().board(start.size()), metric);
}

SearchResult with(std::string solution, std::vector<std::string> listed = {}) {
  SearchResult found;
  found.solution = std::move(solution);
  if (!listed.empty()) found.list.emplace().solutions = std::move(listed);
  return found;
}

TEST(Verify, GivesTheLengthInTheMetric) {
  SearchResult found = with("LL", {"LL"});
  EXPECT_EQ(verified(found), 2);
  EXPECT_EQ(verified(found, false, Metric::multi), 1);
  SearchResult none;
  EXPECT_EQ(verified(none), std::nullopt);
}

TEST(Verify, TurnsSolutionsOfSearchesFromTheGoal) {
  SearchResult found = with("RR");
  EXPECT_EQ(verified(found, true), 2);
  EXPECT_EQ(found.solution, "LL");
}

TEST(Verify, RefusesSolutionsThatAreWrong) {
  for (SearchResult found :
       {with("L"), with("LLL"), with("RR"), with("LL", {"LL", "L"}), with("LL", {"LLRL"})}) {
    EXPECT_THROW((void)verified(found), Error) << *found.solution;
  }
}

}  // namespace
}  // namespace tessera
