// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "puzzle/board_file.hpp"
#include "puzzle/goal.hpp"
#include "puzzle/metric.hpp"

namespace tessera {

/// A board of a built-in set with its optimal length.
struct SetBoard {
  NamedBoard board;
  int optimal_length = 0;  ///< 0: not known
};

struct BuiltinSet {
  Goal goal;
  std::vector<SetBoard> boards;
};

/// The names that `builtin_set` knows.
[[nodiscard]] std::vector<std::string> builtin_set_names();

/// Reads `NAME[:RANGE]`; RANGE lists ids such as `1-10,42` or `R`. `hardest15` depends on the
/// metric.
/// Throws Error(input) with the nearest name, or with the valid ids.
[[nodiscard]] BuiltinSet builtin_set(std::string_view spec, Metric metric);

}  // namespace tessera
