// SPDX-License-Identifier: MIT
#include "heuristic/placement_steps.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "pdb/fringe_table.hpp"
#include "puzzle/goal.hpp"
#include "puzzle/position.hpp"
#include "puzzle/random_board.hpp"

namespace tessera {
namespace {

// With the blank as the last item; tests of heuristics with tables take the patterns alone.
TEST(PlacementSteps, TheIndexFollowsEachMove) {
  Random random(5);
  for (const Size size : {Size{4, 4}, Size{5, 3}, Size{3, 5}, Size{6, 2}, Size{2, 6}, Size{3, 3}}) {
    for (const int goal_blank : {0, 1, size.cells() / 2, size.cells() - 1}) {
      const Board goal = ordered_board(size, goal_blank);
      const Instance instance = make_instance(random_board(goal, random), goal);
      const PlacementIndex index = fringe_index(size);
      const PlacementSteps steps(instance, symmetries(size).front(), fringe_homes(size, goal_blank),
                                 index);
      Board board = instance.start;
      for (int step = 0; step < 500; ++step) {
        const Direction d = all_directions.at(random.below(4));
        const auto next = board.neighbor(d);
        if (!next) continue;
        const auto label = static_cast<unsigned>(board.tile(*next));
        const std::uint32_t after =
            steps.stepped<5>(steps.index_of(cells_by_label(board)), NibblePosition(board), label,
                             board.blank(), static_cast<int>(d));
        board.move(d);
        ASSERT_EQ(after, steps.index_of(cells_by_label(board))) << to_string(size);
        ASSERT_LT(after, index.count());
      }
    }
  }
}

}  // namespace
}  // namespace tessera
