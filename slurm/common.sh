# SPDX-License-Identifier: MIT
# Sourced by the job scripts. What a user edits stands in those; here is what they share.

tessera=${TESSERA:-tessera}
threads=${SLURM_CPUS_PER_TASK:-1}
ranks=${SLURM_NTASKS:-1}
results=${RESULTS:-tessera-${SLURM_JOB_ID:-0}}

# BOARDS is read as a shell would: quotes keep a board together.
if ! split=$(xargs -r -n 1 printf '%s\n' <<<"${BOARDS:---set korf100:1-10}" 2>/dev/null); then
  echo "BOARDS=$BOARDS: a quote is not closed" >&2
  exit 2
fi
mapfile -t boards <<<"$split"

if [ -z "${DRY_RUN:-}" ] && ! command -v "$tessera" >/dev/null; then
  echo "$tessera: no such program; give its path: TESSERA=/path/to/tessera sbatch ..." >&2
  exit 2
fi

# Echoes a command and runs it; with DRY_RUN=1 only echoes it.
launch() {
  printf '+'
  printf ' %q' "$@"
  printf '\n'
  [ -n "${DRY_RUN:-}" ] || "$@"
}

# A rank a task, each bound to as many cores as it has threads.
mpi=(mpirun -np "$ranks" --map-by "slot:pe=$threads")
