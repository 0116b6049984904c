// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/crew.hpp"
#include "tessera/base/memory_limit.hpp"

namespace tessera {

/// The configuration as --engine wants it: what an engine has no use for is set to what it does
/// instead, with a note where a person asked for something else. Throws Error(input) where options
/// exclude one another. Unchanged for ida.
[[nodiscard]] Config for_engine(Config config, int ranks, std::vector<std::string>& notes);

/// Whether a configuration that is as its engine wants it also suits boards of a size and their
/// heuristic. Throws Error(input).
void check_board(const Config& config, Size size, const std::string& heuristic);

/// The search of a board with a resolved heuristic that the configuration asks for.
[[nodiscard]] Problem problem_of(const Config& config, const Board& start, const Board& goal,
                                 const std::string& heuristic);

/// How the options have IDA* and its relatives search; without incumbents and a journal.
[[nodiscard]] IdaStarOptions ida_star_options(const Config& config);

/// The option that keeps a board from being one of many that are solved side by side, or null.
[[nodiscard]] const char* why_no_batch(const Config& config);

/// Whether the engine keeps the boards that it meets: astar, greedy, bfs.
[[nodiscard]] bool keeps_boards(const Config& config);

/// The memory of a rank where so many are spread evenly over so many hosts like this one.
[[nodiscard]] MemoryShare share_of_rank(int ranks, int hosts);

/// What such an engine may take in all, tables too: --memory, or most of the machines.
[[nodiscard]] std::uint64_t board_memory(const Config& config, const RunSetup& setup);

/// What such an engine needs to know; each rank gets its share of the memory that the tables leave.
/// Throws Error(resource) where they leave none.
[[nodiscard]] BestFirstOptions best_first_options(const Config& config, const Crew& crew,
                                                  std::uint64_t table_bytes);

/// Throws Error(resource) where --memory does not do for the search and tables of that size.
void expect_memory(const Config& config, const Crew& crew, std::uint64_t table_bytes);

/// How beam searches take part in solving boards of that size; tables take so many bytes.
[[nodiscard]] IncumbentOptions incumbent_options(const Config& config, const RunSetup& setup,
                                                 Size size, std::uint64_t table_bytes);

/// The memory that a beam search of the width that was asked for takes, for a person; empty where
/// none was. Throws Error(resource), with the figures, where that is more than it may take.
[[nodiscard]] std::string beam_memory_line(const Problem& problem, const IncumbentOptions& options,
                                           const BeamExecutor& executor);

}  // namespace tessera
