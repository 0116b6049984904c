// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/memory_limit.hpp"
#include "cli/process/crew.hpp"

namespace tessera {

/// Adapts the configuration to --engine: options that the engine ignores are set to what it
/// actually does, with a note if the user requested something else. Throws Error(input) if options
/// exclude one another. Unchanged for ida.
[[nodiscard]] Config for_engine(Config config, int ranks, std::vector<std::string>& notes);

/// Checks whether a configuration adapted to its engine also suits boards of a size and their
/// heuristic. Throws Error(input).
void check_board(const Config& config, Size size, const std::string& heuristic);

/// The search of a board with a resolved heuristic, as configured.
[[nodiscard]] Problem problem_of(const Config& config, const Board& start, const Board& goal,
                                 const std::string& heuristic);

/// The options for IDA* and its relatives; without incumbents and a journal.
[[nodiscard]] IdaStarOptions ida_star_options(const Config& config);

/// The option that prevents solving boards in parallel, one worker each, or null.
[[nodiscard]] const char* why_no_batch(const Config& config);

/// Whether the engine stores the boards that it reaches: astar, greedy, bfs.
[[nodiscard]] bool keeps_boards(const Config& config);

/// Whether the engine deepens iteratively, in subtrees: ida, iddfs, iddfs-pruned.
[[nodiscard]] bool cuts_trees(const Config& config);

/// The memory of a rank if `ranks` are spread evenly over `hosts` hosts like this one.
[[nodiscard]] MemoryShare share_of_rank(int ranks, int hosts);

/// The total memory of such an engine, including tables: --memory, or most of the machines'.
[[nodiscard]] std::uint64_t board_memory(const Config& config, const RunSetup& setup);

/// Options for such an engine; each rank gets its share of the memory that the tables leave. Throws
/// Error(resource) if they leave none.
[[nodiscard]] BestFirstOptions best_first_options(const Config& config, const Crew& crew,
                                                  std::uint64_t table_bytes);

/// Checks, for --record, the number of boards and the path. Throws Error(input).
void expect_recordable(const Config& config, std::size_t boards);

/// Throws Error(resource) if --memory is insufficient for the search and tables of that size.
void expect_memory(const Config& config, const Crew& crew, std::uint64_t table_bytes);

/// How beam searches take part in solving boards of that size; the tables take `table_bytes`.
[[nodiscard]] IncumbentOptions incumbent_options(const Config& config, const RunSetup& setup,
                                                 Size size, std::uint64_t table_bytes);

/// The memory of a beam search of the requested width, as text; empty if none was requested. Throws
/// Error(resource), with the numbers, if that exceeds the limit.
[[nodiscard]] std::string beam_memory_line(const Problem& problem, const IncumbentOptions& options,
                                           const BeamExecutor& executor);

}  // namespace tessera
