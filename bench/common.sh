# SPDX-License-Identifier: MIT
# Sourced by the benchmark scripts.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tessera=${TESSERA:-$root/build/release/tessera}
runs=${RUNS:-5}
. "$root/scripts/mpi.sh"
allow_mpi_here
export LC_ALL=C.UTF-8 # numbers with a decimal point

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

# launched COMMAND [LAUNCH...] -- OPTIONS...: a command of the program, under a launcher
launched() {
  local command=$1 launch=()
  shift
  while [ "$1" != -- ]; do launch+=("$1"); shift; done
  shift
  "${launch[@]}" "$tessera" "$command" "$@" 2>/dev/null
}

# median, min and max of numbers on standard input, in one line
spread() {
  sort -g | awk '{v[NR]=$1} END{m=NR%2?v[(NR+1)/2]:(v[NR/2]+v[NR/2+1])/2; printf "%.3f (%.3f to %.3f)", m, v[1], v[NR]}'
}

# The same of a column of $work/rows, and of the ratio of two
column() { awk -v c="$1" '{print $c}' "$work/rows" | spread; }
ratio() { awk -v a="$1" -v b="$2" '$a > 0 && $b > 0 {print $a / $b}' "$work/rows" | spread; }
