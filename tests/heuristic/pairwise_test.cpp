// SPDX-License-Identifier: MIT
#include "heuristic/pairwise.hpp"

#include <gtest/gtest.h>

#include <deque>

#include "base/refusal.hpp"
#include "heuristic/tried_sizes.hpp"
#include "puzzle/all_boards.hpp"

namespace tessera {
namespace {

// Moves of two tiles that bring both to their homes and the blank to its own, by cell, cell and
// blank: the blank's walks cost nothing, step by step.
std::vector<int> oracle(Size size, int home_a, int home_b, int goal_blank) {
  const RuntimeGeometry geometry(size);
  const int n = size.cells();
  std::vector<int> moves(static_cast<std::size_t>(n * n * n), -1);
  struct State {
    int a, b, blank, moves;
  };
  std::deque<State> open{{home_a, home_b, goal_blank, 0}};
  while (!open.empty()) {
    const State state = open.front();
    open.pop_front();
    int& known = moves[static_cast<std::size_t>((state.a * n + state.b) * n + state.blank)];
    if (known >= 0) continue;
    known = state.moves;
    for (int d = 0; d < 4; ++d) {
      if (!geometry.allowed(state.blank, no_way, d)) continue;
      const int next = state.blank + geometry.offset(d);
      if (next == state.a) open.push_back({state.blank, state.b, next, state.moves + 1});
      else if (next == state.b) open.push_back({state.a, state.blank, next, state.moves + 1});
      else open.push_front({state.a, state.b, next, state.moves});
    }
  }
  return moves;
}

TEST(PairCosts, AreTheOracles) {
  for (const Size size : {Size{2, 2}, Size{3, 2}, Size{3, 3}, Size{2, 5}, Size{4, 4}}) {
    const int n = size.cells();
    for (const int goal_blank : {0, 1, n / 2, n - 1}) {
      const PairCosts costs(size, goal_blank);
      const Instance goal{Board(), goal_blank};
      for (int a = 1; a < n; ++a) {
        for (int b = 1; b < n; ++b) {
          if (a == b || (n > 9 && (a + 3 * b) % 7 != 0)) continue;
          const std::vector<int> moves = oracle(size, goal.home(a), goal.home(b), goal_blank);
          for (int i = 0; i < n * n * n; ++i) {
            const int known = moves[static_cast<std::size_t>(i)];
            if (known < 0) continue;
            const int cell_a = i / (n * n);
            const int cell_b = i / n % n;
            const int distance =
                size.distance(cell_a, goal.home(a)) + size.distance(cell_b, goal.home(b));
            const int excess = costs.excess(static_cast<unsigned>(a), static_cast<unsigned>(b),
                                            cell_a, cell_b, i % n);
            ASSERT_EQ(distance + excess, known) << to_string(size) << " tiles " << a << " " << b;
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
