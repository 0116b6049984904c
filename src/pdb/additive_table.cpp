// SPDX-License-Identifier: MIT
#include "tessera/pdb/additive_table.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <thread>
#include <vector>

#include "tessera/base/error.hpp"
#include "tessera/pdb/placement_index.hpp"

namespace tessera {
namespace {

// Placements whose first tiles stand alike lie together: a block. It is some ten thousand entries,
// so that a block and those that a step leads to stay in the second-level cache.
constexpr std::uint64_t block_most = 16'000;

// Regions of up to 16 cells are looked up by the occupied cells.
constexpr int looked_up_cells = 16;

// Placements that a thread has asked memory for.
constexpr std::size_t waiting_most = 64;

// Digits of a block's entries, at most.
constexpr int most_low_tiles = 4;

class Builder {
 public:
  Builder(const Pattern& pattern, int threads, const TableProgress& progress)
      : pattern_(pattern),
        size_(pattern.size),
        index_(size_.cells(), pattern.tiles()),
        threads_(threads),
        progress_(progress),
        excess_(static_cast<std::size_t>(index_.count() + 1) / 2),
        states_(static_cast<std::size_t>(index_.count()) * sizeof(State)) {
    choose_blocks();
    prepare_cells();
    if (size_.cells() <= looked_up_cells) prepare_regions();
  }

  LargeBuffer build() {
    meet_goal();
    for (depth_ = 0; any_open_; ++depth_) {
      any_open_ = false;
      next_block_ = 0;
      {
        std::vector<std::jthread> team;
        for (int i = 1; i < threads_; ++i) team.emplace_back([this] { work(false); });
        work(true);
      }
      if (cancelled_) return {};
    }
    return std::move(excess_);
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

  // What a thread has found at one depth.
  struct Target {
    std::uint64_t index;
    CellSet occupied;
    int blank;
  };
  struct Yield {
    std::uint64_t met = 0;
    bool any = false;
    std::size_t waiting = 0;
    std::array<Target, waiting_most> targets{};
  };

  static CellSet bit(int cell) { return CellSet{1} << cell; }

  State* states() { return reinterpret_cast<State*>(states_.bytes().data()); }

  void choose_blocks() {
    const int tiles = index_.tiles();
    while (low_ < tiles && low_ < most_low_tiles) {
      const auto choices = static_cast<std::uint64_t>(index_.cells() - tiles + low_ + 1);
      if (block_ * choices > block_most) break;
      block_ *= choices;
      ++low_;
    }
    high_ = tiles - low_;
    blocks_ = index_.count() / block_;
    block_open_ = std::vector<std::atomic<std::uint8_t>>(blocks_);
    // The low tiles of each entry of a block, as places among the cells that the high ones leave.
    low_places_.resize(block_);
    std::array<int, PlacementIndex::max_tiles> cells{};
    for (std::uint64_t i = 0; i < block_; ++i) {
      index_.unrank(i, cells);  // the high tiles of block 0 stand in the first cells
      for (int tile = 0; tile < low_; ++tile) {
        low_places_[i][static_cast<std::size_t>(tile)] =
            static_cast<std::uint8_t>(cells[static_cast<std::size_t>(high_ + tile)] - high_);
      }
    }
  }

  void prepare_cells() {
    for (int cell = 0; cell < size_.cells(); ++cell) {
      all_ |= bit(cell);
      if (size_.column(cell) == 0) left_column_ |= bit(cell);
      if (((size_.row(cell) + size_.column(cell)) & 1) != 0) dark_ |= bit(cell);
    }
    right_column_ = left_column_ << (size_.width - 1);
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
        passed[static_cast<std::size_t>(other)] =
            other > tile ? index_.weight(other) : -index_.weight(tile);
      }
      passed[no_tile] = 0;
      passed[whole_row] = static_cast<std::uint64_t>(size_.width) * index_.weight(tile);
    }
  }

  // Regions are numbered by their least cell; a nibble a cell.
  void prepare_regions() {
    regions_.resize(std::size_t{1} << size_.cells());
    for (CellSet occupied = 0; occupied < regions_.size(); ++occupied) {
      if (std::popcount(occupied) != index_.tiles()) continue;
      std::uint64_t number = 0;
      for (CellSet open = all_ & ~occupied; open != 0; ++number) {
        const CellSet region = spread(open & -open, open);
        for (CellSet left = region; left != 0; left &= left - 1) {
          regions_[occupied] |= number << (4 * std::countr_zero(left));
        }
        open &= ~region;
      }
    }
  }

  // The cells of `open` that hang together with `region`.
  [[nodiscard]] CellSet spread(CellSet region, CellSet open) const {
    for (CellSet before = 0; before != region;) {
      before = region;
      region |= ((region & ~right_column_) << 1) | ((region & ~left_column_) >> 1) |
                (region << size_.width) | (region >> size_.width);
      region &= open;
    }
    return region;
  }

  // The number of the region in which an open cell lies.
  [[nodiscard]] int region_number(int cell, CellSet occupied) const {
    if (!regions_.empty()) return static_cast<int>(regions_[occupied] >> (4 * cell)) & 15;
    CellSet open = all_ & ~occupied;
    const CellSet own = spread(bit(cell), open);
    int number = 0;
    for (open &= ~own; open != 0 && (open & -open) < (own & -own); ++number) {
      open &= ~spread(open & -open, open);
    }
    return number;
  }

  void meet_goal() {
    const std::uint64_t goal = index_.rank(homes_);
    const int region = region_number(std::countr_zero(pattern_.blank_region), pattern_.homes);
    states()[goal] = static_cast<State>((1U | 1U << open_shift) << region);
    block_open_[goal / block_] = 1;
    any_open_ = true;
    met_count_ = 1;
  }

  void work(bool tells) {
    Yield yield;
    for (std::uint64_t block; (block = next_block_.fetch_add(1)) < blocks_ && !cancelled_;) {
      if (block_open_[block].load(std::memory_order_relaxed) == 0) continue;
      expand_block(block, yield);
      if (tells && progress_) {
        const auto done = static_cast<double>(met_count_ + yield.met);
        if (!progress_(std::min(1.0, done / static_cast<double>(index_.count()))))
          cancelled_ = true;
      }
    }
    settle(yield);
    met_count_ += yield.met;
    if (yield.any) any_open_ = true;
  }

  void expand_block(std::uint64_t block, Yield& yield) {
    // A full barrier: who still sees the flag up has opened its entry before this scan begins.
    block_open_[block].exchange(0);
    Placement placement;
    placement.tile_at.fill(no_tile);
    std::array<std::uint8_t, Size::max_cells> left{};
    std::uint64_t dark_left = unrank_high(block, placement, left);
    const int parity =
        std::popcount(placement.occupied & dark_) + std::popcount(pattern_.homes & dark_) + depth_;
    const CellSet high_occupied = placement.occupied;
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
      const auto& places = low_places_[i];
      std::uint64_t dark = 0;
      for (int tile = 0; tile < low_; ++tile)
        dark ^= dark_left >> places[static_cast<std::size_t>(tile)];
      if (((static_cast<int>(dark & 1) + parity) & 1) != 0) {
        later = true;
        continue;
      }
      // The next depth opens entries of the other parity only: this one is the block's alone.
      entry.store(static_cast<State>(state & 0xff), std::memory_order_relaxed);
      for (int tile = 0; tile < low_; ++tile) {
        const int cell = left[places[static_cast<std::size_t>(tile)]];
        placement.cells[static_cast<std::size_t>(high_ + tile)] = cell;
        placement.tile_at[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(high_ + tile);
        placement.occupied |= bit(cell);
      }
      const unsigned open = state >> open_shift;
      const std::uint64_t index = block * block_ + i;
      if ((state & 0xff) == open) note_excess(placement, index);
      expand(placement, index, open, yield);
      for (int tile = high_; tile < index_.tiles(); ++tile) {
        placement
            .tile_at[static_cast<std::size_t>(placement.cells[static_cast<std::size_t>(tile)])] =
            no_tile;
      }
      placement.occupied = high_occupied;
    }
    if (later) block_open_[block].store(1, std::memory_order_relaxed);
  }

  // Places the high tiles of a block; `left` are the other cells, and of those the dark ones are
  // returned as bits.
  std::uint64_t unrank_high(std::uint64_t block, Placement& placement,
                            std::array<std::uint8_t, Size::max_cells>& left) const {
    index_.unrank(block * block_, placement.cells);
    for (int tile = 0; tile < high_; ++tile) {
      const int cell = placement.cells[static_cast<std::size_t>(tile)];
      placement.tile_at[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(tile);
      placement.occupied |= bit(cell);
    }
    std::uint64_t dark = 0;
    std::size_t count = 0;
    for (int cell = 0; cell < size_.cells(); ++cell) {
      if ((placement.occupied & bit(cell)) != 0) continue;
      dark |= (dark_ >> cell & 1) << count;
      left[count++] = static_cast<std::uint8_t>(cell);
    }
    return dark;
  }

  // The depth at which the first of its regions is expanded is the placement's cost.
  void note_excess(const Placement& placement, std::uint64_t index) {
    int manhattan = 0;
    for (std::size_t tile = 0; tile < homes_.size(); ++tile) {
      manhattan += distances_[tile][static_cast<std::size_t>(placement.cells[tile])];
    }
    const int excess = std::min((depth_ - manhattan) / 2, 15);
    if (excess == 0) return;
    std::uint8_t& pair = excess_.bytes()[index / 2];
    const auto nibble = static_cast<std::uint8_t>(excess << (4 * (index & 1)));
    // Two blocks of odd length share a byte.
    if (block_ % 2 == 0) pair |= nibble;
    else std::atomic_ref<std::uint8_t>(pair).fetch_or(nibble, std::memory_order_relaxed);
  }

  void expand(const Placement& placement, std::uint64_t index, unsigned regions, Yield& yield) {
    const CellSet open = all_ & ~placement.occupied;
    // Where the blank may be.
    CellSet reach = open;
    if (!regions_.empty()) {
      const std::uint64_t numbers = regions_[placement.occupied];
      reach = 0;
      for (CellSet left = open; left != 0; left &= left - 1) {
        const int cell = std::countr_zero(left);
        reach |= static_cast<CellSet>(regions >> (numbers >> (4 * cell) & 15) & 1) << cell;
      }
    } else if (const CellSet first = spread(open & -open, open); first != open || regions != 1) {
      reach = 0;
      CellSet rest = open;
      for (unsigned bits = regions; rest != 0; bits >>= 1) {
        const CellSet region = spread(rest & -rest, rest);
        if ((bits & 1) != 0) reach |= region;
        rest &= ~region;
      }
    }
    // Direction by direction, all tiles that can go there: few branches that cannot be foreseen.
    const int width = size_.width;
    const CellSet& tiles = placement.occupied;
    for (CellSet movers = tiles & ((reach & ~left_column_) >> 1); movers != 0;
         movers &= movers - 1) {
      const int from = std::countr_zero(movers);
      meet(index + passing_none(placement, from), from, from + 1, placement, yield);
    }
    for (CellSet movers = tiles & ((reach & ~right_column_) << 1); movers != 0;
         movers &= movers - 1) {
      const int from = std::countr_zero(movers);
      meet(index - passing_none(placement, from), from, from - 1, placement, yield);
    }
    for (CellSet movers = tiles & (reach >> width); movers != 0; movers &= movers - 1) {
      const int from = std::countr_zero(movers);
      meet(index + passing_row(placement, from, from), from, from + width, placement, yield);
    }
    for (CellSet movers = tiles & (reach << width); movers != 0; movers &= movers - 1) {
      const int from = std::countr_zero(movers);
      meet(index - passing_row(placement, from, from - width), from, from - width, placement,
           yield);
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
  void meet(std::uint64_t index, int from, int to, const Placement& before, Yield& yield) {
    if (yield.waiting == waiting_most) settle(yield);
    __builtin_prefetch(states() + index, 1);
    const CellSet occupied = before.occupied ^ bit(from) ^ bit(to);
    if (!regions_.empty()) __builtin_prefetch(regions_.data() + occupied);
    yield.targets[yield.waiting++] = {index, occupied, from};
  }

  void settle(Yield& yield) {
    for (std::size_t i = 0; i < yield.waiting; ++i) {
      const auto [index, occupied, blank] = yield.targets[i];
      const int region = region_number(blank, occupied);
      std::atomic_ref<State> entry(states()[index]);
      if ((entry.load(std::memory_order_relaxed) >> region & 1) != 0) continue;
      const auto mask = static_cast<State>((1U | 1U << open_shift) << region);
      const State before = entry.fetch_or(mask, std::memory_order_seq_cst);
      if ((before >> region & 1) != 0) continue;
      if ((before & 0xff) == 0) ++yield.met;
      yield.any = true;
      std::atomic<std::uint8_t>& flag = block_open_[index / block_];
      if (flag.load() == 0) flag.store(1, std::memory_order_relaxed);
    }
    yield.waiting = 0;
  }

  Pattern pattern_;
  Size size_;
  PlacementIndex index_;
  int threads_;
  const TableProgress& progress_;
  LargeBuffer excess_;
  LargeBuffer states_;
  std::vector<int> homes_;
  std::array<std::array<std::uint8_t, Size::max_cells>, PlacementIndex::max_tiles> distances_{};
  // By tile: what passing another one adds to the index, 0 for no_tile; last, a row's own share.
  std::array<std::array<std::uint64_t, PlacementIndex::max_tiles + 2>, PlacementIndex::max_tiles>
      passed_{};
  CellSet all_ = 0;
  CellSet dark_ = 0;
  CellSet left_column_ = 0;
  CellSet right_column_ = 0;
  std::vector<std::uint64_t> regions_;
  int low_ = 0;
  int high_ = 0;
  std::uint64_t block_ = 1;
  std::uint64_t blocks_ = 1;
  std::vector<std::atomic<std::uint8_t>> block_open_;
  std::vector<std::array<std::uint8_t, most_low_tiles>> low_places_;
  int depth_ = 0;
  std::atomic<std::uint64_t> next_block_{0};
  std::atomic<std::uint64_t> met_count_{0};
  std::atomic<bool> any_open_{false};
  std::atomic<bool> cancelled_{false};
};

}  // namespace

TableRequest additive_request(const Pattern& pattern) {
  const std::uint64_t entries = PlacementIndex(pattern.size.cells(), pattern.tiles()).count();
  const TableKey key{TableKind::additive, pattern.size, Metric::single, pattern.homes,
                     pattern.blank_region};
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
  return Builder(pattern, std::max(1, threads), progress).build();
}

}  // namespace tessera
