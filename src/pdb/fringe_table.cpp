// SPDX-License-Identifier: MIT
#include "tessera/pdb/fringe_table.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <numeric>
#include <span>
#include <string>
#include <thread>
#include <utility>

#include "tessera/base/error.hpp"
#include "tessera/base/memory.hpp"
#include "tessera/puzzle/geometry.hpp"

namespace tessera {

void FringePattern::require(Size size) {
  const std::uint64_t needed = entries(size);
  if (needed <= max_entries) return;
  const std::uint64_t gib = needed >> 30;
  throw Error(ErrorKind::resource,
              "the fringe table of " + to_string(size) + " needs " +
                  (gib < 1U << 28 ? std::to_string(gib) + " GiB" : "over 2^58 bytes") +
                  ", expected 4x4, 5x3, 6x2 or smaller");
}

FringePattern::FringePattern(Size size, int goal_blank) : size_(size) {
  require(size);
  const int row = 2 * size.row(goal_blank) < size.height ? size.height - 1 : 0;
  const int column = 2 * size.column(goal_blank) < size.width ? size.width - 1 : 0;
  for (int cell = 0; cell < size.cells(); ++cell) {
    if (size.row(cell) == row || size.column(cell) == column) {
      homes_[static_cast<std::size_t>(tiles_++)] = cell;
    }
  }
  const auto blank = static_cast<std::size_t>(tiles_);
  const std::size_t other = blank + 1;
  worth_[blank].cell = 1;
  for (std::size_t i = blank; i > 0; --i) {
    worth_[i - 1].cell = worth_[i].cell * (size.cells() - static_cast<int>(i));
  }
  for (std::size_t i = 0; i <= blank; ++i) {
    // A cell that an earlier item holds is no place for this one; a later item that is passed goes
    // up one place. The blank, which takes the tile's cell, goes down one for each free cell.
    for (std::size_t passed = 0; passed < blank; ++passed) {
      worth_[i].passing[passed] = passed < i ? -worth_[i].cell : worth_[passed].cell;
    }
    worth_[i].passing[other] = i < blank ? -1 : 0;
  }
  // A tile of no pattern only moves the blank, the other way.
  worth_[other].cell = -worth_[blank].cell;
  for (std::size_t passed = 0; passed <= other; ++passed) {
    worth_[other].passing[passed] = -worth_[blank].passing[passed];
  }
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
  std::uint64_t sum = 0;
  for (std::size_t cell = 0; cell < items.size(); ++cell) {
    const int item = items[cell];
    if (item == other()) continue;
    std::uint64_t digit = 0;
    for (std::size_t c = 0; c < cell; ++c) digit += items[c] > item ? 1 : 0;
    sum += digit * static_cast<std::uint64_t>(worth_[static_cast<std::size_t>(item)].cell);
  }
  return sum;
}

namespace {

// A level of the search visits the entries of one depth and marks their unmarked neighbors with
// the next. Which entries are due is kept in bits as well: passing over a bit is so much cheaper
// than over a byte that other threads may be writing. Threads may meet at a neighbor; both then
// write the same.
//
// Entries that share the cells of all tiles but the last two make a slab (990 entries on 4x4): its
// cells are found once, the others looked up by the place within it.
class FringeBuild {
 public:
  // `table`: a byte per entry.
  FringeBuild(Size size, int goal_blank, std::span<std::uint8_t> table)
      : pattern_(size, goal_blank),
        geometry_(size),
        table_(table),
        cells_(size.cells()),
        fixed_(pattern_.tiles() - 2) {
    const int free = cells_ - fixed_;
    for (int a = 0; a < free; ++a) {
      for (int b = 0; b < free; ++b) {
        for (int blank = 0; blank < free; ++blank) {
          if (a == b || a == blank || b == blank) continue;
          places_.push_back({static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b),
                             static_cast<std::uint8_t>(blank)});
        }
      }
    }
    std::fill(table_.begin(), table_.end(), fringe_unreached);
    for (auto& bits : due_) bits.assign(pattern_.entries() / 64 + 1, 0);

    std::vector<int> items;
    for (int cell = 0; cell < cells_; ++cell) {
      items.push_back(cell == goal_blank ? pattern_.tiles() : pattern_.item_at_home(cell));
    }
    mark(pattern_.index(items), 0);
  }

  // Visits all entries by depth, on so many threads; false where `progress` ended that.
  bool run(int threads, const TableProgress& progress) {
    for (int depth = 0;; ++depth) {
      const std::uint64_t before = visited_;
      if (!level(depth, threads, progress)) return false;
      if (visited_ == before) return true;
    }
  }

  [[nodiscard]] std::uint64_t entries() const { return pattern_.entries(); }

 private:
  static constexpr std::uint64_t chunk = 1024;  // words of due bits that a thread takes together
  static constexpr std::size_t max_cells = 16;

  // Visits the entries of one depth. The calling thread asks `progress`, the others look at what it
  // answered, after each chunk: some milliseconds.
  bool level(int depth, int threads, const TableProgress& progress) {
    std::atomic<std::uint64_t> next_chunk = 0;
    std::atomic<bool> goes_on = true;
    const auto work = [&](const TableProgress& ask) {
      Visitor visitor(*this, depth);
      std::vector<std::uint64_t>& due = due_[static_cast<std::size_t>(depth % 2)];
      while (goes_on) {
        const std::uint64_t first = chunk * next_chunk.fetch_add(1);
        if (first >= due.size()) break;
        const std::uint64_t last = std::min<std::uint64_t>(first + chunk, due.size());
        const std::uint64_t before = visitor.visited();
        for (std::uint64_t w = first; w < last; ++w) {
          for (std::uint64_t bits = std::exchange(due[w], 0); bits != 0; bits &= bits - 1) {
            visitor.visit(64 * w + static_cast<std::uint64_t>(std::countr_zero(bits)));
          }
        }
        const std::uint64_t known = visited_ += visitor.visited() - before;
        if (ask && !ask(static_cast<double>(known) / static_cast<double>(entries()))) {
          goes_on = false;
        }
      }
    };
    {
      std::vector<std::jthread> helpers;
      for (int i = 1; i < threads; ++i) helpers.emplace_back([&] { work({}); });
      work(progress);
    }
    return goes_on;
  }

  // Of the cells that the fixed tiles leave: those of the last two tiles and of the blank.
  struct Places {
    std::uint8_t a;
    std::uint8_t b;
    std::uint8_t blank;
  };

  void mark(std::uint64_t entry, int depth) {
    std::atomic_ref(table_[entry]).store(static_cast<std::uint8_t>(depth), relaxed);
    std::uint64_t& word = due_[static_cast<std::size_t>(depth % 2)][entry / 64];
    std::atomic_ref(word).fetch_or(std::uint64_t{1} << (entry % 64), relaxed);
  }
  [[nodiscard]] bool is_marked(std::uint64_t entry) const {
    return std::atomic_ref(table_[entry]).load(relaxed) != fringe_unreached;
  }
  static constexpr std::memory_order relaxed = std::memory_order_relaxed;

  // Expands entries in ascending order.
  class Visitor {
   public:
    Visitor(FringeBuild& build, int depth) : build_(build), depth_(depth) {}
    [[nodiscard]] std::uint64_t visited() const { return visited_; }

    void visit(std::uint64_t entry) {
      ++visited_;
      const std::uint64_t slab_entries = build_.places_.size();
      if (entry - slab_ >= slab_entries) {
        slab_ = entry / slab_entries * slab_entries;
        place_fixed(entry / slab_entries);
      }
      const Places places = build_.places_[entry - slab_];
      const auto other = static_cast<std::uint8_t>(build_.pattern_.other());
      item(a_) = other;
      item(b_) = other;
      a_ = free_cells_[places.a];
      b_ = free_cells_[places.b];
      item(a_) = static_cast<std::uint8_t>(build_.fixed_);
      item(b_) = static_cast<std::uint8_t>(build_.fixed_ + 1);
      expand(entry, free_cells_[places.blank]);
    }

   private:
    std::uint8_t& item(int cell) { return items_[static_cast<std::size_t>(cell)]; }

    // The digits of a slab's number are places among the cells left free.
    void place_fixed(std::uint64_t slab) {
      std::array<int, max_cells> digits{};
      for (int i = build_.fixed_ - 1; i >= 0; --i) {
        const auto radix = static_cast<std::uint64_t>(build_.cells_ - i);
        digits[static_cast<std::size_t>(i)] = static_cast<int>(slab % radix);
        slab /= radix;
      }
      items_.fill(static_cast<std::uint8_t>(build_.pattern_.other()));
      std::iota(free_cells_.begin(), free_cells_.end(), 0);
      auto end = free_cells_.begin() + build_.cells_;
      for (int i = 0; i < build_.fixed_; ++i) {
        const auto cell = free_cells_.begin() + digits[static_cast<std::size_t>(i)];
        item(*cell) = static_cast<std::uint8_t>(i);
        end = std::copy(cell + 1, end, cell);
      }
      a_ = b_ = *free_cells_.begin();
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
      if (!build_.is_marked(entry)) build_.mark(entry, depth_ + 1);
    }

    FringeBuild& build_;
    int depth_;
    std::uint64_t visited_ = 0;
    std::uint64_t slab_ = std::uint64_t{1} << 63;  // its first entry
    int a_ = 0;                                    // where the last two tiles are
    int b_ = 0;
    std::array<std::uint8_t, max_cells> items_{};  // by cell; the blank's does not matter
    std::array<int, max_cells> free_cells_{};
  };

  FringePattern pattern_;
  RuntimeGeometry geometry_;
  std::span<std::uint8_t> table_;
  int cells_;
  int fixed_;                   // tiles that a slab holds in their cells
  std::vector<Places> places_;  // by entry within a slab
  std::array<std::vector<std::uint64_t>, 2> due_;
  std::atomic<std::uint64_t> visited_ = 0;
};

}  // namespace

std::vector<std::uint8_t> build_fringe_table(Size size, int goal_blank, int threads,
                                             const std::function<void(double)>& progress) {
  FringePattern::require(size);
  std::vector<std::uint8_t> table(FringePattern::entries(size));
  (void)FringeBuild(size, goal_blank, table).run(threads, [&](double done) {
    if (progress) progress(done);
    return true;
  });
  return table;
}

TableRequest fringe_request(Size size, int goal_blank) {
  const FringePattern pattern(size, goal_blank);
  std::uint64_t homes = 0;
  for (const int home : pattern.homes()) homes |= std::uint64_t{1} << home;
  const TableKey key{TableKind::fringe, size, Metric::single, homes,
                     std::uint64_t{1} << goal_blank};
  const std::uint64_t entries = pattern.entries();
  return {key,
          {entries, entries, entries + entries / 4},
          [size, goal_blank](int threads, const TableProgress& progress) {
            LargeBuffer table(FringePattern::entries(size));
            const bool whole = FringeBuild(size, goal_blank, table.bytes()).run(threads, progress);
            return whole ? std::move(table) : LargeBuffer();
          }};
}

}  // namespace tessera
