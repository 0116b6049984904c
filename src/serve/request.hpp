// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "serve/page_server.hpp"
#include "solver/session.hpp"

namespace tessera {

struct SearchRequest : SessionTask {
  std::optional<std::string> moves = {};  ///< of a game to be analysed, instead of one search
};

/// Read the bodies of requests (docs/serve.md). Throw Error(input).
[[nodiscard]] SearchRequest parse_search_request(const std::string& body,
                                                 const ServeOptions& options);
[[nodiscard]] SearchRequest parse_analysis_request(const std::string& body,
                                                   const ServeOptions& options);

/// A random solvable board, or the goal after random moves, as a JSON object (docs/serve.md).
/// Throws Error(input).
[[nodiscard]] std::string scramble_board(const std::string& body);

/// A board, its goal and whether moves lead there, or what is wrong with it, as a JSON object
/// (docs/serve.md): an invalid board is a valid answer. Throws Error(input) for other keys.
[[nodiscard]] std::string check_boards(const std::string& body);

/// The available heuristics for boards of that goal, as a JSON array (docs/serve.md): the
/// registry's, and partitions for databases; each with its memory and whether its tables exist.
/// `time_limit` of a search, as text, decides what auto stands for; empty: the default. Throws
/// Error(input).
[[nodiscard]] std::string heuristic_list(const Board& goal, Metric metric,
                                         const std::string& time_limit,
                                         const ServeOptions& options);

}  // namespace tessera
