// SPDX-License-Identifier: MIT
#include "pdb/fringe_table.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "pdb/placement_rows.hpp"

namespace tessera {
namespace {

LargeBuffer build_fringe_table(Size size, int goal_blank, int threads,
                               const TableProgress& progress) {
  const PlacementIndex index = fringe_index(size);
  const PlacementRows rows(size, index);
  LargeBuffer table(index.count());
  std::ranges::fill(table.bytes(), unreached);
  const bool whole =
      rows.search(fringe_homes(size, goal_blank), goal_blank, threads, progress,
                  [&](const PlacementRows::Found& found) {
                    const std::size_t blank = found.row - rows.first_row(found.set);
                    rows.for_each(found.set, found.states, [&](std::size_t, auto, auto first) {
                      table.bytes()[first + blank] = static_cast<std::uint8_t>(found.moves);
                    });
                  });
  return whole ? std::move(table) : LargeBuffer();
}

}  // namespace

CellSet fringe_homes(Size size, int goal_blank) {
  const int row = 2 * size.row(goal_blank) < size.height ? size.height - 1 : 0;
  const int column = 2 * size.column(goal_blank) < size.width ? size.width - 1 : 0;
  CellSet homes = 0;
  for (int cell = 0; cell < size.cells(); ++cell) {
    if (size.row(cell) == row || size.column(cell) == column) homes |= cell_bit(cell);
  }
  return homes;
}

PlacementIndex fringe_index(Size size) {
  constexpr std::uint64_t most = 600'000'000;
  constexpr std::uint64_t countless = std::uint64_t{1} << 58;
  const int tiles = size.width + size.height - 1;
  std::uint64_t entries = 1;
  for (int item = 0; item <= tiles && entries < countless; ++item) {
    entries *= static_cast<std::uint64_t>(size.cells() - item);
  }
  if (entries <= most) return {size.cells(), tiles, true};
  const std::string needed = entries >= countless ? "over 2^58 bytes"
                             : entries >= std::uint64_t{1} << 30
                                 ? std::to_string(entries >> 30) + " GiB"
                                 : std::to_string(entries >> 20) + " MiB";
  out_of_resources("the fringe table of " + to_string(size) + " needs " + needed +
                   ", expected 4x4, 5x3, 6x2 or smaller");
}

TableRequest fringe_request(Size size, int goal_blank) {
  const std::uint64_t entries = fringe_index(size).count();
  return {{TableKind::fringe, size, Metric::single, fringe_homes(size, goal_blank),
           cell_bit(goal_blank)},
          {entries, entries, entries + entries / 4},
          std::bind_front(build_fringe_table, size, goal_blank)};
}

}  // namespace tessera
