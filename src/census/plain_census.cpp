// SPDX-License-Identifier: MIT
#include <set>
#include <utility>

#include "base/clock.hpp"
#include "census/census_frame.hpp"
#include "census/state_layout.hpp"
#include "puzzle/goal.hpp"

namespace tessera {

bool is_plain_census(Size size) {
  return size.width == 1 || size.height == 1 || size.cells() < StateLayout::least_cells;
}

CensusResult plain_census(const CensusTask& task, CensusObserver& observer) {
  const Stopwatch watch;
  Stopwatch level_watch;
  CensusResult result;
  std::vector<Board> level{ordered_board(task.size, task.goal_blank)};
  std::set<std::vector<int>> seen{level[0].tiles()};
  result.widths = {1};
  result.level_seconds.resize(1);
  while (!task.last_depth || static_cast<int>(result.widths.size()) <= *task.last_depth) {
    std::vector<Board> next;
    for (const Board& board : level) {
      for (const Direction way : all_directions) {
        Board moved = board;
        while (moved.neighbor(way)) {
          moved.move(way);
          if (seen.insert(moved.tiles()).second) next.push_back(moved);
          if (task.metric == Metric::single) break;
        }
      }
    }
    if (next.empty()) {
      result.complete = true;
      break;
    }
    result.widths.push_back(next.size());
    result.level_seconds.push_back(level_watch.lap());
    observer.level_finished(static_cast<int>(result.widths.size()) - 1, next.size());
    level = std::move(next);
  }
  for (const std::uint64_t number : picked_numbers(task, level.size())) {
    result.picked.push_back(level[static_cast<std::size_t>(number)]);
  }
  result.seconds = watch.seconds();
  return result;
}

}  // namespace tessera
