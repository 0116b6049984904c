// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "heuristic/lines.hpp"
#include "heuristic/runs.hpp"

namespace tessera {

/// Two colors on larger boards, a few tiles at a side or a corner and all others; and runs, which
/// count more where the boards are long or all tiles near their goals.
class Sides : public BothGuides<ColoredLines<TwoColorsOfMany>, Runs> {
 public:
  static constexpr HeuristicInfo info{
      .name = "sides",
      .summary = "runs, and small tables of the tiles at each side and corner (metric multi)",
      .max_cells = TwoColorsOfMany::max_cells,
      .limits = "up to 36 cells",
      .memory = "138 MB on 6x5",
      .set_up = "14 s CPU on 6x5"};

  /// Throws whatever open_table throws.
  Sides(const Instance& instance, const std::string& table_directory)
      : BothGuides({instance, table_directory}, Runs(instance)) {}
};

}  // namespace tessera
