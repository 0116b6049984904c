// SPDX-License-Identifier: MIT
#include "analysis/game_analysis.hpp"

#include <algorithm>

#include "puzzle/move_sequence.hpp"

namespace tessera {
namespace {

// Whether that move, as a whole, is the first one of a solution.
bool begins_with(const std::string& solution, const std::string& move, Metric metric) {
  return solution.starts_with(move) &&
         (metric == Metric::single || solution.size() == move.size() ||
          solution[move.size()] != move.back());
}

void narrow(Bracket& bracket, const Bracket& neighbor) {
  bracket.lower = std::max(bracket.lower, neighbor.lower - 1);
  if (!neighbor.upper) return;
  const int upper = *neighbor.upper + 1;
  bracket.upper = std::min(bracket.upper.value_or(upper), upper);
}

}  // namespace

GameAnalysis analyse_game(const Board& start, const Board& goal, std::string_view letters,
                          Metric metric, const FindDistance& find, const GameProgress& reached) {
  const std::vector<std::string> moves = moves_of(letters, metric);
  const std::vector<Board> boards = boards_along(start, moves);
  GameAnalysis game;
  game.length = static_cast<int>(moves.size());
  game.solves = boards.back() == goal;
  std::vector<std::string> solutions;
  for (std::size_t i = 0; i < boards.size(); ++i) {
    Distance distance;
    const bool follows =
        i > 0 && game.is_exact(i - 1) && begins_with(solutions[i - 1], moves[i - 1], metric);
    if (boards[i] == goal) {
      distance.bracket.upper = 0;
    } else if (follows) {
      const int left = game.brackets[i - 1].lower - 1;
      distance = {{left, left}, solutions[i - 1].substr(moves[i - 1].size())};
    } else {
      const bool has_known = i > 0 && (boards[i - 1] == goal || !solutions[i - 1].empty());
      distance = find(boards[i], has_known ? undone(moves[i - 1]) + solutions[i - 1] : "");
    }
    game.brackets.push_back(distance.bracket);
    solutions.push_back(std::move(distance.moves));
    if (reached) reached(i, distance.bracket);
  }
  for (std::size_t i = 1; i < boards.size(); ++i) narrow(game.brackets[i], game.brackets[i - 1]);
  for (std::size_t i = boards.size() - 1; i > 0; --i)
    narrow(game.brackets[i - 1], game.brackets[i]);
  for (std::size_t i = 1; i < boards.size(); ++i) {
    if (!game.is_exact(i - 1) || !game.is_exact(i)) continue;
    const int before = game.brackets[i - 1].lower;
    const int after = game.brackets[i].lower;
    if (after >= before) {
      const bool is_optimal = solution_length(solutions[i - 1], metric) == before;
      game.mistakes.push_back(
          {static_cast<int>(i), before, after, is_optimal ? solutions[i - 1] : ""});
    }
  }
  return game;
}

std::vector<int> lost_moves(const GameAnalysis& game, int window) {
  std::vector<int> lost;
  for (int begin = 0; begin + window <= game.length; ++begin) {
    const auto first = static_cast<std::size_t>(begin);
    const auto last = static_cast<std::size_t>(begin + window);
    const bool known = game.is_exact(first) && game.is_exact(last);
    lost.push_back(known ? window + game.brackets[last].lower - game.brackets[first].lower : -1);
  }
  return lost;
}

}  // namespace tessera
