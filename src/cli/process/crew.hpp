// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/process/context.hpp"
#include "report/board_result.hpp"
#include "report/progress.hpp"

namespace tessera {

/// The workers that the options select, and how results describe them.
struct Crew {
  RunSetup setup;
  std::vector<RankPlace> places;
  std::unique_ptr<Backend> own;
  Backend* backend = nullptr;
};

/// Without the workers themselves; with `mpi`, for `ranks` ranks.
[[nodiscard]] Crew layout_of(const Config& config, const Context& context, int ranks);

/// Throws Error(input) if the backend is not available.
[[nodiscard]] Crew hire(const Config& config, Context& context);

/// Adds workers of this process, for `serial` or `threads`.
void use_own(Crew& crew);

/// Builds or opens the tables and the pruning automaton of a problem, if it has any; `name` is its
/// heuristic's. False if a limit or signal stopped it.
[[nodiscard]] bool prepare_tables(Backend& backend, const Problem& problem, const std::string& name,
                                  const Limits& limits, ProgressObserver& progress);

/// Memory of search threads besides tables: a bucket kernel's levels, which are touched only as far
/// as they fill.
[[nodiscard]] std::uint64_t search_bytes(int workers);

/// "2 CPUs per rank", or "per host" if its ranks share them.
[[nodiscard]] std::string cpus_text(const Crew& crew);

/// A line of warning if threads of a rank, or all of a host, have too few CPUs; else empty.
/// `option` sets the number of threads: --threads (of a rank) or --workers (of all ranks).
[[nodiscard]] std::string binding_warning(const Config& config, const Crew& crew,
                                          std::string_view option);

}  // namespace tessera
