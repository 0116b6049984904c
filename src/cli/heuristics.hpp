// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/boards.hpp"
#include "cli/config.hpp"
#include "tessera/puzzle/board.hpp"

namespace tessera {

/// The heuristic of a board: as a person names it, and as workers read it.
struct ChosenHeuristic {
  std::string name;
  std::string spec;
  std::string advice;  ///< a table that would be faster, where `auto` chose without it
};

/// What --heuristic says. `auto` goes by the size, the metric, the number of boards, the memory
/// allowed, the tables that lie ready and, where `start` is known, by how hard the board is
/// (docs/algorithms.md has the rule). Throws Error(input).
[[nodiscard]] ChosenHeuristic choose_heuristic(const Config& config, const Board& goal,
                                               std::size_t boards, const Board* start = nullptr);

/// Where tables are kept: --pdb-dir, else the user's cache folder.
[[nodiscard]] std::string table_folder(const Config& config);

/// Checks that missing tables can be written, board by board. Consecutive boards with the same
/// heuristic and goal are checked only once.
class TableRoom {
 public:
  explicit TableRoom(const Config& config) : config_(config) {}
  /// Throws Error if the tables of `spec` cannot be written.
  void expect(const std::string& spec, const Board& goal);

 private:
  const Config& config_;
  std::string last_;
};

/// The bytes of its tables.
[[nodiscard]] std::uint64_t table_bytes(const std::string& spec, const Board& goal);
/// The largest of a board's tables: boards of one goal share them. As many heuristics as boards.
[[nodiscard]] std::uint64_t most_table_bytes(const std::vector<ChosenHeuristic>& heuristics,
                                             const std::vector<BoardTask>& boards);

}  // namespace tessera
