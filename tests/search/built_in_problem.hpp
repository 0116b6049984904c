// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "puzzle/builtin_set.hpp"
#include "search/problem.hpp"

namespace tessera {

/// The first board of a built-in set, such as "korf100:12".
inline Problem built_in_problem(const std::string& spec, const std::string& heuristic = "manhattan",
                                Kernel kernel = Kernel::automatic) {
  const BuiltinSet set = builtin_set(spec, Metric::single);
  const Board& board = set.boards[0].board.board;
  return {make_instance(board, set.goal.board(board.size())), heuristic, kernel};
}

}  // namespace tessera
