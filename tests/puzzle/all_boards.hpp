// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "puzzle/board.hpp"
#include "puzzle/goal.hpp"
#include "puzzle/ranking.hpp"

namespace tessera {

/// The truth that everything else is held against: the distance of every board of a small size from
/// a goal by plain breadth-first search. By rank; -1 where no moves lead there.
inline std::vector<int> distances_from(const Board& goal) {
  std::vector<int> distance(arrangements(goal.size()), -1);
  std::vector<Board> level{goal};
  distance[rank(goal)] = 0;
  for (int depth = 1; !level.empty(); ++depth) {
    std::vector<Board> next;
    for (const Board& board : level) {
      for (const Direction d : all_directions) {
        if (!board.neighbor(d)) continue;
        const Board child = board.moved(d);
        int& known = distance[rank(child)];
        if (known >= 0) continue;
        known = depth;
        next.push_back(child);
      }
    }
    level = std::move(next);
  }
  return distance;
}

/// Goals with the blank in a corner, on an edge and inside, some with tiles out of order.
inline std::vector<Board> varied_goals(Size size) {
  std::vector<Board> goals{Goal(Goal::Kind::last).board(size), Goal(Goal::Kind::first).board(size)};
  for (const int moves : {1, 5}) {
    Board goal = goals[1];
    for (int i = 0; i < moves; ++i) {
      goal.move(goal.neighbor(Direction::right) && i % 2 == 0 ? Direction::right
                : goal.neighbor(Direction::down)              ? Direction::down
                : goal.neighbor(Direction::left)              ? Direction::left
                                                              : Direction::up);
    }
    goals.push_back(goal);
  }
  return goals;
}

}  // namespace tessera
