// SPDX-License-Identifier: MIT
#pragma once

#include "puzzle/board.hpp"
#include "solver/heuristic_choice.hpp"
#include "solver/options.hpp"

namespace tessera {

/// From which end to search a board that is not easy: the same from the goal if `search_from` and
/// `heuristic` are `auto` and that tree is clearly smaller, by samples of both; else `chosen`,
/// perhaps with advice. May open tables, which takes seconds; builds none.
[[nodiscard]] ChosenHeuristic choose_end(const SearchOptions& options, ChosenHeuristic chosen,
                                         const Board& start, const Board& goal);

}  // namespace tessera
