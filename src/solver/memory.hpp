// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/memory_limit.hpp"
#include "puzzle/board.hpp"
#include "search/beam/beam.hpp"
#include "solver/plan.hpp"

namespace tessera {

/// Memory of search threads besides tables: a bucket kernel's levels, which are touched only as far
/// as they fill.
[[nodiscard]] std::uint64_t search_bytes(int threads);

/// The memory that each rank at these places has, if all hosts are like this one; on that with the
/// most ranks.
[[nodiscard]] MemoryShare share_of_rank(const std::vector<RankPlace>& places);

/// The most memory that a planned search takes, also while its tables and its automaton are built.
/// Here and below, each host holds the tables once, and `table_bytes` is their size.
[[nodiscard]] std::uint64_t search_memory(const SearchOptions& options, const Workers& workers,
                                          const Plan& plan);

/// Whether tables leave enough of the allowed memory: half of it, and what the search threads of a
/// rank need.
[[nodiscard]] bool fits_memory(const SearchOptions& options, std::uint64_t table_bytes);

/// The memory for building an automaton beside tables. From the total: a resumed search would prune
/// differently with less free memory.
[[nodiscard]] std::uint64_t automaton_room(const SearchOptions& options, std::uint64_t table_bytes);
/// Throws Error(resource) if the automaton of an explicit --prune is too large.
void expect_automaton_room(const SearchOptions& options, Size size, std::uint64_t table_bytes);

/// Throws Error(resource) if the allowed memory is insufficient for a search with such tables.
void expect_memory(const SearchOptions& options, const Workers& workers, std::uint64_t table_bytes);

/// Options for an engine that keeps boards; each rank gets its share of the memory that the tables
/// leave. Throws Error(resource) if they leave none.
[[nodiscard]] BestFirstOptions best_first_options(const SearchOptions& options,
                                                  const Workers& workers,
                                                  std::uint64_t table_bytes);

/// How beam searches take part in solving boards of that size.
[[nodiscard]] IncumbentOptions incumbent_options(const SearchOptions& options,
                                                 const Workers& workers, Size size,
                                                 std::uint64_t table_bytes);

/// The memory of a beam search of the requested width, as text; empty if there is none. Throws
/// Error(resource), with the numbers, if that exceeds the limit.
[[nodiscard]] std::string beam_memory_line(const Problem& problem, const IncumbentOptions& options,
                                           const SubtreeExecutor& executor);

}  // namespace tessera
