-- SPDX-License-Identifier: MIT
-- For Lmod: copy this folder into one of $MODULEPATH. The two lines that a site edits:
local prefix = "/opt/tessera/0.1.0" -- what cmake --install had for --prefix
local mpi = "" -- the module of the MPI that it was built with, such as "openmpi/4.1.4"

help([[
Optimal solver of sliding-tile puzzles, on threads and on MPI ranks.
Try: tessera info, tessera solve --set haskell, man tessera.
Job scripts are in $TESSERA_ROOT/share/tessera/slurm; with SLURM_SCRIPTS they find one another.
]])
whatis("Name: tessera")
whatis("Version: 0.1.0")
whatis("Description: optimal solver of sliding-tile puzzles, on threads and on MPI ranks")

if mpi ~= "" then
  depends_on(mpi)
end

setenv("TESSERA_ROOT", prefix)
setenv("SLURM_SCRIPTS", pathJoin(prefix, "share/tessera/slurm"))
prepend_path("PATH", pathJoin(prefix, "bin"))
prepend_path("MANPATH", pathJoin(prefix, "share/man"))
prepend_path("XDG_DATA_DIRS", pathJoin(prefix, "share"))
append_path("XDG_DATA_DIRS", "/usr/local/share:/usr/share") -- what an unset variable means
prepend_path("CMAKE_PREFIX_PATH", prefix)
