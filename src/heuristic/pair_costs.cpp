// SPDX-License-Identifier: MIT
#include "tessera/heuristic/pair_costs.hpp"

#include <bit>
#include <utility>

#include "tessera/base/shared_cache.hpp"
#include "tessera/pdb/regions.hpp"
#include "tessera/puzzle/geometry.hpp"

namespace tessera {
namespace {

// What two tiles and the blank can do, whichever tiles they are.
class PairGraph {
 public:
  explicit PairGraph(Size size) : geometry_(size), regions_(size), cells_(size.cells()) {
    place_.resize(static_cast<std::size_t>(cells_ * cells_ * cells_));
    for (int a = 0; a < cells_; ++a) {
      for (int b = 0; b < cells_; ++b) {
        if (a != b) find_regions(a, b);
      }
    }
    ways_.resize(pairs_.size());
    for (int a = 0; a < cells_; ++a) {
      for (int b = 0; b < cells_; ++b) {
        if (a != b) find_ways(a, b);
      }
    }
  }

  [[nodiscard]] std::size_t places() const { return pairs_.size(); }
  [[nodiscard]] std::uint16_t place(int a, int b, int blank) const {
    return place_[at(a, b, blank)];
  }
  [[nodiscard]] std::pair<int, int> pair(std::size_t place) const { return pairs_[place]; }
  [[nodiscard]] const std::vector<std::uint16_t>& all_places() const { return place_; }

  // Moves to each place, by breadth-first search; -1 where none lead there. Moves can be undone,
  // so from a place is as far as to it.
  [[nodiscard]] std::vector<int> moves_to(std::uint16_t goal) const {
    std::vector<int> moves(places(), -1);
    std::vector<std::uint16_t> queue{goal};
    moves[goal] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (const std::uint16_t next : ways_[queue[i]]) {
        if (moves[next] >= 0) continue;
        moves[next] = moves[queue[i]] + 1;
        queue.push_back(next);
      }
    }
    return moves;
  }

 private:
  [[nodiscard]] std::size_t at(int a, int b, int blank) const {
    return static_cast<std::size_t>((a * cells_ + b) * cells_ + blank);
  }

  void find_regions(int a, int b) {
    CellSet open = regions_.all() & ~cell_bit(a) & ~cell_bit(b);
    while (open != 0) {
      const CellSet region = regions_.spread(open & -open, open);
      for (CellSet left = region; left != 0; left &= left - 1) {
        place_[at(a, b, std::countr_zero(left))] = static_cast<std::uint16_t>(pairs_.size());
      }
      pairs_.emplace_back(a, b);
      open &= ~region;
    }
  }

  // The steps of either tile into a blank beside it.
  void find_ways(int a, int b) {
    for (int d = 0; d < 4; ++d) {
      if (geometry_.allowed(a, no_way, d)) {
        const int blank = a + geometry_.offset(d);
        if (blank != b) ways_[place(a, b, blank)].push_back(place(blank, b, a));
      }
      if (geometry_.allowed(b, no_way, d)) {
        const int blank = b + geometry_.offset(d);
        if (blank != a) ways_[place(a, b, blank)].push_back(place(a, blank, b));
      }
    }
  }

  RuntimeGeometry geometry_;
  Regions regions_;
  int cells_;
  std::vector<std::uint16_t> place_;
  std::vector<std::pair<int, int>> pairs_;  // by place
  std::vector<std::vector<std::uint16_t>> ways_;
};

}  // namespace

PairCosts::PairCosts(Size size, int goal_blank) : size_(size) {
  const int cells = size.cells();
  const auto n = static_cast<std::size_t>(cells);
  const PairGraph graph(size);
  const Instance goal{Board(), goal_blank};
  places_ = graph.places();
  place_ = graph.all_places();
  excess_.assign(n * n * places_, 0);
  rivals_.assign(n * n, 0);
  for (std::size_t a = 1; a < n; ++a) {
    for (std::size_t b = 1; b < n; ++b) {
      if (a == b) continue;
      const int home_a = goal.home(static_cast<int>(a));
      const int home_b = goal.home(static_cast<int>(b));
      const std::vector<int> moves = graph.moves_to(graph.place(home_a, home_b, goal_blank));
      for (std::size_t place = 0; place < places_; ++place) {
        const auto [cell_a, cell_b] = graph.pair(place);
        const int distance = size.distance(cell_a, home_a) + size.distance(cell_b, home_b);
        if (moves[place] <= distance) continue;
        excess_[(a * n + b) * places_ + place] = static_cast<std::uint8_t>(moves[place] - distance);
        rivals_[a * n + index(cell_a)] |= std::uint64_t{1} << cell_b;
      }
    }
  }
}

std::shared_ptr<const PairCosts> PairCosts::of(Size size, int goal_blank) {
  static SharedCache<std::pair<Size, int>, PairCosts> known(4);
  return known.get({size, goal_blank},
                   [&] { return std::make_shared<const PairCosts>(size, goal_blank); });
}

}  // namespace tessera
