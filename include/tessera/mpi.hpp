// SPDX-License-Identifier: MIT
/// The solver on the ranks of an MPI program. In CMake: find_package(tessera COMPONENTS mpi),
/// target tessera::mpi.
#pragma once

#include <boost/mpi/communicator.hpp>
#include <functional>

#include <tessera/tessera.hpp>

namespace tessera::api {

/// Calls `work` on rank 0 of `world`, with a solver on all its ranks, and returns on each rank when
/// it has returned. The other ranks work for the solver; to give them its answers, broadcast them
/// afterwards (examples/on_ranks.cpp).
///
/// Collective: every rank calls it, each after it has added its heuristics; the options are those
/// of rank 0. `world` may be any communicator, such as a part from split(), or, for an MPI_Comm,
/// {comm, boost::mpi::comm_attach}; messages of the program on it are not disturbed. The caller
/// initializes MPI, at least for MPI_THREAD_FUNNELED, from the thread that calls this. Waiting
/// ranks poll and sleep.
///
/// The solver is valid until `work` returns. Meanwhile the other ranks wait for it: `work` must not
/// call collective functions that need them, on_ranks() included.
///
/// Throws on rank 0 what `work` throws, and Error(input) for bad options; the other ranks return as
/// usual. If a rank fails during a search (out of memory, an exception in a heuristic of one's
/// own), solve() throws an Error that says which and why, boards that need other ranks can no
/// longer be solved, and on_ranks() throws such an Error on every rank. What rank 0 does alone,
/// such as planning and small searches, throws from solve() only, and so do tables that cannot be
/// built or opened. Throws Error(input) for a `world` that is MPI_COMM_NULL.
void on_ranks(const boost::mpi::communicator& world, const Options& options,
              const std::function<void(Solver&)>& work);

}  // namespace tessera::api
