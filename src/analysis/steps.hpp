// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "puzzle/board.hpp"
#include "puzzle/metric.hpp"

namespace tessera {

/// The moves of a metric in a string of tile letters: single letters, or runs of equal ones.
[[nodiscard]] std::vector<std::string> moves_of(std::string_view letters, Metric metric);

/// The boards before the first and after each of these moves, which must be legal.
[[nodiscard]] std::vector<Board> boards_along(const Board& start,
                                              const std::vector<std::string>& moves);

}  // namespace tessera
