// SPDX-License-Identifier: MIT
#pragma once

namespace tessera::open_mpi {

/// Before MPI starts: avoids what Open MPI 5 is reported to lose messages in, and what it warns of
/// needlessly where all ranks run on one host.
void settle_transports();

/// Whether ranks of a host may look into each other's memory; Open MPI's own switch, which 4 and 5
/// name differently.
[[nodiscard]] bool single_copy_allowed();

}  // namespace tessera::open_mpi
