// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/options/boards.hpp"
#include "cli/options/config.hpp"

namespace tessera {

/// A board with moves that somebody made from it.
struct Game : BoardTask {
  std::string moves;  ///< tile letters, legal from `board`
};

struct Games {
  std::vector<Game> games;
  std::vector<std::string> complaints;  ///< bad games of the file, with --keep-going
  std::vector<std::string> notes;       ///< what may be a mistake in the file
};

/// Throws Error(input) for a game that the command does not take.
using CheckGame = std::function<void(const Game&)>;

/// The game of BOARD or --scramble and --moves, or those of --file: JSON lines or the rows of a CSV
/// with `board`, `moves` and perhaps `id`, `size` and `goal`, as rows of results are. Rows without
/// moves are skipped, which a note says. Throws Error(input) if there is no game or, without
/// --keep-going, a bad one.
[[nodiscard]] Games read_games(const Config& config, const CheckGame& check);

}  // namespace tessera
