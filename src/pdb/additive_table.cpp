// SPDX-License-Identifier: MIT
#include "tessera/pdb/additive_table.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <vector>

#include "pdb/breadth_first.hpp"
#include "tessera/base/error.hpp"
#include "tessera/pdb/placement_index.hpp"

namespace tessera {
namespace {

// A block of some ten thousand entries and those that a step leads to stay in the second-level
// cache.
constexpr std::uint64_t block_most = 16'000;

// Regions of up to 16 cells are looked up by the occupied cells.
constexpr int looked_up_cells = 16;

// Placements that a thread has asked memory for.
constexpr std::size_t waiting_most = 64;

// The tiles that differ within a block.
int low_tiles(const PlacementIndex& index) {
  int low = 0;
  std::uint64_t block = 1;
  while (low < std::min(index.tiles(), PlacementBlocks::most_low)) {
    block *= static_cast<std::uint64_t>(index.cells() - index.tiles() + low + 1);
    if (block > block_most) break;
    ++low;
  }
  return low;
}

class Builder {
 public:
  explicit Builder(const Pattern& pattern)
      : pattern_(pattern),
        size_(pattern.size),
        grid_(size_),
        index_(size_.cells(), pattern.tiles()),
        blocks_(index_, low_tiles(index_)),
        low_(blocks_.low()),
        high_(blocks_.high()),
        block_(blocks_.size()),
        block_open_(blocks_.count()),
        excess_(static_cast<std::size_t>(index_.count() + 1) / 2),
        states_(static_cast<std::size_t>(index_.count()) * sizeof(State)) {
    prepare_cells();
    if (size_.cells() <= looked_up_cells) prepare_regions();
  }

  LargeBuffer build(int threads, const TableProgress& progress) {
    meet_goal();
    const bool whole =
        search_by_depth(blocks_.count(), index_.count(), threads, progress,
                        [this](const Depth& depth) { return Worker(*this, depth.moves); });
    return whole ? std::move(excess_) : LargeBuffer();
  }

 private:
  // Of a placement: bits 0-7 the blank's regions met so far, bits 8-15 those not yet expanded.
  using State = std::uint16_t;
  static constexpr unsigned open_shift = 8;
  static constexpr std::uint8_t no_tile = PlacementIndex::max_tiles;
  static constexpr std::size_t whole_row = no_tile + 1;
  static constexpr std::uint64_t four_open = 0xff00ff00ff00ff00;

  struct Placement {
    std::array<int, PlacementIndex::max_tiles> cells{};
    std::array<std::uint8_t, Size::max_cells> tile_at{};  // or no_tile
    CellSet occupied = 0;
  };

  struct Target {
    std::uint64_t index;
    CellSet occupied;
    int blank;
  };

  // A thread at one depth.
  class Worker {
   public:
    Worker(Builder& builder, int depth) : builder_(builder), depth_(depth) {}

    // The placements of a block that it expands for the first time: these are known now.
    std::uint64_t operator()(std::uint64_t block) {
      if (builder_.block_open_[block].load(std::memory_order_relaxed) == 0) return 0;
      return builder_.expand_block(block, *this);
    }
    std::uint64_t found() {
      builder_.settle(*this);
      return found_;
    }

   private:
    friend class Builder;
    Builder& builder_;
    int depth_;
    std::uint64_t found_ = 0;  // regions of placements
    std::size_t waiting_ = 0;
    std::array<Target, waiting_most> targets_;
  };

  State* states() { return reinterpret_cast<State*>(states_.bytes().data()); }

  void prepare_cells() {
    for (int cell = 0; cell < size_.cells(); ++cell) {
      if (((size_.row(cell) + size_.column(cell)) & 1) != 0) dark_ |= cell_bit(cell);
    }
    for (CellSet left = pattern_.homes; left != 0; left &= left - 1) {
      const int home = std::countr_zero(left);
      auto& distances = distances_[homes_.size()];
      for (int cell = 0; cell < size_.cells(); ++cell) {
        distances[static_cast<std::size_t>(cell)] =
            static_cast<std::uint8_t>(size_.distance(cell, home));
      }
      homes_.push_back(home);
    }
    for (int tile = 0; tile < index_.tiles(); ++tile) {
      auto& passed = passed_[static_cast<std::size_t>(tile)];
      for (int other = 0; other < index_.tiles(); ++other) {
        passed[static_cast<std::size_t>(other)] = index_.passing(tile, other);
      }
      passed[no_tile] = 0;
      passed[whole_row] = static_cast<std::uint64_t>(size_.width) * index_.weight(tile);
    }
  }

  void prepare_regions() {
    regions_.resize(std::size_t{1} << size_.cells());
    for (CellSet occupied = 0; occupied < regions_.size(); ++occupied) {
      if (std::popcount(occupied) != index_.tiles()) continue;
      std::uint64_t number = 0;
      for (CellSet open = grid_.all() & ~occupied; open != 0; ++number) {
        const CellSet region = grid_.spread(open & -open, open);
        for (CellSet left = region; left != 0; left &= left - 1) {
          regions_[occupied] |= number << (4 * std::countr_zero(left));
        }
        open &= ~region;
      }
    }
  }

  // The number of the region in which an open cell lies.
  [[nodiscard]] int region_number(int cell, CellSet occupied) const {
    if (!regions_.empty()) return static_cast<int>(regions_[occupied] >> (4 * cell)) & 15;
    return grid_.number(cell, grid_.all() & ~occupied);
  }

  void meet_goal() {
    const std::uint64_t goal = index_.rank(homes_);
    const int region = region_number(std::countr_zero(pattern_.blank_region), pattern_.homes);
    states()[goal] = static_cast<State>((1U | 1U << open_shift) << region);
    block_open_[goal / block_] = 1;
  }

  std::uint64_t expand_block(std::uint64_t block, Worker& worker) {
    // A full barrier: who still sees the flag up has opened its entry before this scan begins.
    block_open_[block].exchange(0);
    Placement placement;
    placement.tile_at.fill(no_tile);
    PlacementBlocks::FreeCells free{};
    const CellSet high_occupied = placement.occupied = blocks_.place(block, placement.cells, free);
    for (int tile = 0; tile < high_; ++tile) set_tile(placement, tile, tile);
    std::uint64_t dark_free = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(size_.cells() - high_); ++i) {
      dark_free |= (dark_ >> free[i] & 1) << i;
    }
    const int parity = std::popcount(placement.occupied & dark_) +
                       std::popcount(pattern_.homes & dark_) + worker.depth_;
    std::uint64_t known = 0;
    State* const entries = states() + block * block_;
    bool later = false;  // some are open for the next depth already
    for (std::uint64_t i = 0; i < block_; ++i) {
      if (i % 4 == 0 && block_ - i >= 4) {
        std::uint64_t four = 0;
        std::memcpy(&four, entries + i, sizeof four);
        if ((four & four_open) == 0) {
          i += 3;
          continue;
        }
      }
      std::atomic_ref<State> entry(entries[i]);
      const unsigned state = entry.load(std::memory_order_relaxed);
      if (state >> open_shift == 0) continue;
      // A move changes the colour of one tile's cell, so depth and placement have one parity.
      const auto& places = blocks_.places(i);
      std::uint64_t dark = 0;
      for (int tile = 0; tile < low_; ++tile)
        dark ^= dark_free >> places[static_cast<std::size_t>(tile)];
      if (((static_cast<int>(dark & 1) + parity) & 1) != 0) {
        later = true;
        continue;
      }
      // The next depth opens entries of the other parity only: this one is the block's alone.
      entry.store(static_cast<State>(state & 0xff), std::memory_order_relaxed);
      for (int tile = 0; tile < low_; ++tile) {
        const int cell = free[places[static_cast<std::size_t>(tile)]];
        placement.cells[static_cast<std::size_t>(high_ + tile)] = cell;
        set_tile(placement, high_ + tile, high_ + tile);
        placement.occupied |= cell_bit(cell);
      }
      const unsigned open = state >> open_shift;
      const std::uint64_t index = block * block_ + i;
      if ((state & 0xff) == open) {
        note_excess(placement, index, worker.depth_);
        ++known;
      }
      expand(placement, index, open, worker);
      for (int tile = high_; tile < index_.tiles(); ++tile) set_tile(placement, tile, no_tile);
      placement.occupied = high_occupied;
    }
    if (later) block_open_[block].store(1, std::memory_order_relaxed);
    return known;
  }

  // What the cell of a tile holds.
  static void set_tile(Placement& placement, int tile, int held) {
    placement.tile_at[static_cast<std::size_t>(placement.cells[static_cast<std::size_t>(tile)])] =
        static_cast<std::uint8_t>(held);
  }

  // The depth at which the first of its regions is expanded is the placement's cost.
  void note_excess(const Placement& placement, std::uint64_t index, int depth) {
    int manhattan = 0;
    for (std::size_t tile = 0; tile < homes_.size(); ++tile) {
      manhattan += distances_[tile][static_cast<std::size_t>(placement.cells[tile])];
    }
    const int excess = std::min((depth - manhattan) / 2, 15);
    if (excess == 0) return;
    std::uint8_t& pair = excess_.bytes()[index / 2];
    const auto nibble = static_cast<std::uint8_t>(excess << (4 * (index & 1)));
    // Two blocks of odd length share a byte.
    if (block_ % 2 == 0) pair |= nibble;
    else std::atomic_ref<std::uint8_t>(pair).fetch_or(nibble, std::memory_order_relaxed);
  }

  void expand(const Placement& placement, std::uint64_t index, unsigned regions, Worker& worker) {
    const CellSet open = grid_.all() & ~placement.occupied;
    // Where the blank may be.
    CellSet reach = open;
    if (!regions_.empty()) {
      const std::uint64_t numbers = regions_[placement.occupied];
      reach = 0;
      for (CellSet left = open; left != 0; left &= left - 1) {
        const int cell = std::countr_zero(left);
        reach |= static_cast<CellSet>(regions >> (numbers >> (4 * cell) & 15) & 1) << cell;
      }
    } else if (const CellSet first = grid_.spread(open & -open, open);
               first != open || regions != 1) {
      reach = 0;
      CellSet rest = open;
      for (unsigned bits = regions; rest != 0; bits >>= 1) {
        const CellSet region = grid_.spread(rest & -rest, rest);
        if ((bits & 1) != 0) reach |= region;
        rest &= ~region;
      }
    }
    // Direction by direction, all tiles that can go there: few branches that cannot be foreseen.
    const int width = size_.width;
    const CellSet& tiles = placement.occupied;
    for (CellSet movers = tiles & ((reach & ~grid_.left_column()) >> 1); movers != 0;
         movers &= movers - 1) {
      const int from = std::countr_zero(movers);
      meet(index + passing_none(placement, from), from, from + 1, placement, worker);
    }
    for (CellSet movers = tiles & ((reach & ~grid_.right_column()) << 1); movers != 0;
         movers &= movers - 1) {
      const int from = std::countr_zero(movers);
      meet(index - passing_none(placement, from), from, from - 1, placement, worker);
    }
    for (CellSet movers = tiles & (reach >> width); movers != 0; movers &= movers - 1) {
      const int from = std::countr_zero(movers);
      meet(index + passing_row(placement, from, from), from, from + width, placement, worker);
    }
    for (CellSet movers = tiles & (reach << width); movers != 0; movers &= movers - 1) {
      const int from = std::countr_zero(movers);
      meet(index - passing_row(placement, from, from - width), from, from - width, placement,
           worker);
    }
  }

  [[nodiscard]] std::uint64_t passing_none(const Placement& placement, int from) const {
    return index_.weight(placement.tile_at[static_cast<std::size_t>(from)]);
  }

  // What a tile's step to the next row changes the index by: it passes the cells behind `low`.
  [[nodiscard]] std::uint64_t passing_row(const Placement& placement, int from, int low) const {
    const auto& passed =
        passed_[static_cast<std::size_t>(placement.tile_at[static_cast<std::size_t>(from)])];
    std::uint64_t change = passed[whole_row];
    for (int cell = low + 1; cell < low + size_.width; ++cell) {
      change += passed[static_cast<std::size_t>(placement.tile_at[static_cast<std::size_t>(cell)])];
    }
    return change;
  }

  // A tile has gone from one cell to another, where the blank was; the blank is behind it now. The
  // placement that it makes lies anywhere in memory: it is asked for now and looked at later.
  void meet(std::uint64_t index, int from, int to, const Placement& before, Worker& worker) {
    if (worker.waiting_ == waiting_most) settle(worker);
    __builtin_prefetch(states() + index, 1);
    const CellSet occupied = before.occupied ^ cell_bit(from) ^ cell_bit(to);
    if (!regions_.empty()) __builtin_prefetch(regions_.data() + occupied);
    worker.targets_[worker.waiting_++] = {index, occupied, from};
  }

  void settle(Worker& worker) {
    for (std::size_t i = 0; i < worker.waiting_; ++i) {
      const auto [index, occupied, blank] = worker.targets_[i];
      const int region = region_number(blank, occupied);
      std::atomic_ref<State> entry(states()[index]);
      if ((entry.load(std::memory_order_relaxed) >> region & 1) != 0) continue;
      const auto mask = static_cast<State>((1U | 1U << open_shift) << region);
      const State before = entry.fetch_or(mask, std::memory_order_seq_cst);
      if ((before >> region & 1) != 0) continue;
      ++worker.found_;
      std::atomic<std::uint8_t>& flag = block_open_[index / block_];
      if (flag.load() == 0) flag.store(1, std::memory_order_relaxed);
    }
    worker.waiting_ = 0;
  }

  Pattern pattern_;
  Size size_;
  Regions grid_;
  PlacementIndex index_;
  PlacementBlocks blocks_;
  int low_;              // tiles that differ within a block
  int high_;             // and those that do not
  std::uint64_t block_;  // entries of a block
  std::vector<std::atomic<std::uint8_t>> block_open_;
  LargeBuffer excess_;
  LargeBuffer states_;
  std::vector<int> homes_;
  std::array<std::array<std::uint8_t, Size::max_cells>, PlacementIndex::max_tiles> distances_{};
  // By tile: what passing another one adds to the index, 0 for no_tile; last, a row's own share.
  std::array<std::array<std::uint64_t, PlacementIndex::max_tiles + 2>, PlacementIndex::max_tiles>
      passed_{};
  CellSet dark_ = 0;
  std::vector<std::uint64_t> regions_;  // by occupied cells: region numbers, a nibble a cell
};

}  // namespace

TableRequest additive_request(const Pattern& pattern) {
  const std::uint64_t entries = PlacementIndex(pattern.size.cells(), pattern.tiles()).count();
  const TableKey key{.kind = TableKind::additive,
                     .size = pattern.size,
                     .homes = pattern.homes,
                     .blank = pattern.blank_region};
  return {key,
          {entries, (entries + 1) / 2, (entries + 1) / 2 + 2 * entries},
          [pattern](int threads, const TableProgress& progress) {
            return build_additive_table(pattern, threads, progress);
          }};
}

std::uint64_t placements_of(const Pattern& pattern) {
  constexpr std::uint64_t most = std::uint64_t{1} << 32;
  const std::uint64_t count = PlacementIndex(pattern.size.cells(), pattern.tiles()).count();
  if (count >= most) {
    throw Error(ErrorKind::resource, "a pattern of " + std::to_string(pattern.tiles()) +
                                         " tiles on " + to_string(pattern.size) + " has " +
                                         std::to_string(count) +
                                         " placements, expected fewer than 2^32");
  }
  return count;
}

LargeBuffer build_additive_table(const Pattern& pattern, int threads,
                                 const TableProgress& progress) {
  (void)placements_of(pattern);
  return Builder(pattern).build(threads, progress);
}

}  // namespace tessera
