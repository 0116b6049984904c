// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/options/boards.hpp"
#include "cli/options/config.hpp"

namespace tessera {

/// A board with moves that somebody made from it.
struct Game : BoardTask {
  std::string moves;  ///< tile letters, legal from `board`
  std::string place;  ///< "FILE:LINE: ", empty without a file
};

/// The game of BOARD or --scramble and --moves, or those of --file: JSON lines or the rows of a CSV
/// with `board`, `moves` and perhaps `id`, `size` and `goal`, as rows of results are. Rows without
/// moves are skipped, which a note says. Throws Error(input).
[[nodiscard]] std::vector<Game> read_games(const Config& config, std::vector<std::string>& notes);

}  // namespace tessera
