// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "pdb/placement_index.hpp"
#include "puzzle/instance.hpp"
#include "puzzle/symmetry.hpp"

namespace tessera {

/// The cell of each label.
[[nodiscard]] std::array<std::uint8_t, Size::max_cells> cells_by_label(const Board& labels);

/// How much a step changes the index of a table (PlacementIndex). The symmetry that maps to the
/// table's orientation is included.
class PlacementSteps {
 public:
  /// The most cells that a step passes in the table's order of cells: the longest row minus one.
  static constexpr int most_passed = 7;

  /// No tiles: the index is always 0.
  PlacementSteps() = default;
  /// `symmetry` maps the board's cells to the table's, `homes` are the tiles' homes there. `index`
  /// may number the blank too.
  PlacementSteps(const Instance& instance, const Symmetry& symmetry, CellSet homes,
                 const PlacementIndex& index);

  /// The index after tile `label` has moved from `next` to `blank`; `position` is the board before.
  /// `Passed` is at least the longer side minus one.
  template <int Passed, class Position>
  [[nodiscard]] std::uint32_t stepped(std::uint32_t index, const Position& position, unsigned label,
                                      int blank, int direction) const {
    const Passage& passage = passages_[static_cast<std::size_t>(4 * blank + direction)];
    const auto& passed = passed_[label];
    // If fewer cells are passed, the rest are the blank's cell, whose label adds nothing.
    std::uint32_t change = shares_[label][passage.is_row];
    for (int i = 0; i < Passed; ++i) {
      change += passed[position.tile(passage.cells[static_cast<std::size_t>(i)])];
    }
    // Applies the sign without a branch.
    return index + ((change ^ passage.sign) - passage.sign);
  }

  /// The index of a board, given the cell of each label.
  [[nodiscard]] std::uint32_t index_of(std::span<const std::uint8_t> cell_of) const {
    if (!index_) return 0;
    std::array<int, PlacementIndex::max_tiles> cells{};
    for (std::size_t tile = 0; tile < labels_.size(); ++tile) {
      cells[tile] = image_[cell_of[static_cast<std::size_t>(labels_[tile])]];
    }
    return static_cast<std::uint32_t>(index_->rank(std::span(cells).first(labels_.size())));
  }

 private:
  struct Passage {
    std::uint32_t sign = 0;  // all ones if the tile moves towards lower cells
    std::uint8_t is_row = 0;
    std::array<std::uint8_t, most_passed> cells{};  // padded with the blank's cell
  };

  // What a step reads is adjacent in memory, next to the members of a derived class.
  std::optional<PlacementIndex> index_;
  std::vector<int> labels_;                            // in the table's order of tiles
  std::array<std::uint8_t, Size::max_cells> image_{};  // maps the board's cells to the table's
  std::array<std::array<std::uint32_t, Size::max_cells>, Size::max_cells> passed_{};
  std::array<std::array<std::uint32_t, 2>, Size::max_cells> shares_{};
  std::vector<Passage> passages_ = std::vector<Passage>(4UL * Size::max_cells);
};

}  // namespace tessera
