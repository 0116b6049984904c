// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "puzzle/geometry.hpp"
#include "search/beam/beam_features.hpp"
#include "search/problem.hpp"

namespace tessera {

/// Which boards of a layer a beam keeps: those with the least estimate of the moves left. It is the
/// sum of distance * sqrt(distance) over all tiles, the weights of the board's features, and a
/// weight times what linear conflict adds to the sum of distances. Another exponent than 1.5 leads
/// to other solutions that are about as long.
///
/// Ordered by h alone, a beam keeps boards whose last few tiles are far from home. Boards with as
/// many moves left that are spread over many tiles are easier: the blank moves several on its way.
/// Neighbors with the same displacement can follow one another; those with opposite ones are in
/// each other's way. The weights were learned from beam searches
/// (docs/decisions/0034-learned-order.md).
class BeamOrder {
 public:
  static constexpr int units_per_move = 16;
  /// The weight of what h adds, then those of BeamFeatures, in units.
  using Weights = std::span<const std::int16_t>;
  [[nodiscard]] static Weights learned(Metric metric);
  [[nodiscard]] static std::size_t weights() {
    return static_cast<std::size_t>(1 + BeamFeatures::count());
  }

  explicit BeamOrder(const Problem& problem, double exponent = 1.5);
  BeamOrder(const Problem& problem, double exponent, Weights weights);

  /// A board's estimate without the share of h, in units.
  [[nodiscard]] int spread(const Board& board) const;
  /// What a step of the blank may change.
  struct Around {
    BeamFeatures::Window window;
    int blocks;  ///< the weights of those with the blank
  };
  /// `tiles.tile(cell)` is the label in a cell.
  template <class Tiles>
  [[nodiscard]] Around around(const Tiles& tiles, int blank) const {
    Around around{features_.window(tiles, blank), 0};
    for (const std::size_t row : {1, 2}) {
      for (const std::size_t column : {1, 2})
        around.blocks += blocks_[around.window.block(row, column)];
    }
    return around;
  }
  /// How the spread changes when the blank takes that step.
  template <class Tiles, class StepT>
  [[nodiscard]] int change(const Tiles& tiles, const StepT& step, const Around& around) const {
    using Window = BeamFeatures::Window;
    const auto label = static_cast<unsigned>(tiles.tile(step.next));
    const auto direction = static_cast<std::size_t>(int{step.direction});
    const auto next = Window::center + static_cast<std::size_t>(Window::offsets[direction]);
    const auto& displacements = around.window.displacements;
    const Displacement before = displacements[next];
    const Displacement after = features_.displacement(label, step.blank);
    int change = at(spreads_, label, step.blank) - at(spreads_, label, step.next) - around.blocks;
    for (std::size_t d = 0; d < 4; ++d) {
      const auto offset = static_cast<std::size_t>(Window::offsets[d]);
      const Displacement other =
          d == direction ? BeamFeatures::blank : displacements[Window::center + offset];
      change += pairs_[d][after][other] - pairs_[d][before][displacements[next + offset]];
    }
    // Three by two blocks have one of the two cells or both; those of `around` have the blank.
    const bool vertical = direction == 0 || direction == 3;
    const bool back = direction == 0 || direction == 1;
    const auto block = [&](const Window& window, std::size_t along, std::size_t across) {
      return blocks_[vertical ? window.block(along, across) : window.block(across, along)];
    };
    Window window = around.window;
    for (const std::size_t across : {1, 2}) change -= block(window, back ? 0 : 3, across);
    window.set_kind(Window::center, BeamFeatures::kind(after));
    window.set_kind(next, BeamFeatures::kind(BeamFeatures::blank));
    const std::size_t first = back ? 0 : 1;
    for (const std::size_t across : {1, 2}) {
      for (std::size_t along = first; along < first + 3; ++along)
        change += block(window, along, across);
    }
    return change;
  }
  /// In quarters of a move, on boards with long sides in halves or more: BeamHistogram has a bin
  /// for each.
  [[nodiscard]] int estimate(int h, int spread) const {
    return std::max(0, (h_units_ * h + spread) >> bin_bits_);
  }

 private:
  using Displacement = BeamFeatures::Displacement;
  // By a tile's displacement and that of its neighbor in a direction: the pair's weight, less that
  // of the blank in the tile's place.
  using Pairs = std::array<std::array<std::int16_t, BeamFeatures::displacements>,
                           BeamFeatures::displacements>;

  template <class Table>
  static int at(const Table& table, std::size_t row, int column) {
    return table[row][static_cast<std::size_t>(column)];
  }

  [[nodiscard]] std::int16_t weight(int feature) const {
    return weights_[static_cast<std::size_t>(1 + feature)];
  }
  [[nodiscard]] std::int16_t pair(Displacement cell, Displacement neighbor, int direction) const {
    return weight(BeamFeatures::of_pair(cell, neighbor, direction));
  }

  Weights weights_;
  BeamFeatures features_;
  int h_units_;
  int bin_bits_;
  std::array<std::array<std::int16_t, Size::max_cells>, Size::max_cells> spreads_{};  // by label
  std::array<Pairs, 4> pairs_{};  // by direction
  std::vector<std::int16_t> blocks_;
};

}  // namespace tessera
