// SPDX-License-Identifier: MIT
#pragma once

namespace tessera::open_mpi {

/// Call it before MPI starts: avoids the transport in which Open MPI 5 is reported to lose
/// messages, and its needless warnings if all ranks run on one host.
void settle_transports();

/// Whether ranks of a host may read each other's memory: Open MPI's own option, which versions 4
/// and 5 name differently.
[[nodiscard]] bool single_copy_allowed();

}  // namespace tessera::open_mpi
