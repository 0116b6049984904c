// SPDX-License-Identifier: MIT
/// The solver on the ranks of an MPI program. In CMake: find_package(tessera COMPONENTS mpi),
/// target tessera::mpi.
#pragma once

#include <boost/mpi/communicator.hpp>
#include <functional>

#include <tessera/tessera.hpp>

namespace tessera::api {

/// Calls `work` on rank 0 of `world`, with a solver on all its ranks, and returns on each rank when
/// it has returned. Collective: every rank calls it, each after it has added its heuristics; the
/// options are those of rank 0. The caller initializes MPI, at least for
/// MPI_THREAD_FUNNELED, from the thread that calls this; messages of the program on `world` are not
/// disturbed. Waiting ranks poll and sleep.
///
/// Throws on rank 0 what `work` throws. If a rank fails (out of memory, a damaged table), every
/// rank throws Error.
void on_ranks(const boost::mpi::communicator& world, const Options& options,
              const std::function<void(Solver&)>& work);

}  // namespace tessera::api
