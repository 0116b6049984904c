// SPDX-License-Identifier: MIT
#include "heuristic/pairwise.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/shared_cache.hpp"

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
        for (const int blank : cells_of(region)) {
          place[at(a, b, blank)] = static_cast<std::uint16_t>(pairs.size());
        }
        pairs.emplace_back(a, b);
        open &= ~region;
      }
    });
    // The steps of tile a into an adjacent blank, and those of the other tile in its place.
    steps.resize(pairs.size());
    each_pair([&](int a, int b) {
      for (int d = 0; d < 4; ++d) {
        const int next = a + size.offset(d);
        if (!size.has_neighbor(a, d) || next == b) continue;
        steps[place[at(a, b, next)]].push_back(place[at(next, b, a)]);
        steps[place[at(b, a, next)]].push_back(place[at(b, next, a)]);
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

  // Moves to each place, by breadth-first search; -1 if it cannot be reached. Moves are reversible,
  // so distances are symmetric.
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

// Shared by all callers.
std::shared_ptr<const PairCosts> shared_costs(Size size, int goal_blank) {
  static SharedCache<std::pair<Size, int>, PairCosts> known(4);
  return known.get({size, goal_blank},
                   [&] { return std::make_shared<const PairCosts>(size, goal_blank); });
}

}  // namespace

PairCosts::PairCosts(Size size, int goal_blank) : size_(size) {
  const auto n = static_cast<std::size_t>(size.cells());
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
        rivals_[a * n + index(cell_a)] |= cell_bit(cell_b);
      }
    }
  }
}

void Pairwise::require(Size size) {
  if (std::max(size.width, size.height) <= longest_side) return;
  bad_input("heuristic pairwise takes sides of up to " + std::to_string(longest_side) +
            " cells, not " + to_string(size));
}

Pairwise::Pairwise(const Instance& instance)
    : cells_(instance.size().cells()),
      manhattan_(instance),
      costs_(shared_costs(instance.size(), instance.goal_blank)) {}

int Pairwise::evaluate(const Board& board) const {
  return manhattan_.evaluate(board) + start(board).matched;
}

Pairwise::State Pairwise::start(const Board& board) const {
  WeightedGraph graph;
  const int blank = board.blank();
  for (int from = 0; from < cells_; ++from) {
    if (from == blank) continue;
    const auto tile = static_cast<unsigned>(board.tile(from));
    for (const int cell : cells_of(costs_->rivals(tile, from) & ~cell_bit(blank))) {
      const auto other = static_cast<unsigned>(board.tile(cell));
      add(graph, tile, other, costs_->excess(tile, other, from, cell, blank));
    }
  }
  return {2 * maximum_weight_matching(graph)};
}

}  // namespace tessera
