// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.hpp"
#include "cli/process/context.hpp"
#include "report/board_result.hpp"
#include "report/progress.hpp"
#include "search/limits.hpp"
#include "solver/board_solver.hpp"

namespace tessera {

/// The workers that the options select; with `mpi`, of `ranks` ranks.
[[nodiscard]] Workers workers_of(const SearchOptions& options, const Context& context, int ranks);

/// How results describe these workers.
[[nodiscard]] RunSetup setup_of(const SearchOptions& options, const Workers& workers);

/// Workers with their backend.
struct Crew {
  /// `mpi`: the backend over their ranks; null with `serial` and `threads`.
  explicit Crew(Workers selected, Backend* mpi = nullptr)
      : workers(std::move(selected)),
        own(mpi == nullptr ? local_backend(workers) : nullptr),
        backend(mpi == nullptr ? own.get() : mpi) {}

  Workers workers;
  std::unique_ptr<Backend> own;
  Backend* backend;
};

/// With `mpi`, calls the other ranks. Throws Error(input) if the backend is not available.
[[nodiscard]] Crew make_crew(Workers workers, const SearchOptions& options, Context& context);
/// The workers that the options select, of all ranks.
[[nodiscard]] Crew make_crew(const SearchOptions& options, Context& context);

/// Of a run that begins now. `nodes`: 0: no limit.
[[nodiscard]] inline Limits limits_of(const SearchOptions& options, const Context& context,
                                      std::uint64_t nodes = 0) {
  Limits limits{.nodes = nodes, .interrupted = &context.interrupted};
  if (options.time_limit) limits.deadline = Stopwatch::Clock::now() + *options.time_limit;
  return limits;
}

/// Prepares a plan and shows the progress. False if a limit or signal stopped it.
[[nodiscard]] bool prepare_tables(BoardSolver& solver, const Plan& plan, const Limits& limits,
                                  ProgressObserver& progress);

/// "2 CPUs per rank", or "per host" if its ranks share them.
[[nodiscard]] std::string cpus_text(const Workers& workers);

/// A line of warning if threads of a rank, or all of a host, have too few CPUs; else empty.
/// `option` sets the number of threads: --threads (of a rank) or --workers (of all ranks).
[[nodiscard]] std::string binding_warning(const SearchOptions& options, const Workers& workers,
                                          std::string_view option);

}  // namespace tessera
