// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <memory>

#include "tessera/heuristic/manhattan.hpp"
#include "tessera/heuristic/matching.hpp"
#include "tessera/heuristic/pair_costs.hpp"

namespace tessera {

/// Pairs of tiles, chosen anew on each board (Felner, Korf, Hanan 2004): Manhattan distance and the
/// excesses of disjoint pairs, those of the maximum weight matching. Moves of different tiles are
/// different moves, so the costs of disjoint pairs may be added.
///
/// Unlike there a pair's cost knows on which side of the two tiles the blank is, and where it must
/// end (PairCosts). So a step changes each matching's sum by at most one, and h by one: f stays or
/// rises by 2.
class Pairwise {
 public:
  static constexpr HeuristicInfo info{
      .name = "pairwise",
      .summary = "exact costs of pairs of tiles, matched anew on each board",
      .limits = "sides to 8",
      .memory = "17 MB on 8x8",
      .set_up = "0.3 s on 8x8"};
  static constexpr int f_step = 2;
  static constexpr bool unrolled = false;

  struct State {
    int matched = 0;  ///< the matching's sum of excesses
  };

  /// Longer lines hold so many tiles in conflict that matching them can take seconds a node.
  static constexpr int longest_side = 8;
  static void require(Size size);

  explicit Pairwise(const Instance& instance);
  [[nodiscard]] int evaluate(const Board& board) const;
  [[nodiscard]] State start(const Board& board) const;

  template <class Position, class StepT>
  [[nodiscard]] int rise(const Position& position, unsigned label, StepT step, State& state) const {
    const int rise = manhattan_.rise(position, label, step);
    // Only the tile's own edges can change; mostly it has none before the step and none after it.
    const std::uint64_t rivals =
        costs_->rivals(label, step.next) | costs_->rivals(label, step.blank);
    if (rivals == 0 || !changes(position, label, step, rivals)) return rise;
    const int growth = matching_growth(position, label, step, rivals);
    state.matched += growth;
    return rise + growth;
  }

 private:
  static constexpr std::uint64_t bit(int cell) { return std::uint64_t{1} << cell; }

  // Excesses are even, as a tile's ways home are all even or all odd.
  static bool add(WeightedGraph& graph, unsigned a, unsigned b, std::uint8_t excess) {
    if (excess > 0) graph.add(a, b, static_cast<std::uint8_t>(excess / 2));
    return excess > 0;
  }

  template <class Position, class StepT>
  [[nodiscard]] bool changes(const Position& position, unsigned label, StepT step,
                             std::uint64_t rivals) const {
    for (std::uint64_t left = rivals & ~(bit(step.next) | bit(step.blank)); left != 0;
         left &= left - 1) {
      const int cell = std::countr_zero(left);
      const unsigned other = position.tile(cell);
      if (costs_->excess(label, other, step.next, cell, step.blank) !=
          costs_->excess(label, other, step.blank, cell, step.next)) {
        return true;
      }
    }
    return false;
  }

  // By how much the matching's sum grows on a step, for which it is enough to match the island of
  // tiles that edges, old and new, connect with the moved tile.
  template <class Position, class StepT>
  [[nodiscard]] int matching_growth(const Position& position, unsigned label, StepT step,
                                    std::uint64_t rivals) const {
    WeightedGraph graph;
    const std::uint64_t moving = bit(step.next) | bit(step.blank);
    std::uint64_t seen = moving;
    const auto add_own = [&](int from, int blank) {
      for (std::uint64_t left = rivals & ~moving; left != 0; left &= left - 1) {
        const int cell = std::countr_zero(left);
        const unsigned other = position.tile(cell);
        if (add(graph, label, other, costs_->excess(label, other, from, cell, blank))) {
          seen |= bit(cell);
        }
      }
    };
    add_own(step.blank, step.next);
    graph.isolate(label);
    add_own(step.next, step.blank);
    for (std::uint64_t open = seen & ~moving; open != 0;) {
      const int from = std::countr_zero(open);
      open &= open - 1;
      const unsigned tile = position.tile(from);
      for (std::uint64_t left = costs_->rivals(tile, from) & ~moving; left != 0; left &= left - 1) {
        const int cell = std::countr_zero(left);
        const unsigned other = position.tile(cell);
        if (add(graph, tile, other, costs_->excess(tile, other, from, cell, step.blank))) {
          open |= bit(cell) & ~seen;
          seen |= bit(cell);
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
