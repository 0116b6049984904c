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
struct PairGraph {
  explicit PairGraph(Size size) : cells(size.cells()) {
    const Regions regions(size);
    place.resize(static_cast<std::size_t>(cells * cells * cells));
    each_pair([&](int a, int b) {
      for (CellSet open = regions.all() & ~cell_bit(a) & ~cell_bit(b); open != 0;) {
        const CellSet region = regions.spread(open & -open, open);
        for (CellSet left = region; left != 0; left &= left - 1) {
          place[at(a, b, std::countr_zero(left))] = static_cast<std::uint16_t>(pairs.size());
        }
        pairs.emplace_back(a, b);
        open &= ~region;
      }
    });
    // The steps of either tile into a blank beside it.
    const RuntimeGeometry geometry(size);
    steps.resize(pairs.size());
    each_pair([&](int a, int b) {
      for (int d = 0; d < 4; ++d) {
        const int of_a = a + geometry.offset(d);
        const int of_b = b + geometry.offset(d);
        if (geometry.allowed(a, no_way, d) && of_a != b) {
          steps[place[at(a, b, of_a)]].push_back(place[at(of_a, b, a)]);
        }
        if (geometry.allowed(b, no_way, d) && of_b != a) {
          steps[place[at(a, b, of_b)]].push_back(place[at(a, of_b, b)]);
        }
      }
    });
  }

  template <class Use>
  void each_pair(const Use& use) const {
    for (int a = 0; a < cells; ++a) {
      for (int b = 0; b < cells; ++b) {
        if (a != b) use(a, b);
      }
    }
  }
  [[nodiscard]] std::size_t at(int a, int b, int blank) const {
    return static_cast<std::size_t>((a * cells + b) * cells + blank);
  }

  // Moves to each place, by breadth-first search; -1 where none lead there. Moves can be undone,
  // so from a place is as far as to it.
  [[nodiscard]] std::vector<int> moves_to(std::uint16_t goal) const {
    std::vector<int> moves(pairs.size(), -1);
    std::vector<std::uint16_t> queue{goal};
    moves[goal] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (const std::uint16_t next : steps[queue[i]]) {
        if (moves[next] >= 0) continue;
        moves[next] = moves[queue[i]] + 1;
        queue.push_back(next);
      }
    }
    return moves;
  }

  int cells;
  std::vector<std::uint16_t> place;
  std::vector<std::pair<int, int>> pairs;  // by place
  std::vector<std::vector<std::uint16_t>> steps;
};

}  // namespace

PairCosts::PairCosts(Size size, int goal_blank) : size_(size) {
  const int cells = size.cells();
  const auto n = static_cast<std::size_t>(cells);
  const PairGraph graph(size);
  const Instance goal{Board(), goal_blank};
  places_ = graph.pairs.size();
  place_ = graph.place;
  excess_.assign(n * n * places_, 0);
  rivals_.assign(n * n, 0);
  for (std::size_t a = 1; a < n; ++a) {
    for (std::size_t b = 1; b < n; ++b) {
      if (a == b) continue;
      const int home_a = goal.home(static_cast<int>(a));
      const int home_b = goal.home(static_cast<int>(b));
      const std::vector<int> moves =
          graph.moves_to(graph.place[graph.at(home_a, home_b, goal_blank)]);
      for (std::size_t place = 0; place < places_; ++place) {
        const auto [cell_a, cell_b] = graph.pairs[place];
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
