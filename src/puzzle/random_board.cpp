// SPDX-License-Identifier: MIT
#include "puzzle/random_board.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "puzzle/goal.hpp"

namespace tessera {

Board random_board(const Board& goal, Random& random) {
  std::vector<std::int64_t> tiles(static_cast<std::size_t>(goal.size().cells()));
  std::iota(tiles.begin(), tiles.end(), 0);
  for (std::size_t i = tiles.size(); i > 1; --i) {  // Fisher and Yates
    std::swap(tiles[i - 1], tiles[random.below(i)]);
  }
  // Swapping two tiles maps the unsolvable half one to one onto the solvable half.
  if (!solvable(Board(goal.size(), tiles), goal)) {
    std::swap(*std::ranges::find(tiles, 1), *std::ranges::find(tiles, 2));
  }
  return Board(goal.size(), tiles);
}

Board scrambled(const Board& goal, int moves, Random& random, Metric metric) {
  const bool is_multi = metric == Metric::multi;
  Board board = goal;
  std::optional<Direction> last;
  for (int i = 0; i < moves; ++i) {
    std::vector<Direction> open;
    for (const Direction d : all_directions) {
      const bool is_again = last && (d == opposite(*last) || (is_multi && d == *last));
      if (board.neighbor(d) && !is_again) open.push_back(d);
    }
    last = open[random.below(open.size())];
    board.move(*last);
    if (!is_multi) continue;
    Board end = board;
    int more = 0;  // tiles of the line that can move, too
    for (; end.neighbor(*last); ++more) end.move(*last);
    for (auto left = random.below(static_cast<std::uint64_t>(more) + 1); left > 0; --left) {
      board.move(*last);
    }
  }
  return board;
}

}  // namespace tessera
