// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "heuristic/heuristic_spec.hpp"
#include "pdb/table_store.hpp"
#include "solver/heuristic_choice.hpp"
#include "solver/plan.hpp"

namespace tessera {

/// The table files in a folder, by name.
[[nodiscard]] std::vector<std::filesystem::path> table_files(const std::filesystem::path& folder);

/// The tables of a heuristic for that goal.
[[nodiscard]] std::vector<TableRequest> requests_of(const HeuristicSpec& spec, const Board& goal);
[[nodiscard]] inline std::vector<TableRequest> requests_of(const ChosenHeuristic& heuristic) {
  return requests_of(heuristic.spec, heuristic.target);
}
/// The same, and the automaton of its pruning where one is stored; that one cannot be built by its
/// request.
[[nodiscard]] std::vector<TableRequest> requests_of(const Plan& plan);
/// Whether all of them are in the folder, if there is one.
[[nodiscard]] bool is_ready(const std::vector<TableRequest>& requests,
                            const std::string& directory);
/// Whether the automaton of that rule is in the folder.
[[nodiscard]] bool is_stored(PruneRule rule, Size size, const std::string& directory);
/// Those of them that are not there.
[[nodiscard]] std::vector<TableRequest> missing_of(std::vector<TableRequest> requests,
                                                   const std::string& directory);
/// Why tables cannot be opened, or built if they are missing; empty if nothing is in the way.
[[nodiscard]] std::string obstacle_to(const std::string& directory,
                                      const std::vector<TableRequest>& tables);
/// The total cost of tables.
[[nodiscard]] TableCost total_cost(const std::vector<TableRequest>& requests);
/// Upper estimate of the time to build tables with the threads of the options.
[[nodiscard]] double build_seconds(const SearchOptions& options,
                                   const std::vector<TableRequest>& requests);
/// Whether that many seconds of building leave half of the time limit, if there is one, to the
/// searches of so many boards.
[[nodiscard]] bool leaves_time(const SearchOptions& options, std::size_t boards, double seconds);
/// The bytes of a heuristic's tables, and of those not yet in the folder.
[[nodiscard]] std::uint64_t table_bytes(const HeuristicSpec& spec, const Board& goal);
[[nodiscard]] std::uint64_t missing_table_bytes(const std::string& directory,
                                                const ChosenHeuristic& heuristic);
/// Throws Error if the missing tables cannot be written.
void expect_table_room(const std::string& directory, const ChosenHeuristic& heuristic);
/// The command that builds a heuristic's tables; empty unless it is `walking`, `escapes`, a name
/// that starts with "pdb:", or the best one with tables in metric multi.
[[nodiscard]] std::string build_command(const SearchOptions& options, const std::string& heuristic,
                                        const Board& goal);

}  // namespace tessera
