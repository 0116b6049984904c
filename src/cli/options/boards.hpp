// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "cli/options/config.hpp"
#include "solver/plan.hpp"

namespace tessera {

struct BoardTasks {
  std::vector<BoardTask> tasks;
  std::vector<std::string> complaints;  ///< bad boards, with --keep-going
  std::vector<std::string> notes;       ///< what may be a mistake in the file
};

/// A board with its goal: --goal, else its own, else the default. Throws Error(input).
[[nodiscard]] BoardTask board_task(const Config& config, const NamedBoard& board);

/// The board of BOARD, whose quotes may be forgotten: its words. Throws Error(input).
[[nodiscard]] BoardTask parse_board_task(const Config& config, std::span<const std::string> words);

/// The board after the moves of --scramble, from the goal. Throws Error(input).
[[nodiscard]] BoardTask scrambled_task(const Config& config);

/// Reads the boards of BOARD, --file, --set or --scramble. Throws Error(input) if there is no
/// board or a bad one.
[[nodiscard]] BoardTasks read_board_tasks(const Config& config);

/// Options that do not suit a board of one size may suit the others: an error should name it.
template <class Task>
[[nodiscard]] bool have_several_sizes(const std::vector<Task>& boards) {
  return std::ranges::any_of(boards, [&](const BoardTask& board) {
    return board.board.size() != boards.front().board.size();
  });
}

}  // namespace tessera
