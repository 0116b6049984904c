# SPDX-License-Identifier: MIT
# Sourced by the scripts that kill, stop or fail runs.
. "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

# begin_tool PROGRAM: sets $tool, $program (TESSERA if that is set) and $folder, which is removed at the end,
# when the job $pid is killed.
begin_tool() {
  tool=${0##*/} program=${TESSERA:-$1}
  [ -x "$program" ] || { echo "$tool: $program is not built; scripts/test builds it" >&2; exit 2; }
  program_path=$(readlink -f "$program")
  folder=$(mktemp -d "${TMPDIR:-/tmp}/$tool-XXXXXX")
  pid=
  trap '[ -z "$pid" ] || kill -9 "$pid" 2>/dev/null || true; rm -rf "$folder"' EXIT
}

# command_for RANKS: sets the array command to what starts the program: mpirun for more than one rank.
command_for() {
  command=("$program")
  if [ "$1" -gt 1 ]; then
    mpirun_for "$1"
    command=("${mpirun[@]}" --bind-to none "$program")
  fi
}

now_ms() { local t=${EPOCHREALTIME/./}; echo $((t / 1000)); }
pause_ms() { sleep "$(($1 / 1000)).$(printf %03d $(($1 % 1000)))"; }

ranks_of() { # LAUNCHER: its child processes that run the program
  local child
  for child in $(cat "/proc/$1/task/$1/children" 2>/dev/null); do
    [ "$(readlink "/proc/$child/exe" 2>/dev/null)" != "$program_path" ] || echo "$child"
  done
}

# choose_victim JOB RANKS: sets victim to the launcher or the single process, or more often to a rank, and
# children to the ranks that run.
choose_victim() {
  victim=$1 children=()
  [ "$2" -gt 1 ] || return 0
  mapfile -t children < <(ranks_of "$1")
  [ ${#children[@]} = 0 ] || [ $((RANDOM % 3)) = 0 ] || victim=${children[RANDOM % ${#children[@]}]}
}

# Waits until the processes are gone: rank 0 has the checkpoint until then.
wait_for_end() { # PID...
  local process tries
  for process; do
    for ((tries = 0; tries < 1000; ++tries)); do
      [ -e "/proc/$process/exe" ] && readlink "/proc/$process/exe" >/dev/null || break
      sleep 0.01
    done
    [ "$tries" -lt 1000 ] || { echo "$tool: process $process outlived its job" >&2; exit 1; }
  done
}

# Kills a process of a job, whose launcher or single process is JOB, and waits for the end of the
# job, after which nothing of it is left; its code is $job_code. Fails where there was nothing to
# kill any more.
kill_job() { # JOB VICTIM RANK...
  local job=$1 victim=$2 segments killed=1 tries
  shift 2
  job_code=0
  segments=$(for rank; do
    grep -o '/dev/shm/\(vader\|sm\)_segment[^ ]*' "/proc/$rank/maps" 2>/dev/null || true
  done | sort -u)
  # One that has ended, but was not waited for, can be killed, too.
  if readlink "/proc/$victim/exe" >/dev/null 2>&1 && kill -9 "$victim" 2>/dev/null; then
    killed=0
  fi
  # mpirun that loses a rank while it starts the job may wait for it for ever.
  { # The shell's notices that a job was killed are no news here.
    for ((tries = 0; tries < 100; ++tries)); do
      readlink "/proc/$job/exe" >/dev/null || break
      sleep 0.1
    done
    [ "$tries" -lt 100 ] || kill -9 "$job" || true
    wait "$job" || job_code=$?
  } 2>/dev/null
  wait_for_end "$@"
  # shellcheck disable=SC2086
  rm -f $segments
  # Session folders of Open MPI 4 and 5.
  rm -rf "${TMPDIR:-/tmp}"/ompi.*/pid."$job" "${TMPDIR:-/tmp}"/prterun.*."$job".*
  return $killed
}

# Waits for a job that nobody kills: its code. One that hangs is killed after so many seconds.
code_of_job() { # JOB SECONDS
  local tries code=0
  for ((tries = 0; tries < 10 * $2; ++tries)); do
    readlink "/proc/$1/exe" >/dev/null 2>&1 || break
    sleep 0.1
  done
  [ "$tries" -lt $((10 * $2)) ] || kill -9 "$1"
  wait "$1" || code=$?
  return $code
}
