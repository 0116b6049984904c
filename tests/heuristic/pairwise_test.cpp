// SPDX-License-Identifier: MIT
#include "heuristic/pairwise.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "base/refusal.hpp"
#include "heuristic/tried_sizes.hpp"
#include "pdb/table_oracle.hpp"
#include "puzzle/all_boards.hpp"

namespace tessera {
namespace {

TEST(PairCosts, AreTheOracles) {
  for (const Size size : {Size{2, 2}, Size{3, 2}, Size{3, 3}, Size{2, 5}, Size{4, 4}}) {
    const int n = size.cells();
    for (const int goal_blank : {0, 1, n / 2, n - 1}) {
      const PairCosts costs(size, goal_blank);
      const Instance goal{Board(), goal_blank};
      for (int a = 1; a < n; ++a) {
        for (int b = 1; b < n; ++b) {
          if (a == b || (n > 9 && (a + 3 * b) % 7 != 0)) continue;
          const CellSet homes = CellSet{1} << goal.home(a) | CellSet{1} << goal.home(b);
          const TableOracle oracle(size, homes, goal_blank);
          for (int i = 0; i < n * n * n; ++i) {
            const int cell_a = i / (n * n);
            const int cell_b = i / n % n;
            std::vector<int> cells{cell_a, cell_b};
            if (goal.home(a) > goal.home(b)) std::swap(cells[0], cells[1]);
            const std::optional<int> known = oracle.excess(cells, i % n);
            if (!known) continue;
            const int excess = costs.excess(static_cast<unsigned>(a), static_cast<unsigned>(b),
                                            cell_a, cell_b, i % n);
            ASSERT_EQ(excess, 2 * *known) << to_string(size) << " tiles " << a << " " << b;
            if (excess > 0) {
              ASSERT_NE(costs.rivals(static_cast<unsigned>(a), cell_a) >> cell_b & 1, 0U);
            }
          }
        }
      }
    }
  }
}

TEST(Pairwise, FindsConflictsAndTheBlanksCorner) {
  const Board goal = Goal(Goal::Kind::last).board({4, 4});
  const auto h = [&](const char* board) {
    const Instance instance = make_instance(parse_board(board, {}), goal);
    return Pairwise(instance).evaluate(instance.start);
  };
  EXPECT_EQ(h("1 2 3 4  5 6 7 8  9 10 11 12  13 14 15 0"), 0);
  EXPECT_EQ(h("1 2 3 4  5 6 7 8  9 10 11 12  13 14 0 15"), 1);
  // Distances 4, no conflict; two moves more, since 12 and 15 at home shut the blank out.
  EXPECT_EQ(h("1 2 3 4  5 6 7 8  9 14 11 12  13 15 10 0"), 6);
  // Two pairs of neighbors in conflict.
  EXPECT_EQ(h("2 1 3 4  5 6 7 8  9 10 11 12  13 15 14 0"), 8);
}

TEST(Pairwise, RefusesLongLines) {
  EXPECT_TRUE(is_tried("pairwise", {8, 8}));
  const Error error = refused([] { return resolve_heuristic("pairwise", Goal().board({2, 12})); });
  EXPECT_EQ(error.kind(), ErrorKind::input);
  EXPECT_STREQ(error.what(), "heuristic pairwise takes sides of up to 8 cells, not 2x12");
}

}  // namespace
}  // namespace tessera
