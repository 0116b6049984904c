// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "analysis/game_analysis.hpp"
#include "search/observer.hpp"
#include "solver/board_solver.hpp"

namespace tessera {

/// Limits for one of so many parts of the work that is left: an equal part of the time.
[[nodiscard]] Limits equal_part(const Limits& limits, std::size_t parts);

/// The same for boards most of which are easy: up to 32 times as much where an equal part is less
/// than 50 ms, too little for a hard board anyway.
[[nodiscard]] Limits part_for_easy_boards(const Limits& limits, std::size_t boards);

/// Follows games with a solver. Each board that is searched gets its part of the time that is left
/// for all of them (part_for_easy_boards). Keeps references to what it is made with.
class GameSearch {
 public:
  /// `boards`: of all games, those at the start included.
  GameSearch(const SearchOptions& options, BoardSolver& solver, Limits limits, std::size_t boards,
             Observer& observer)
      : options_(options),
        solver_(solver),
        limits_(limits),
        boards_left_(boards),
        observer_(observer) {}

  /// The plan's tables must be open. `reached` is called after each board.
  [[nodiscard]] GameAnalysis analyse(const Plan& plan, const Board& start, const Board& goal,
                                     std::string_view moves, const GameProgress& reached = {});

 private:
  [[nodiscard]] Distance distance(const Plan& plan, const Board& board, const Board& goal,
                                  const std::string& known);
  [[nodiscard]] bool is_overdue() const;

  const SearchOptions& options_;
  BoardSolver& solver_;
  const Limits limits_;
  std::size_t boards_left_;
  Observer& observer_;
};

}  // namespace tessera
