// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "report/board_task.hpp"
#include "serve/page_server.hpp"
#include "solver/plan.hpp"

namespace tessera {

/// The boards in a request: texts in any format, or arrays of tiles.
struct BoardRequest : BoardTask {
  std::size_t others = 0;  ///< further boards of the text, ignored
};

struct SearchRequest {
  BoardRequest boards;
  std::optional<std::string> moves = {};  ///< of a game to be analysed, instead of one search
  SearchOptions options;
  Plan plan;
};

struct ScrambleRequest {
  Board goal;
  int moves = 0;  ///< 0: any solvable board
  std::uint64_t seed = 0;
};

/// Read the bodies of requests (docs/serve.md). Throw Error(input).
[[nodiscard]] SearchRequest parse_search_request(const std::string& body,
                                                 const ServeOptions& options);
[[nodiscard]] SearchRequest parse_analysis_request(const std::string& body,
                                                   const ServeOptions& options);
[[nodiscard]] ScrambleRequest parse_scramble_request(const std::string& body);

/// A board, or what is wrong with it; throws Error(input) only if the body is not a JSON object.
[[nodiscard]] std::variant<BoardRequest, std::string> try_board_request(const std::string& body);

/// The available heuristics for boards of that goal, as a JSON array (docs/serve.md): the
/// registry's, and partitions for databases; each with its memory and whether its tables exist.
[[nodiscard]] std::string heuristic_list(const Board& goal, Metric metric,
                                         const ServeOptions& options);

/// Why a board is unsolvable, in one sentence; empty if it is solvable.
[[nodiscard]] std::string unsolvable_reason(const Board& board, const Board& goal);

}  // namespace tessera
