# SPDX-License-Identifier: MIT
# Sourced by the benchmark scripts.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tessera=${TESSERA:-$root/build/release/tessera}
runs=${RUNS:-5}
. "$root/scripts/mpi.sh"
allow_mpi_here

if [ ! -x "$tessera" ]; then
  echo "$0: no program at $tessera; build it first: cmake --preset release && cmake --build --preset release" >&2
  exit 2
fi

machine() {
  printf '%s, %s cores, %s, load %s\n' "$(awk -F': ' '/model name/{print $2; exit}' /proc/cpuinfo)" \
    "$(nproc)" "$(date +%F)" "$(cut -d' ' -f1 /proc/loadavg)"
}

# measure user|real COMMAND...: seconds of one run
measure() {
  local TIMEFORMAT what=$1
  shift
  if [ "$what" = user ]; then TIMEFORMAT=%U; else TIMEFORMAT=%R; fi
  { time "$@" >/dev/null 2>/dev/null; } 2>&1
}

# median, min and max of numbers on standard input, in one line
spread() {
  sort -g | awk '{v[NR]=$1} END{m=NR%2?v[(NR+1)/2]:(v[NR/2]+v[NR/2+1])/2; printf "%.3f (%.3f to %.3f)", m, v[1], v[NR]}'
}
