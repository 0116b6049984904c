// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json_fwd.hpp>
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

/// A document about a game as a row of CSV, with the heading of such rows if it is the first: its
/// single values, the board, and the number of its mistakes.
[[nodiscard]] std::string csv_of_game(const nlohmann::ordered_json& json, bool is_first);

}  // namespace tessera
