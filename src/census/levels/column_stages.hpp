// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "census/levels/layer.hpp"
#include "census/state_layout.hpp"

namespace tessera {

/// Metric multi: which collections along columns have their own planes, and the stage that computes
/// each (multi_engine.cpp).
struct ColumnStages {
  struct Column {
    int steps = 0;          ///< windows between rows 0 .. steps leave the slab
    std::vector<int> up;    ///< by row: the staged plane of up[row], or -1
    std::vector<int> down;  ///< the same for down[row]
  };
  std::vector<Column> columns;
  int planes = 0;
  int stages = 0;

  explicit ColumnStages(const StateLayout& layout) {
    const Size size = layout.size();
    for (int at = 0; at < size.width; ++at) {
      Column& column = columns.emplace_back();
      for (int row = 0; row + 1 < size.height; ++row) {
        if (layout.window(row * size.width + at, true).leaves_slab) column.steps = row + 1;
      }
      column.up.assign(static_cast<std::size_t>(size.height), -1);
      column.down = column.up;
      const auto give_planes = [&](std::vector<int>& rows, int end) {
        for (int row = 1; row < end; ++row) rows[static_cast<std::size_t>(row)] = planes++;
      };
      give_planes(column.up, column.steps + 1);
      give_planes(column.down, column.steps);
      stages = std::max(stages, column.steps);
    }
  }

  /// The layer of these planes; each group is computed by one stage.
  [[nodiscard]] LayerPlan layer() const {
    std::vector<unsigned> made(static_cast<std::size_t>(stages), 0);
    for (const Column& column : columns) {
      for (int stage = 0; stage < column.steps; ++stage) {
        for (const int plane : {column.up[static_cast<std::size_t>(column.steps - stage)],
                                column.down[static_cast<std::size_t>(1 + stage)]}) {
          if (plane >= 0) made[static_cast<std::size_t>(stage)] |= 1U << plane;
        }
      }
    }
    return {planes, made};
  }
};

}  // namespace tessera
