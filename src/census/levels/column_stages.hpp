// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "census/levels/layer.hpp"
#include "census/state_layout.hpp"

namespace tessera {

/// Metric multi: which collections along columns have their own planes, and the stage that computes
/// each (multi_engine.cpp). Stage s computes up[steps - s] and down[1 + s] of each column.
struct ColumnStages {
  struct Column {
    int number;
    int steps = 0;  ///< windows between rows 0 .. steps leave the slab
    int first_plane;

    /// The plane of up[row], rows 1 .. steps.
    [[nodiscard]] int up(int row) const { return first_plane + row - 1; }
    /// The plane of down[row], rows 1 .. steps - 1; -1 for down[0], which has none.
    [[nodiscard]] int down(int row) const { return row == 0 ? -1 : up(steps) + row; }
  };
  std::vector<Column> columns;
  int planes = 0;
  int stages = 0;

  explicit ColumnStages(const StateLayout& layout) {
    const Size size = layout.size();
    for (int at = 0; at < size.width; ++at) {
      Column& column = columns.emplace_back(Column{.number = at, .first_plane = planes});
      for (int row = 0; row + 1 < size.height; ++row) {
        if (layout.window(row * size.width + at, true).leaves_slab) column.steps = row + 1;
      }
      planes += std::max(0, 2 * column.steps - 1);
      stages = std::max(stages, column.steps);
    }
  }

  /// The layer of these planes; each group is computed by one stage.
  [[nodiscard]] LayerPlan layer() const {
    std::vector<unsigned> made(static_cast<std::size_t>(stages), 0);
    for (const Column& column : columns) {
      for (int stage = 0; stage < column.steps; ++stage) {
        unsigned& group = made[static_cast<std::size_t>(stage)];
        group |= 1U << column.up(column.steps - stage);
        if (1 + stage < column.steps) group |= 1U << column.down(1 + stage);
      }
    }
    return {planes, made};
  }
};

}  // namespace tessera
