// SPDX-License-Identifier: MIT
#pragma once

namespace tessera {

/// main under mpirun or srun: rank 0 runs the command, the others work for it.
int cluster_main(int argc, char** argv);

}  // namespace tessera
