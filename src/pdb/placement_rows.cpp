// SPDX-License-Identifier: MIT
#include "pdb/placement_rows.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "pdb/breadth_first.hpp"

namespace tessera {
namespace {

std::size_t cells_before(CellSet set, int cell) {
  return static_cast<std::size_t>(std::popcount(set & (cell_bit(cell) - 1)));
}

}  // namespace

PlacementRows::PlacementRows(Size size, const PlacementIndex& index)
    : regions_(size),
      tiles_(static_cast<std::size_t>(index.tiles() - (index.has_blank() ? 1 : 0))),
      blank_counts_(index.has_blank()) {
  for (auto& row : choices_) row[0] = 1;
  for (std::size_t n = 1; n < choices_.size(); ++n) {
    for (std::size_t k = 1; k <= tiles_; ++k) {
      choices_[n][k] = choices_[n - 1][k - 1] + choices_[n - 1][k];
    }
  }
  list_sets();
  list_orders(index);
  list_turns(size.width - 1);
  link_rows(size);
}

void PlacementRows::list_sets() {
  CellSet set = cell_bit(static_cast<int>(tiles_)) - 1;
  while ((set & ~regions_.all()) == 0) {
    sets_.push_back(set);
    // The next number with as many bits (Gosper).
    const CellSet low = set & -set;
    const CellSet carried = set + low;
    if (carried == 0) break;
    set = ((set ^ carried) >> 2) / low | carried;
  }
}

void PlacementRows::list_orders(const PlacementIndex& index) {
  for (std::size_t tile = 0; tile < tiles_; ++tile) {
    weights_[tile] = index.weight(static_cast<int>(tile));
  }
  std::vector<std::uint8_t> tiles(tiles_);
  std::iota(tiles.begin(), tiles.end(), std::uint8_t{0});
  do {
    PlaceOfTile& place = orders_.emplace_back();
    std::uint64_t& less = less_.emplace_back();
    for (std::size_t i = 0; i < tiles_; ++i) {
      place[tiles[i]] = static_cast<std::uint8_t>(i);
      const auto earlier =
          std::count_if(tiles.begin(), tiles.begin() + static_cast<std::ptrdiff_t>(i),
                        [&](std::uint8_t tile) { return tile < tiles[i]; });
      less += static_cast<std::uint64_t>(earlier) * weights_[tiles[i]];
    }
  } while (std::ranges::next_permutation(tiles).found);
  all_.assign(words(), ~std::uint64_t{0});
  all_.back() >>= 64 * words() - orders();
}

// The tile in place `from` moves to place `to`, and those between make room. A digit of an order's
// number counts the smaller tiles after a place, so only the digits of these places change: they
// number the tiles there among all that are not in earlier places. Up to eight tiles all digits are
// looked up, which saves divisions.
void PlacementRows::list_turns(int most_passed) {
  constexpr std::size_t looked_up_whole = 8;
  turns_.resize(tiles_ * tiles_);
  for (std::size_t from = 0; from < tiles_; ++from) {
    for (std::size_t to = 0; to < tiles_; ++to) {
      const auto passed = static_cast<int>(std::max(from, to) - std::min(from, to));
      if (passed == 0 || passed > most_passed) continue;
      const bool whole = tiles_ <= looked_up_whole;
      const std::size_t first = whole ? 0 : std::min(from, to);
      const std::size_t last = whole ? tiles_ - 1 : std::max(from, to);
      Turn& turn = turns_[from * tiles_ + to];
      for (std::size_t i = last + 1; i < tiles_; ++i) {
        turn.unit *= static_cast<std::uint32_t>(tiles_ - i);
      }
      const PlacementIndex digits(static_cast<int>(tiles_ - first), static_cast<int>(last - first),
                                  true);
      std::vector<int> tiles(last - first + 1);
      for (std::uint64_t number = 0; number < digits.count(); ++number) {
        digits.unrank(number, tiles);
        const int moved = tiles[from - first];
        tiles.erase(tiles.begin() + static_cast<std::ptrdiff_t>(from - first));
        tiles.insert(tiles.begin() + static_cast<std::ptrdiff_t>(to - first), moved);
        turn.change.push_back(static_cast<std::uint32_t>(digits.rank(tiles) - number) * turn.unit);
      }
    }
  }
}

// Calls `use` for each place of the blank beside a set.
template <class Use>
void PlacementRows::for_each_place(CellSet set, const Use& use) const {
  for (CellSet open = regions_.all() & ~set; open != 0;) {
    const CellSet first = open & -open;
    const CellSet place = blank_counts_ ? first : regions_.spread(first, open);
    use(place);
    open &= ~place;
  }
}

std::size_t PlacementRows::rank(CellSet set) const {
  std::size_t rank = 0;
  std::size_t count = 0;
  for (const int cell : cells_of(set)) rank += choices_[static_cast<std::size_t>(cell)][++count];
  return rank;
}

std::uint32_t PlacementRows::row_of(CellSet set, int blank) const {
  const CellSet open = regions_.all() & ~set;
  const std::size_t place = blank_counts_ ? cells_before(open, blank)
                                          : static_cast<std::size_t>(regions_.number(blank, open));
  return static_cast<std::uint32_t>(first_row_[rank(set)] + place);
}

void PlacementRows::link_rows(Size size) {
  first_row_.push_back(0);
  for (const CellSet set : sets_) {
    std::uint32_t end = first_row_.back();
    for_each_place(set, [&](CellSet) { ++end; });
    first_row_.push_back(end);
  }
  const auto link = [&](CellSet set, int blank, int next) {
    if ((set & cell_bit(next)) != 0) {
      const CellSet moved = set ^ cell_bit(next) ^ cell_bit(blank);
      const std::size_t from = cells_before(moved, blank);
      const std::size_t to = cells_before(set, next);
      const std::size_t turn = from == to ? 0 : from * tiles_ + to;
      links_.push_back({row_of(moved, next), static_cast<std::uint32_t>(turn)});
    } else if (blank_counts_) {
      links_.push_back({row_of(set, next), 0});
    }
  };
  // At most: a larger one would be copied into it, and what is not used takes no memory.
  if (!blank_counts_) links_.reserve(4 * tiles_ * sets_.size());
  for (const CellSet set : sets_) {
    for_each_place(set, [&](CellSet place) {
      link_start_.push_back(links_.size());
      for (const int blank : cells_of(place)) {
        for (int d = 0; d < 4; ++d) {
          if (size.has_neighbor(blank, d)) link(set, blank, blank + size.offset(d));
        }
      }
    });
  }
  link_start_.push_back(links_.size());
}

// The states of one depth.
struct PlacementRows::Plane {
  explicit Plane(const PlacementRows& rows)
      : words(rows.words()),
        memory(rows.rows() * words * sizeof(std::uint64_t)),
        used(rows.rows()) {}
  [[nodiscard]] std::span<std::uint64_t> row(std::size_t row) {
    return {reinterpret_cast<std::uint64_t*>(memory.bytes().data()) + row * words, words};
  }

  std::size_t words;
  LargeBuffer memory;
  std::vector<std::uint8_t> used;  // whether the row has any
};

// What a thread finds at one depth. A move changes the color of one tile's cell, or of the blank's,
// so it leads from one depth to the next or to the previous.
class PlacementRows::Step {
 public:
  Step(const PlacementRows& rows, Plane& from, Plane& to)
      : rows_(rows), from_(from), to_(to), next_(rows.words()) {}

  // Replaces a row's states of the previous depth by those of the next; returns their number.
  std::uint64_t find(std::size_t row) {
    bool reached = false;
    for (std::size_t i = rows_.link_start_[row]; i < rows_.link_start_[row + 1]; ++i) {
      const Link& link = rows_.links_[i];
      if (from_.used[link.row] == 0) continue;
      if (!std::exchange(reached, true)) std::ranges::fill(next_, 0);
      take(from_.row(link.row), rows_.turns_[link.turn]);
    }
    std::uint64_t count = 0;
    if (reached) {
      const std::span<std::uint64_t> states = to_.row(row);
      const std::uint64_t known = to_.used[row] != 0 ? ~std::uint64_t{0} : 0;
      for (std::size_t word = 0; word < states.size(); ++word) {
        states[word] = next_[word] & ~(states[word] & known);
        count += static_cast<std::uint64_t>(std::popcount(states[word]));
      }
    }
    to_.used[row] = count > 0 ? 1 : 0;
    return count;
  }

 private:
  void take(States states, const Turn& turn) {
    if (turn.change.empty()) {
      for (std::size_t word = 0; word < states.size(); ++word) next_[word] |= states[word];
      return;
    }
    const bool whole = turn.change.size() == rows_.orders();
    for (std::size_t word = 0; word < states.size(); ++word) {
      for (const int bit : cells_of(states[word])) {
        auto order = static_cast<std::uint32_t>(64 * word) + static_cast<std::uint32_t>(bit);
        order += turn.change[whole ? order : order / turn.unit % turn.change.size()];
        next_[order / 64] |= std::uint64_t{1} << (order % 64);
      }
    }
  }

  const PlacementRows& rows_;
  Plane& from_;
  Plane& to_;
  std::vector<std::uint64_t> next_;
};

bool PlacementRows::search(CellSet homes, int blank, int threads, const TableProgress& progress,
                           const std::function<void(const Found&)>& use) const {
  std::array<Plane, 2> planes{Plane(*this), Plane(*this)};  // by parity of the depth
  const std::size_t goal = row_of(homes, blank);
  planes[0].row(goal)[0] = 1;  // the tiles are in order
  planes[0].used[goal] = 1;
  use({rank(homes), goal, 0, planes[0].row(goal)});

  const std::uint64_t chunk = 65'536 / orders() + 1;  // sets
  return search_by_depth(
      (sets() + chunk - 1) / chunk, rows() * orders(), threads, progress, [&](const Depth& depth) {
        const int moves = depth.moves + 1;
        Plane& to = planes[static_cast<std::size_t>(moves % 2)];
        return
            [&, moves, step = Step(*this, planes[static_cast<std::size_t>(depth.moves % 2)], to)](
                std::uint64_t number) mutable {
              std::uint64_t found = 0;
              const std::size_t end = std::min(sets(), (number + 1) * chunk);
              for (std::size_t set = number * chunk; set < end; ++set) {
                for (std::size_t row = first_row(set); row < first_row(set + 1); ++row) {
                  const std::uint64_t count = step.find(row);
                  if (count > 0) use({set, row, moves, to.row(row)});
                  found += count;
                }
              }
              return found;
            };
      });
}

}  // namespace tessera
