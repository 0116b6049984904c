// SPDX-License-Identifier: MIT
#include "tessera/pdb/fringe_table.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "pdb/breadth_first.hpp"
#include "tessera/base/error.hpp"
#include "tessera/base/memory.hpp"
#include "tessera/puzzle/geometry.hpp"

namespace tessera {
namespace {

PlacementIndex fringe_index(Size size) {
  FringePattern::require(size);
  return {size.cells(), size.width + size.height - 1, true};
}

// A level of the search visits the entries of one depth and marks their unmarked neighbors with
// the next. Which entries are due is kept in bits as well: passing over a bit is so much cheaper
// than over a byte that other threads may be writing. Threads may meet at a neighbor; both then
// write the same.
//
// Entries that share the cells of all tiles but the last two make a slab (990 entries on 4x4), a
// block of placements.
class FringeBuild {
 public:
  // `table`: a byte per entry.
  FringeBuild(Size size, int goal_blank, std::span<std::uint8_t> table)
      : pattern_(size, goal_blank),
        geometry_(size),
        table_(table),
        slabs_(pattern_.placements(), 3) {
    std::fill(table_.begin(), table_.end(), fringe_unreached);
    for (auto& bits : due_) bits.assign(pattern_.entries() / 64 + 1, 0);
    std::vector<int> items;
    for (int cell = 0; cell < size.cells(); ++cell) {
      items.push_back(cell == goal_blank ? pattern_.tiles() : pattern_.item_at_home(cell));
    }
    mark(pattern_.index(items), 0);
  }

  // Visits all entries by depth, on so many threads; false where `progress` ended that.
  bool run(int threads, const TableProgress& progress) {
    constexpr std::uint64_t chunk = 1024;  // words of due bits: some milliseconds
    const std::uint64_t words = due_[0].size();
    return search_by_depth(
        (words + chunk - 1) / chunk, pattern_.entries(), threads, progress,
        [&](const Depth& depth) {
          return [&, visitor = Visitor(*this, depth.moves)](std::uint64_t number) mutable {
            return visitor.visit_due(number * chunk, std::min((number + 1) * chunk, words));
          };
        });
  }

 private:
  void mark(std::uint64_t entry, int depth) {
    std::atomic_ref(table_[entry]).store(static_cast<std::uint8_t>(depth), relaxed);
    std::uint64_t& word = due_[static_cast<std::size_t>(depth % 2)][entry / 64];
    std::atomic_ref(word).fetch_or(std::uint64_t{1} << (entry % 64), relaxed);
  }
  [[nodiscard]] bool is_marked(std::uint64_t entry) const {
    return std::atomic_ref(table_[entry]).load(relaxed) != fringe_unreached;
  }
  static constexpr std::memory_order relaxed = std::memory_order_relaxed;
  static constexpr std::size_t max_cells = 16;

  // Expands entries in ascending order.
  class Visitor {
   public:
    Visitor(FringeBuild& build, int depth) : build_(build), depth_(depth) {}

    // Expands what is due in a range of words. Returns how many entries it marked; one that another
    // thread marked at the same time counts twice.
    std::uint64_t visit_due(std::uint64_t first, std::uint64_t last) {
      const std::uint64_t before = marked_;
      std::vector<std::uint64_t>& due = build_.due_[static_cast<std::size_t>(depth_ % 2)];
      for (std::uint64_t w = first; w < last; ++w) {
        for (std::uint64_t bits = std::exchange(due[w], 0); bits != 0; bits &= bits - 1) {
          visit(64 * w + static_cast<std::uint64_t>(std::countr_zero(bits)));
        }
      }
      return marked_ - before;
    }

   private:
    std::uint8_t& item(int cell) { return items_[static_cast<std::size_t>(cell)]; }

    void visit(std::uint64_t entry) {
      const int fixed = build_.slabs_.high();
      const auto other = static_cast<std::uint8_t>(build_.pattern_.other());
      if (entry - slab_ >= build_.slabs_.size()) {
        slab_ = entry / build_.slabs_.size() * build_.slabs_.size();
        std::array<int, PlacementIndex::max_tiles> cells{};
        build_.slabs_.place(slab_ / build_.slabs_.size(), cells, free_cells_);
        items_.fill(other);
        for (int i = 0; i < fixed; ++i) {
          item(cells[static_cast<std::size_t>(i)]) = static_cast<std::uint8_t>(i);
        }
        a_ = b_ = free_cells_[0];
      }
      const auto& places = build_.slabs_.places(entry - slab_);
      item(a_) = other;
      item(b_) = other;
      a_ = free_cells_[places[0]];
      b_ = free_cells_[places[1]];
      item(a_) = static_cast<std::uint8_t>(fixed);
      item(b_) = static_cast<std::uint8_t>(fixed + 1);
      expand(entry, free_cells_[places[2]]);
    }

    // One line a direction, so that the compiler knows which tiles pass others.
    void expand(std::uint64_t entry, int blank) {
      const RuntimeGeometry& geometry = build_.geometry_;
      const int above = blank + geometry.offset(0);
      const int below = blank + geometry.offset(3);
      if (geometry.allowed(blank, no_way, 0)) reach(entry + growth(above, above, blank));
      if (geometry.allowed(blank, no_way, 1)) reach(entry + growth(blank - 1, blank - 1, blank));
      if (geometry.allowed(blank, no_way, 2)) reach(entry - growth(blank + 1, blank, blank + 1));
      if (geometry.allowed(blank, no_way, 3)) reach(entry - growth(below, blank, below));
    }

    [[nodiscard]] std::uint64_t growth(int tile_cell, int low, int high) {
      return static_cast<std::uint64_t>(
          build_.pattern_.growth(item(tile_cell), low, high, [&](int cell) { return item(cell); }));
    }
    void reach(std::uint64_t entry) {
      if (build_.is_marked(entry)) return;
      build_.mark(entry, depth_ + 1);
      ++marked_;
    }

    FringeBuild& build_;
    int depth_;
    std::uint64_t marked_ = 0;
    std::uint64_t slab_ = std::uint64_t{1} << 63;  // its first entry
    int a_ = 0;                                    // where the last two tiles are
    int b_ = 0;
    std::array<std::uint8_t, max_cells> items_{};  // by cell; the blank's does not matter
    PlacementBlocks::FreeCells free_cells_{};
  };

  FringePattern pattern_;
  RuntimeGeometry geometry_;
  std::span<std::uint8_t> table_;
  PlacementBlocks slabs_;
  std::array<std::vector<std::uint64_t>, 2> due_;
};

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
  std::size_t count = 0;
  for (int cell = 0; cell < size.cells(); ++cell) {
    if (size.row(cell) == row || size.column(cell) == column) homes_[count++] = cell;
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
  const auto known = homes();
  const auto found = std::find(known.begin(), known.end(), cell);
  return found == known.end() ? other() : static_cast<int>(found - known.begin());
}

std::uint64_t FringePattern::index(std::span<const int> items) const {
  std::array<int, PlacementIndex::max_tiles> cells{};
  for (std::size_t cell = 0; cell < items.size(); ++cell) {
    if (items[cell] != other())
      cells[static_cast<std::size_t>(items[cell])] = static_cast<int>(cell);
  }
  return index_.rank(cells);
}

LargeBuffer build_fringe_table(Size size, int goal_blank, int threads,
                               const TableProgress& progress) {
  FringePattern::require(size);
  LargeBuffer table(FringePattern::entries(size));
  const bool whole = FringeBuild(size, goal_blank, table.bytes()).run(threads, progress);
  return whole ? std::move(table) : LargeBuffer();
}

TableRequest fringe_request(Size size, int goal_blank) {
  const FringePattern pattern(size, goal_blank);
  std::uint64_t homes = 0;
  for (const int home : pattern.homes()) homes |= cell_bit(home);
  const TableKey key{TableKind::fringe, size, Metric::single, homes, cell_bit(goal_blank)};
  const std::uint64_t entries = pattern.entries();
  return {key,
          {entries, entries, entries + entries / 4},
          [size, goal_blank](int threads, const TableProgress& progress) {
            return build_fringe_table(size, goal_blank, threads, progress);
          }};
}

}  // namespace tessera
