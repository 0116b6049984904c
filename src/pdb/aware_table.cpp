// SPDX-License-Identifier: MIT
#include "tessera/pdb/aware_table.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <unordered_map>

#include "pdb/breadth_first.hpp"
#include "pdb/region_rows.hpp"
#include "tessera/base/error.hpp"
#include "tessera/pdb/additive_table.hpp"
#include "tessera/pdb/placement_index.hpp"

namespace tessera {
namespace {

constexpr std::uint8_t unreached = 255;

// Bits of all orders of all rows.
class StateSet {
 public:
  explicit StateSet(const RegionRows& rows)
      : words_(rows.words()), memory_(rows.rows() * words_ * sizeof(std::uint64_t)) {}
  std::uint64_t* row(std::size_t row) {
    return reinterpret_cast<std::uint64_t*>(memory_.bytes().data()) + row * words_;
  }

 private:
  std::size_t words_;
  LargeBuffer memory_;
};

// The moves of the pattern's tiles from each state, level by level.
class MoveCounts {
 public:
  explicit MoveCounts(const RegionRows& rows)
      : rows_(rows),
        moves_(rows.rows() * rows.orders()),
        level_(rows),
        next_(rows),
        met_(rows),
        active_(rows.rows()) {
    std::fill(moves_.bytes().begin(), moves_.bytes().end(), unreached);
  }

  // False where the progress ended it.
  bool count_from(std::uint32_t row, const TableProgress& progress) {
    next_.row(row)[0] = 1;  // in the goal the tiles are in order
    active_[row] = 1;
    take_level();
    // Rows write to one another: one thread, one chunk.
    return search_by_depth(1, moves_.bytes().size(), 1, progress, [&](const Depth& depth) {
      return [&](std::uint64_t) {
        std::vector<std::uint8_t> reached(rows_.rows());
        for (std::size_t r = 0; r < rows_.rows(); ++r) {
          if (active_[r] != 0) expand(r, static_cast<std::uint8_t>(depth.moves), reached);
        }
        active_.swap(reached);
        return take_level();
      };
    });
  }

  [[nodiscard]] const std::uint8_t* row(std::size_t row) const {
    return moves_.bytes().data() + row * rows_.orders();
  }

 private:
  // What is new among the states reached becomes the level; how many these are.
  std::uint64_t take_level() {
    std::uint64_t count = 0;
    for (std::size_t r = 0; r < rows_.rows(); ++r) {
      if (active_[r] == 0) continue;
      std::uint64_t* const level = level_.row(r);
      std::uint64_t* const next = next_.row(r);
      std::uint64_t* const met = met_.row(r);
      std::uint64_t some = 0;
      for (std::size_t w = 0; w < rows_.words(); ++w) {
        level[w] = next[w] & ~met[w];
        met[w] |= level[w];
        next[w] = 0;
        some |= level[w];
        count += static_cast<std::uint64_t>(std::popcount(level[w]));
      }
      active_[r] = some != 0 ? 1 : 0;
    }
    return count;
  }

  void expand(std::size_t row, std::uint8_t depth, std::vector<std::uint8_t>& reached) {
    const std::uint64_t* const level = level_.row(row);
    std::uint8_t* const moves = moves_.bytes().data() + row * rows_.orders();
    orders_.clear();
    for (std::size_t w = 0; w < rows_.words(); ++w) {
      for (std::uint64_t left = level[w]; left != 0; left &= left - 1) {
        orders_.push_back(
            static_cast<std::uint16_t>(64 * w + static_cast<std::size_t>(std::countr_zero(left))));
      }
    }
    for (const std::uint16_t order : orders_) moves[order] = depth;
    for (const RegionRows::Link& link : rows_.links(row)) {
      std::uint64_t* const next = next_.row(link.row);
      reached[link.row] = 1;
      if (link.map == 0) {
        for (std::size_t w = 0; w < rows_.words(); ++w) next[w] |= level[w];
        continue;
      }
      const std::uint16_t* const map = rows_.map(link.map).data();
      for (const std::uint16_t order : orders_) {
        next[map[order] / 64] |= std::uint64_t{1} << (map[order] % 64);
      }
    }
  }

  const RegionRows& rows_;
  LargeBuffer moves_;
  StateSet level_;
  StateSet next_;
  StateSet met_;
  std::vector<std::uint8_t> active_;  // rows with states in the level
  std::vector<std::uint16_t> orders_;
};

// Turns the move counts of rows into the table of placements.
class Coder {
 public:
  Coder(const Pattern& pattern, const RegionRows& rows, const MoveCounts& moves)
      : size_(pattern.size),
        rows_(rows),
        moves_(moves),
        index_(size_.cells(), pattern.tiles()),
        tiles_(static_cast<std::size_t>(pattern.tiles())) {
    for (CellSet left = pattern.homes; left != 0; left &= left - 1) {
      homes_.push_back(std::countr_zero(left));
    }
    // What a tile's cell is numbered less by, for the tiles before it that stand in lower cells.
    for (std::size_t o = 0; o < rows_.orders(); ++o) {
      std::uint64_t less = 0;
      for (std::size_t place = 0; place < tiles_; ++place) {
        const std::uint8_t tile = rows_.order(o)[place];
        for (std::size_t lower = 0; lower < place; ++lower) {
          if (rows_.order(o)[lower] < tile) less += index_.weight(tile);
        }
      }
      less_.push_back(less);
    }
  }

  LargeBuffer table(std::size_t most_tuples) {
    std::unordered_map<std::uint32_t, std::uint64_t> uses;
    for_each([&](std::uint64_t, const Tuple& tuple) {
      if (!tuple.uniform && tuple.exact) ++uses[tuple.excess];
    });
    std::vector<std::pair<std::uint32_t, std::uint64_t>> chosen(uses.begin(), uses.end());
    std::sort(chosen.begin(), chosen.end(), [](const auto& a, const auto& b) {
      return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    chosen.resize(std::min(chosen.size(), most_tuples));

    LargeBuffer table(AwareTable::codes_offset + static_cast<std::size_t>(index_.count()));
    std::unordered_map<std::uint32_t, std::uint8_t> codes;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      const std::size_t code = AwareTable::first_tuple + i;
      codes[chosen[i].first] = static_cast<std::uint8_t>(code);
      std::memcpy(table.bytes().data() + code * sizeof(std::uint32_t), &chosen[i].first,
                  sizeof(std::uint32_t));
    }
    std::uint8_t* const to = table.bytes().data() + AwareTable::codes_offset;
    for_each([&](std::uint64_t index, const Tuple& tuple) {
      if (tuple.uniform) {
        to[index] = static_cast<std::uint8_t>(tuple.least);
        return;
      }
      const auto found = tuple.exact ? codes.find(tuple.excess) : codes.end();
      to[index] = found != codes.end()
                      ? found->second
                      : static_cast<std::uint8_t>(AwareTable::first_inexact + tuple.least);
    });
    return table;
  }

 private:
  static constexpr std::size_t most_regions = 8;

  struct Tuple {
    std::uint32_t excess = 0;
    unsigned least = 0;
    bool uniform = true;
    bool exact = true;  // there is a nibble for each region
  };

  // Calls `use` with the index and the tuple of every placement.
  template <class Use>
  void for_each(const Use& use) {
    for (std::size_t s = 0; s < rows_.sets().size(); ++s) {
      std::array<std::array<unsigned, RegionRows::most_tiles>, RegionRows::most_tiles> distance{};
      std::array<std::array<std::uint64_t, RegionRows::most_tiles>, RegionRows::most_tiles> share{};
      std::size_t place = 0;
      for (CellSet left = rows_.sets()[s]; left != 0; left &= left - 1, ++place) {
        const int cell = std::countr_zero(left);
        for (std::size_t tile = 0; tile < tiles_; ++tile) {
          distance[place][tile] = static_cast<unsigned>(size_.distance(cell, homes_[tile]));
          share[place][tile] =
              static_cast<std::uint64_t>(cell) * index_.weight(static_cast<int>(tile));
        }
      }
      for (std::size_t o = 0; o < rows_.orders(); ++o) {
        unsigned manhattan = 0;
        std::uint64_t index = 0 - less_[o];
        for (std::size_t i = 0; i < tiles_; ++i) {
          const std::uint8_t tile = rows_.order(o)[i];
          manhattan += distance[i][tile];
          index += share[i][tile];
        }
        use(index, tuple_of(s, o, manhattan));
      }
    }
  }

  // Regions that nothing leads to, where parity forbids it, have the least excess of the others.
  [[nodiscard]] Tuple tuple_of(std::size_t set, std::size_t order, unsigned manhattan) const {
    const std::size_t begin = rows_.first_row(set);
    const std::size_t regions = rows_.first_row(set + 1) - begin;
    std::array<unsigned, Size::max_cells> excess{};
    unsigned least = unreached;
    unsigned most = 0;
    for (std::size_t r = 0; r < regions; ++r) {
      const std::uint8_t moves = moves_.row(begin + r)[order];
      excess[r] = moves == unreached ? unreached : std::min((moves - manhattan) / 2, 15U);
      least = std::min(least, excess[r]);
      if (moves != unreached) most = std::max(most, excess[r]);
    }
    if (least == unreached) return {};
    Tuple tuple{0, least, least == most, regions <= most_regions};
    for (std::size_t r = 0; r < std::min(regions, most_regions); ++r) {
      tuple.excess |= (excess[r] == unreached ? least : excess[r]) << (4 * r);
    }
    return tuple;
  }

  Size size_;
  const RegionRows& rows_;
  const MoveCounts& moves_;
  PlacementIndex index_;
  std::size_t tiles_;
  std::vector<int> homes_;
  std::vector<std::uint64_t> less_;  // by order
};

}  // namespace

TableRequest aware_request(const Pattern& pattern) {
  const std::uint64_t entries = PlacementIndex(pattern.size.cells(), pattern.tiles()).count();
  const TableKey key{.kind = TableKind::aware,
                     .size = pattern.size,
                     .homes = pattern.homes,
                     .blank = pattern.blank_region};
  const std::uint64_t bytes = AwareTable::codes_offset + entries;
  return {
      key, {entries, bytes, bytes + 3 * entries}, [pattern](int, const TableProgress& progress) {
        return build_aware_table(pattern, progress);
      }};
}

LargeBuffer build_aware_table(const Pattern& pattern, const TableProgress& progress,
                              std::size_t most_tuples) {
  (void)placements_of(pattern);
  if (pattern.tiles() > RegionRows::most_tiles) {
    bad_input("a zero-aware pattern of " + std::to_string(pattern.tiles()) +
              " tiles, expected at most " + std::to_string(RegionRows::most_tiles));
  }
  const RegionRows rows(pattern.size, pattern.tiles());
  MoveCounts moves(rows);
  const int blank = std::countr_zero(pattern.blank_region);
  if (!moves.count_from(rows.row_of(pattern.homes, blank), progress)) return {};
  return Coder(pattern, rows, moves).table(most_tuples);
}

}  // namespace tessera
