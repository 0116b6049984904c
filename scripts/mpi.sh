# SPDX-License-Identifier: MIT
# Sourced by the scripts that start Open MPI's mpirun. Version 5 has another launcher (PRRTE), which
# renamed settings; each version ignores the other's names in the environment, but rejects unknown
# components on the command line. tests/CMakeLists.txt has the same for the tests.

mpi_major() { mpirun --version | sed -n '1s/.*(Open MPI) \([0-9]*\).*/\1/p'; }

# mpirun_for RANKS: sets the array mpirun to what starts them here: as root, on fewer cores than
# ranks, or without an ssh client too. Options, not environment, so that the line can be shown.
mpirun_for() {
  # Always, as Open MPI counts cores and nproc counts their threads; where cores do for all ranks
  # each is still bound to its own.
  mpirun=(mpirun --oversubscribe)
  [ "$(id -u)" != 0 ] || mpirun+=(--allow-run-as-root)
  # Version 5 needs no ssh for the machine that it runs on.
  command -v ssh >/dev/null || [ "$(mpi_major)" -ge 5 ] || mpirun+=(--mca plm isolated)
  mpirun+=(-np "$1")
}

# The same as environment, for scripts whose callers give mpirun's options.
allow_mpi_here() {
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  export OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
  command -v ssh >/dev/null || export OMPI_MCA_plm=isolated
}
