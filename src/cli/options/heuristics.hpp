// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/options/config.hpp"
#include "pdb/table_store.hpp"
#include "puzzle/board.hpp"

namespace tessera {

/// The heuristic of a board: its name for users, and its text for workers.
struct ChosenHeuristic {
  std::string name;
  std::string spec;
  std::string advice;  ///< a faster table that `auto` did without
};

/// Resolves --heuristic. `auto` depends on the size, the metric, the number of boards, the memory
/// allowed, the tables that exist and, if `start` is known, on how hard the board is
/// (docs/algorithms.md has the rule). Throws Error(input).
[[nodiscard]] ChosenHeuristic choose_heuristic(const Config& config, const Board& goal,
                                               std::size_t boards, const Board* start = nullptr);

/// The name under which `auto` chooses a resolved heuristic; its text if `auto` does not.
[[nodiscard]] std::string heuristic_name(const std::string& spec, const Board& goal);

/// The command that builds a heuristic's tables; empty unless its name starts with "pdb:".
[[nodiscard]] std::string build_command(const Config& config, const std::string& heuristic,
                                        const Board& goal);

/// The table folder: --pdb-dir, else the user's cache folder.
[[nodiscard]] std::string table_folder(const Config& config);

/// The table files in a folder, by name.
[[nodiscard]] std::vector<std::filesystem::path> table_files(const std::filesystem::path& folder);
/// The total cost of tables.
[[nodiscard]] TableCost total_cost(const std::vector<TableRequest>& requests);
/// The bytes of a heuristic's tables, and of those not yet in the folder.
[[nodiscard]] std::uint64_t table_bytes(const std::string& spec, const Board& goal);
[[nodiscard]] std::uint64_t missing_table_bytes(const Config& config, const std::string& spec,
                                                const Board& goal);
/// Throws Error if the missing tables cannot be written.
void expect_table_room(const Config& config, const std::string& spec, const Board& goal);

}  // namespace tessera
