// SPDX-License-Identifier: MIT
#include "tessera/pdb/fringe_table.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "pdb/placement_rows.hpp"
#include "tessera/base/error.hpp"

namespace tessera {
namespace {

PlacementIndex fringe_index(Size size) {
  FringePattern::require(size);
  return {size.cells(), size.width + size.height - 1, true};
}

}  // namespace

void FringePattern::require(Size size) {
  const std::uint64_t needed = entries(size);
  if (needed <= max_entries) return;
  const std::uint64_t gib = needed >> 30;
  throw Error(ErrorKind::resource,
              "the fringe table of " + to_string(size) + " needs " +
                  (gib < 1U << 28 ? std::to_string(gib) + " GiB" : "over 2^58 bytes") +
                  ", expected 4x4, 5x3, 6x2 or smaller");
}

FringePattern::FringePattern(Size size, int goal_blank) : index_(fringe_index(size)) {
  const int row = 2 * size.row(goal_blank) < size.height ? size.height - 1 : 0;
  const int column = 2 * size.column(goal_blank) < size.width ? size.width - 1 : 0;
  for (int cell = 0; cell < size.cells(); ++cell) {
    if (size.row(cell) == row || size.column(cell) == column) homes_ |= cell_bit(cell);
  }
  const int blank = tiles();
  const auto of = [&](int item) -> Growth& { return growth_[static_cast<std::size_t>(item)]; };
  const auto passing = [&](int item, int passed) -> std::int64_t& {
    return of(item).passing[static_cast<std::size_t>(passed)];
  };
  for (int item = 0; item <= blank; ++item) {
    of(item).cell = static_cast<std::int64_t>(index_.weight(item));
    for (int passed = 0; passed < blank; ++passed) {
      passing(item, passed) = static_cast<std::int64_t>(index_.passing(item, passed));
    }
    // The blank, which takes the tile's cell, goes down one place for each free cell.
    passing(item, other()) = item < blank ? -1 : 0;
  }
  // A tile of no pattern only moves the blank, the other way.
  of(other()).cell = -of(blank).cell;
  for (int passed = 0; passed < blank; ++passed) passing(other(), passed) = -passing(blank, passed);
}

std::uint64_t FringePattern::entries(Size size) {
  std::uint64_t count = 1;
  for (int item = 0; item < size.width + size.height && count < 1ULL << 58; ++item) {
    count *= static_cast<std::uint64_t>(size.cells() - item);
  }
  return count;
}

int FringePattern::item_at_home(int cell) const {
  if ((homes_ & cell_bit(cell)) == 0) return other();
  return std::popcount(homes_ & (cell_bit(cell) - 1));
}

std::uint64_t FringePattern::index(std::span<const int> items) const {
  std::array<int, PlacementIndex::max_tiles> cells{};
  for (std::size_t cell = 0; cell < items.size(); ++cell) {
    if (items[cell] != other())
      cells[static_cast<std::size_t>(items[cell])] = static_cast<int>(cell);
  }
  return index_.rank(std::span(cells).first(static_cast<std::size_t>(index_.tiles())));
}

LargeBuffer build_fringe_table(Size size, int goal_blank, int threads,
                               const TableProgress& progress) {
  const FringePattern pattern(size, goal_blank);
  const PlacementRows rows(size, pattern.placements(), BlankPlace::cell);
  LargeBuffer table(pattern.entries());
  std::ranges::fill(table.bytes(), fringe_unreached);
  const bool whole = rows.search(
      pattern.homes(), goal_blank, threads, progress, [&](const PlacementRows::Found& found) {
        const std::size_t blank = found.row - rows.first_row(found.set);
        rows.for_each(found.set, found.states, [&](std::size_t, auto, std::uint64_t index) {
          table.bytes()[index + blank] = static_cast<std::uint8_t>(found.moves);
        });
      });
  return whole ? std::move(table) : LargeBuffer();
}

TableRequest fringe_request(Size size, int goal_blank) {
  const FringePattern pattern(size, goal_blank);
  const TableKey key{TableKind::fringe, size, Metric::single, pattern.homes(),
                     cell_bit(goal_blank)};
  const std::uint64_t entries = pattern.entries();
  return {key,
          {entries, entries, entries + entries / 4},
          [size, goal_blank](int threads, const TableProgress& progress) {
            return build_fringe_table(size, goal_blank, threads, progress);
          }};
}

}  // namespace tessera
