// SPDX-License-Identifier: MIT
#include "analysis/steps.hpp"

namespace tessera {

std::vector<std::string> moves_of(std::string_view letters, Metric metric) {
  std::vector<std::string> moves;
  for (const char letter : letters) {
    if (metric == Metric::multi && !moves.empty() && moves.back().back() == letter) {
      moves.back() += letter;
    } else {
      moves.emplace_back(1, letter);
    }
  }
  return moves;
}

std::vector<Board> boards_along(const Board& start, const std::vector<std::string>& moves) {
  std::vector<Board> boards{start};
  for (const std::string& move : moves) boards.push_back(replayed(boards.back(), move).value());
  return boards;
}

}  // namespace tessera
