// SPDX-License-Identifier: MIT
#include "pdb/pattern_table.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <unordered_map>
#include <vector>

#include "base/error.hpp"
#include "pdb/placement_rows.hpp"

namespace tessera {
namespace {

PlacementIndex index_of(const Pattern& pattern) {
  return {pattern.size.cells(), pattern.tiles()};
}

// Throws Error(resource) for 2^32 placements or more.
std::uint64_t entries_of(const Pattern& pattern) {
  constexpr std::uint64_t most = std::uint64_t{1} << 32;
  const std::uint64_t count = index_of(pattern).count();
  if (count < most) return count;
  out_of_resources("a pattern of " + std::to_string(pattern.tiles()) + " tiles on " +
                   to_string(pattern.size) + " has " + std::to_string(count) +
                   " placements, expected fewer than 2^32");
}

TableKey key_of(TableKind kind, const Pattern& pattern) {
  return {kind, pattern.size, Metric::single, pattern.homes, pattern.blank_region};
}

// Computes the excess of the moves of a pattern's tiles over their Manhattan distance.
class ExcessSearch {
 public:
  explicit ExcessSearch(const Pattern& pattern)
      : pattern_(pattern), rows_(pattern.size, index_of(pattern)) {
    for (const int home : cells_of(pattern.homes)) {
      auto& distances = distances_.emplace_back();
      for (int cell = 0; cell < pattern.size.cells(); ++cell) {
        distances[static_cast<std::size_t>(cell)] = pattern.size.distance(cell, home);
      }
    }
  }

  [[nodiscard]] const PlacementRows& rows() const { return rows_; }

  [[nodiscard]] bool run(int threads, const TableProgress& progress,
                         const std::function<void(const PlacementRows::Found&)>& use) const {
    const int blank = std::countr_zero(pattern_.blank_region);
    return rows_.search(pattern_.homes, blank, threads, progress, use);
  }

  // Half of it, at most 15, for tiles in these cells.
  [[nodiscard]] std::uint8_t excess(std::span<const int> cells, int moves) const {
    for (std::size_t tile = 0; tile < cells.size(); ++tile) {
      moves -= distances_[tile][static_cast<std::size_t>(cells[tile])];
    }
    return static_cast<std::uint8_t>(std::min(moves / 2, 15));
  }

 private:
  Pattern pattern_;
  PlacementRows rows_;
  std::vector<std::array<int, Size::max_cells>> distances_;  // by tile and cell
};

// The excesses of a placement by region of the blank.
struct Tuple {
  static constexpr std::size_t most_regions = 8;

  // Regions that parity makes unreachable get the least excess of the others.
  explicit Tuple(std::span<const std::uint8_t> excess) : exact(excess.size() <= most_regions) {
    least = std::ranges::min(excess);
    if (least == unreached) {
      least = 0;
      return;
    }
    for (std::size_t r = 0; r < excess.size(); ++r) {
      const std::uint8_t known = excess[r] == unreached ? least : excess[r];
      if (known != least) uniform = false;
      if (r < most_regions) nibbles |= std::uint32_t{known} << (4 * r);
    }
  }

  std::uint32_t nibbles = 0;
  std::uint8_t least;
  bool uniform = true;
  bool exact;  // every region has a nibble
};

LargeBuffer build_additive_table(const Pattern& pattern, int threads,
                                 const TableProgress& progress) {
  const std::uint64_t entries = entries_of(pattern);
  const ExcessSearch search(pattern);
  const PlacementRows& rows = search.rows();
  LargeBuffer bytes(entries);
  std::vector<std::uint64_t> known(rows.sets() * rows.words());  // reached in any region
  const bool whole = search.run(threads, progress, [&](const PlacementRows::Found& found) {
    std::vector<std::uint64_t> fresh(found.states.begin(), found.states.end());
    for (std::size_t word = 0; word < fresh.size(); ++word) {
      std::uint64_t& before = known[found.set * rows.words() + word];
      fresh[word] &= ~before;
      before |= fresh[word];
    }
    rows.for_each(found.set, fresh, [&](std::size_t, auto cells, std::uint64_t index) {
      bytes.bytes()[index] = search.excess(cells, found.moves);
    });
  });
  if (!whole) return {};
  LargeBuffer table((entries + 1) / 2);
  for (std::uint64_t i = 0; i < entries; ++i) {
    table.bytes()[i / 2] |= static_cast<std::uint8_t>(bytes.bytes()[i] << (4 * (i % 2)));
  }
  return table;
}

std::uint64_t orders_of(const Pattern& pattern) {
  std::uint64_t orders = 1;
  for (int tile = 2; tile <= pattern.tiles(); ++tile) orders *= static_cast<std::uint64_t>(tile);
  return orders;
}

// Of the rows in which placements are searched, by their sets of cells.
std::uint64_t row_bytes(const Pattern& pattern) {
  return entries_of(pattern) / orders_of(pattern) * PlacementRows::bytes_per_set(pattern.tiles());
}

}  // namespace

TableRequest additive_request(const Pattern& pattern) {
  const std::uint64_t entries = entries_of(pattern);
  // One byte per entry and two bits per state; with eleven tiles the orders take more than these.
  const std::uint64_t search_bytes =
      row_bytes(pattern) +
      std::max(2 * entries,
               entries + entries / 4 + orders_of(pattern) * PlacementRows::bytes_per_order);
  return {key_of(TableKind::additive, pattern),
          {entries, (entries + 1) / 2, (entries + 1) / 2 + search_bytes},
          std::bind_front(build_additive_table, pattern)};
}

LargeBuffer build_aware_table(const Pattern& pattern, int threads, const TableProgress& progress,
                              std::size_t most_tuples) {
  const std::uint64_t entries = entries_of(pattern);
  const ExcessSearch search(pattern);
  const PlacementRows& rows = search.rows();
  // By set, order and region.
  LargeBuffer excess(rows.rows() * rows.orders());
  std::ranges::fill(excess.bytes(), unreached);
  const auto excesses_of = [&](std::size_t set, std::size_t order) {
    const std::size_t regions = rows.first_row(set + 1) - rows.first_row(set);
    return excess.bytes().subspan(rows.first_row(set) * rows.orders() + order * regions, regions);
  };
  const bool whole = search.run(threads, progress, [&](const PlacementRows::Found& found) {
    rows.for_each(found.set, found.states, [&](std::size_t order, auto cells, std::uint64_t) {
      excesses_of(found.set, order)[found.row - rows.first_row(found.set)] =
          search.excess(cells, found.moves);
    });
  });
  if (!whole) return {};

  std::unordered_map<std::uint32_t, std::uint64_t> uses;
  for (std::size_t set = 0; set < rows.sets(); ++set) {
    for (std::size_t order = 0; order < rows.orders(); ++order) {
      const Tuple tuple(excesses_of(set, order));
      if (!tuple.uniform && tuple.exact) ++uses[tuple.nibbles];
    }
  }
  std::vector<std::pair<std::uint32_t, std::uint64_t>> chosen(uses.begin(), uses.end());
  std::ranges::sort(chosen, [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  chosen.resize(std::min(chosen.size(), most_tuples));

  LargeBuffer table(AwareTable::codes_offset + entries);
  std::unordered_map<std::uint32_t, std::uint8_t> codes;
  for (const auto& [nibbles, count] : chosen) {
    const std::size_t code = AwareTable::first_tuple + codes.size();
    codes[nibbles] = static_cast<std::uint8_t>(code);
    std::memcpy(&table.bytes()[code * sizeof nibbles], &nibbles, sizeof nibbles);
  }
  for (std::size_t set = 0; set < rows.sets(); ++set) {
    rows.for_each(set, rows.all(), [&](std::size_t order, auto, std::uint64_t index) {
      const Tuple tuple(excesses_of(set, order));
      std::uint8_t& code = table.bytes()[AwareTable::codes_offset + index];
      code = tuple.least;
      if (tuple.uniform) return;
      const auto chosen_code = tuple.exact ? codes.find(tuple.nibbles) : codes.end();
      if (chosen_code != codes.end()) code = chosen_code->second;
      else code = static_cast<std::uint8_t>(AwareTable::first_inexact + tuple.least);
    });
  }
  return table;
}

TableRequest aware_request(const Pattern& pattern) {
  const std::uint64_t entries = entries_of(pattern);
  if (pattern.tiles() > AwareTable::most_tiles) {
    bad_input("a zero-aware pattern of " + std::to_string(pattern.tiles()) +
              " tiles, expected at most " + std::to_string(AwareTable::most_tiles));
  }
  const std::uint64_t bytes = AwareTable::codes_offset + entries;
  return {key_of(TableKind::aware, pattern),
          {entries, bytes, bytes + 3 * entries + row_bytes(pattern)},
          [pattern](int threads, const TableProgress& progress) {
            return build_aware_table(pattern, threads, progress);
          }};
}

}  // namespace tessera
