// SPDX-License-Identifier: MIT
#include "puzzle/board_collector.hpp"

#include "puzzle/goal.hpp"

namespace tessera {
namespace {

void expect_size(const Board& board, Size size) {
  if (board.size() == size) return;
  bad_input("board is " + to_string(board.size()) + ", expected " + to_string(size));
}

}  // namespace

void BoardCollector::finish(const BoardHeader* header, NamedBoard& board) const {
  if (options_.size) expect_size(board.board, *options_.size);
  if (header != nullptr) {
    if (header->size) expect_size(board.board, *header->size);
    if (!header->goal.empty()) board.goal = header->goal;
    // Where what the generator says is wrong, its goal is another one.
    if (board.goal.empty() && header->solvable_spirally) {
      const Goal spiral(Goal::Kind::spiral);
      const bool reaches = solvable(board.board, spiral.board(board.board.size()));
      if (reaches == *header->solvable_spirally) board.goal = to_string(spiral);
    }
  }
  if (board.id.empty()) board.id = std::to_string(found_);
}

}  // namespace tessera
