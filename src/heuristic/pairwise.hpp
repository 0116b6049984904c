// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "heuristic/manhattan.hpp"
#include "heuristic/matching.hpp"
#include "pdb/regions.hpp"

namespace tessera {

/// For each pair of tiles, the moves that they need to reach their homes beyond their distances
/// (their excess): two more if one must make way for the other, or let the blank out of a corner.
///
/// Exact for the puzzle that distinguishes only these two tiles and the blank and counts only the
/// tiles' moves. The blank moves freely there, so a state is the two cells and the region of the
/// other cells that contains the blank: two tiles can cut off a corner, or split a narrow board.
/// The goal has both tiles at home and the blank in the region of its own home.
///
/// A move of a third tile leaves the blank in its region; a move of one of the two is one step of
/// this puzzle. So a pair's cost changes by at most one, only if one of the two moves, and by an
/// odd number, as its distance does.
class PairCosts {
 public:
  PairCosts(Size size, int goal_blank);

  /// The excess of labels a and b when they and the blank are in these cells.
  [[nodiscard]] std::uint8_t excess(unsigned a, unsigned b, int cell_a, int cell_b,
                                    int blank) const {
    const auto cells = static_cast<std::size_t>(size_.cells());
    return excess_[(a * cells + b) * places_ +
                   place_[(index(cell_a) * cells + index(cell_b)) * cells + index(blank)]];
  }
  /// The cells where some tile has an excess with label a in `cell`, for any cell of the blank.
  [[nodiscard]] CellSet rivals(unsigned a, int cell) const {
    return rivals_[a * static_cast<std::size_t>(size_.cells()) + index(cell)];
  }

 private:
  static std::size_t index(int cell) { return static_cast<std::size_t>(cell); }

  Size size_;
  std::size_t places_ = 0;            // two cells and a region of the blank
  std::vector<std::uint16_t> place_;  // by cell, cell, blank
  std::vector<std::uint8_t> excess_;  // by label, label, place
  std::vector<CellSet> rivals_;
};

/// Pairs of tiles, chosen for each board (Felner, Korf, Hanan 2004): Manhattan distance plus the
/// excesses of disjoint pairs, those of the maximum weight matching. Moves of different tiles are
/// different moves, so the costs of disjoint pairs may be added.
///
/// Unlike in that paper, a pair's cost depends on which side of the two tiles the blank is, and on
/// where it must end (PairCosts). So a step changes each matching's sum, and h, by at most one: f
/// stays or rises by 2.
class Pairwise {
 public:
  static constexpr HeuristicInfo info{
      .name = "pairwise",
      .summary = "Manhattan distance plus the extra moves that pairs of tiles need",
      .limits = "sides up to 8",
      .memory = "17 MB on 8x8",
      .set_up = "0.3 s on 8x8"};
  static constexpr int f_step = 2;
  static constexpr int unrolled_cells = 0;

  struct State {
    int matched = 0;  ///< the matching's sum of excesses
  };

  /// Longer lines can have so many tiles in conflict that matching takes seconds per node.
  static constexpr int longest_side = 8;
  static void require(Size size);

  explicit Pairwise(const Instance& instance);
  [[nodiscard]] int evaluate(const Board& board) const;
  [[nodiscard]] State start(const Board& board) const;

  template <class Position, class StepT>
  [[nodiscard]] int rise(const Position& position, unsigned label, StepT step, State& state) const {
    const int rise = manhattan_.rise(position, label, step);
    // Only the tile's own edges can change; usually it has none before and none after the step.
    const CellSet rivals = costs_->rivals(label, step.next) | costs_->rivals(label, step.blank);
    if (rivals == 0 || !changes(position, label, step, rivals)) return rise;
    const int growth = matching_growth(position, label, step, rivals);
    state.matched += growth;
    return rise + growth;
  }

 private:
  // Excesses are even, since all of a tile's paths home have the same parity.
  static bool add(WeightedGraph& graph, unsigned a, unsigned b, std::uint8_t excess) {
    if (excess > 0) graph.add(a, b, static_cast<std::uint8_t>(excess / 2));
    return excess > 0;
  }

  template <class Position, class StepT>
  [[nodiscard]] bool changes(const Position& position, unsigned label, StepT step,
                             CellSet rivals) const {
    for (const int cell : cells_of(rivals & ~(cell_bit(step.next) | cell_bit(step.blank)))) {
      const unsigned other = position.tile(cell);
      if (costs_->excess(label, other, step.next, cell, step.blank) !=
          costs_->excess(label, other, step.blank, cell, step.next)) {
        return true;
      }
    }
    return false;
  }

  // How much a step increases the matching's sum. It is enough to match the component of tiles that
  // old and new edges connect to the moved tile.
  template <class Position, class StepT>
  [[nodiscard]] int matching_growth(const Position& position, unsigned label, StepT step,
                                    CellSet rivals) const {
    WeightedGraph graph;
    const CellSet moving = cell_bit(step.next) | cell_bit(step.blank);
    CellSet seen = moving;
    const auto add_own = [&](int from, int blank) {
      for (const int cell : cells_of(rivals & ~moving)) {
        const unsigned other = position.tile(cell);
        if (add(graph, label, other, costs_->excess(label, other, from, cell, blank))) {
          seen |= cell_bit(cell);
        }
      }
    };
    add_own(step.blank, step.next);
    graph.isolate(label);
    add_own(step.next, step.blank);
    for (CellSet open = seen & ~moving; open != 0;) {
      const int from = std::countr_zero(open);
      open &= open - 1;
      const unsigned tile = position.tile(from);
      for (const int cell : cells_of(costs_->rivals(tile, from) & ~moving)) {
        const unsigned other = position.tile(cell);
        if (add(graph, tile, other, costs_->excess(tile, other, from, cell, step.blank))) {
          open |= cell_bit(cell) & ~seen;
          seen |= cell_bit(cell);
        }
      }
    }
    const int before = maximum_weight_matching(graph);
    graph.isolate(label);
    add_own(step.blank, step.next);
    return 2 * (maximum_weight_matching(graph) - before);
  }

  int cells_;
  Manhattan manhattan_;
  std::shared_ptr<const PairCosts> costs_;
};

}  // namespace tessera
