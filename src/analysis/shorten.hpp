// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "puzzle/board.hpp"
#include "puzzle/metric.hpp"
#include "search/backend.hpp"
#include "search/limits.hpp"
#include "solver/options.hpp"

namespace tessera {

struct ShortenOptions {
  Metric metric = Metric::single;
  std::string heuristic = "linear-conflict";   ///< of a window
  std::string table_directory = {};            ///< empty: the user's cache folder
  std::uint64_t window_nodes = 200'000;        ///< generated nodes that a window may take
  std::uint64_t beam_evaluations = 6'400'000;  ///< that a beam search of all moves may take
  int longest_window = 0;                      ///< in moves; 0: no limit
};

/// As requested: a node limit is for each window and changes the work of beams in proportion; a
/// time limit leaves them to time.
[[nodiscard]] ShortenOptions shorten_options(const SearchOptions& options, int longest_window);

/// Throws Error(input) if the heuristic is unsuitable for moves to that board, Error(resource) if
/// its tables are larger than 1 GiB in all: windows end with the blank in any cell, so that it may
/// need tables for each of them.
void expect_shortenable(const Board& end, const ShortenOptions& options);

struct Shortened {
  std::string moves;         ///< tile letters, from the same board to the same board
  bool is_optimal = false;   ///< one window of all moves was searched to its end
  int longest_window = 0;    ///< in moves, that was searched
  std::optional<Stop> stop;  ///< a limit or signal ended it
};

/// Called after each round with the solution and the length of its windows.
using ShortenProgress = std::function<void(const std::string& moves, int window)>;

/// Shortens a sequence of moves: cuts it into windows of some moves, finds an optimal sequence from
/// the board before each window to the board after it, one window per worker, then shifts the
/// windows by half; again with ever longer windows until almost none can be searched within its
/// nodes. Then beam searches, ever wider, look for shorter ways across all moves, in both
/// directions and in several orders, and across halves and quarters of them. Boards that are
/// visited twice are left out first. The result is verified and, unless a limit ends it, the same
/// for any workers. Throws like expect_shortenable, and Error(internal) if a window's solution is
/// wrong.
[[nodiscard]] Shortened shorten(const Board& start, const std::string& letters,
                                const ShortenOptions& options, Backend& backend,
                                const Limits& limits, const ShortenProgress& progress = {});

}  // namespace tessera
