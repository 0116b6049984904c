// SPDX-License-Identifier: MIT
#include "pdb/line_colors.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "pdb/regions.hpp"
#include "puzzle/direction.hpp"

namespace tessera {
namespace {

using Colors = std::array<std::uint8_t, max_line_cells>;

// Colors are relative to the goal's blank: a goal and the same goal upside down have the same ones.
bool is_turned(const LineTableKey& key) {
  return 2 * key.goal_blank >= key.size.cells();
}

// All cells, those of a lower rank first.
template <class Rank>
std::vector<int> ordered_cells(Size size, const Rank& rank) {
  std::vector<int> cells(static_cast<std::size_t>(size.cells()));
  std::iota(cells.begin(), cells.end(), 0);
  std::ranges::stable_sort(cells, {}, rank);
  return cells;
}

std::vector<int> quarter_order(Size size) {
  return ordered_cells(size, [&](int cell) {
    return 2 * (2 * size.row(cell) / size.height) + 2 * size.column(cell) / size.width;
  });
}

// Rings from the edge to the middle, clockwise; the first starts below the corner, so that only one
// arc has two corners.
std::vector<int> spiral_order(Size size) {
  constexpr std::array clockwise{Direction::right, Direction::down, Direction::left, Direction::up};
  std::vector<int> cells{0};
  CellSet left = Regions(size).all() & ~cell_bit(0);
  for (std::size_t turns = 0; left != 0;) {
    const auto direction = static_cast<int>(clockwise[turns % clockwise.size()]);
    const int next = cells.back() + size.offset(direction);
    if (size.has_neighbor(cells.back(), direction) && (left & cell_bit(next)) != 0) {
      cells.push_back(next);
      left &= ~cell_bit(next);
    } else {
      ++turns;
    }
  }
  const auto rim_end = cells.begin() + 2 * (size.width + size.height) - 4;
  std::rotate(cells.begin(), rim_end - 1, rim_end);
  return cells;
}

// Four parts of an order. Colors are sorted by their number of tiles, so that one index serves as
// many colorings of a board as possible.
Colors four_colors(const LineTableKey& key) {
  const int cells = key.size.cells();
  const std::vector<int> order =
      key.coloring == LineColoring::quarters ? quarter_order(key.size) : spiral_order(key.size);
  const bool turned = is_turned(key);
  Colors colors{};
  std::array<int, 4> counts{};
  for (int i = 0; i < cells; ++i) {
    const int cell = order[static_cast<std::size_t>(i)];
    const int home = turned ? cells - 1 - cell : cell;
    const int color = 4 * i / cells;
    colors[static_cast<std::size_t>(home)] = static_cast<std::uint8_t>(color);
    if (home != key.goal_blank) ++counts[static_cast<std::size_t>(color)];
  }
  std::array<std::size_t, 4> by_count{0, 1, 2, 3};
  std::ranges::stable_sort(by_count, {}, [&](std::size_t kind) { return counts[kind]; });
  std::array<std::uint8_t, 4> names{};
  for (std::size_t i = 0; i < names.size(); ++i) names[by_count[i]] = static_cast<std::uint8_t>(i);
  for (std::uint8_t& color : colors) color = names[color];
  return colors;
}

// The blocks grow from their corners, one tile each, to half of the board's height and width, while
// the table has at most this many entries.
constexpr std::uint64_t most_entries = 260'000'000;

std::uint64_t choices(int from, int count) {
  std::uint64_t result = 1;
  for (int i = 0; i < count; ++i) {
    result = result * static_cast<std::uint64_t>(from - i) / static_cast<std::uint64_t>(i + 1);
  }
  return result;
}

Colors three_colors(const LineTableKey& key) {
  const Size size = key.size;
  const auto from_side = [&](int cell) {
    const int column = size.column(cell);
    return key.coloring == LineColoring::left ? column : size.width - 1 - column;
  };
  // Cells from the upper corner and from the lower one.
  std::array<std::vector<int>, 2> blocks;
  for (int cell = 0; cell < size.cells(); ++cell) {
    if (cell == key.goal_blank || from_side(cell) >= (size.width + 1) / 2) continue;
    blocks[size.row(cell) < (size.height + 1) / 2 ? 0 : 1].push_back(cell);
  }
  const auto from_corner = [&](int cell) {
    const int row = size.row(cell);
    return std::max(std::min(row, size.height - 1 - row), from_side(cell));
  };
  for (std::vector<int>& block : blocks) std::ranges::stable_sort(block, {}, from_corner);

  Colors colors{};
  std::array<int, 2> counts{};
  for (bool grown = true; grown;) {
    grown = false;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const int tiles = size.cells() - 1;
      std::array<int, 2> more = counts;
      ++more[b];
      const auto next = static_cast<std::size_t>(counts[b]);
      if (next == blocks[b].size() || choices(tiles, more[0]) * choices(tiles - more[0], more[1]) *
                                              static_cast<std::uint64_t>(size.height) >
                                          most_entries) {
        continue;
      }
      colors[static_cast<std::size_t>(blocks[b][next])] = static_cast<std::uint8_t>(b + 1);
      counts = more;
      grown = true;
    }
  }
  return colors;
}

Colors two_colors(const LineTableKey& key, const TwoColorShape& shape) {
  const Size size = key.size;
  const auto rank = [&](int cell) {
    const int row = size.row(cell);
    const int column = size.column(cell);
    switch (shape.order) {
      case CellOrder::rows:
        return row;
      case CellOrder::columns:
        return column;
      case CellOrder::diagonals:
        return row + column;
      case CellOrder::falling:
        return row + size.width - 1 - column;
    }
    return 0;
  };
  const bool from_below = is_turned(key) != shape.last;
  Colors colors{};
  int left = shape.tiles;
  for (const int cell : ordered_cells(size, rank)) {
    const int home = from_below ? size.cells() - 1 - cell : cell;
    if (home == key.goal_blank) continue;
    if (left-- <= 0) break;
    colors[static_cast<std::size_t>(home)] = 1;
  }
  return colors;
}

// The most for which a table has no more than this many entries, at most half of the tiles.
int side_tiles(Size size) {
  constexpr std::uint64_t most_side_entries = 12'000'000;
  const int tiles = size.cells() - 1;
  int count = 1;
  while (2 * (count + 1) <= tiles &&
         choices(tiles, count + 1) * static_cast<std::uint64_t>(size.height) <= most_side_entries) {
    ++count;
  }
  return count;
}

}  // namespace

std::optional<TwoColorShape> two_color_shape(LineColoring coloring, Size size) {
  const auto number_from = [&](LineColoring first) {
    return static_cast<std::size_t>(coloring) - static_cast<std::size_t>(first);
  };
  if (const auto side = number_from(LineColoring::first_side); side < side_colorings) {
    return TwoColorShape{static_cast<CellOrder>(side / 2), side_tiles(size), side % 2 == 1};
  }
  if (const auto half = number_from(LineColoring::first_half); half < half_shapes.size()) {
    const auto [order, tiles, last] = half_shapes[half];
    return TwoColorShape{order, (tiles * (size.cells() - 1) + 12) / 24, last};
  }
  return {};
}

LineTableKey line_table_key(Size size, int goal_blank, LineAxis axis, LineColoring coloring) {
  if (axis == LineAxis::vertical) return {size, goal_blank, coloring};
  return {size.transposed(), size.transposed(goal_blank), coloring};
}

Colors line_colors(const LineTableKey& key) {
  if (const auto shape = two_color_shape(key.coloring, key.size)) return two_colors(key, *shape);
  return key.coloring >= LineColoring::left ? three_colors(key) : four_colors(key);
}

}  // namespace tessera
