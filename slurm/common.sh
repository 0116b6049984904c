# SPDX-License-Identifier: MIT
# Sourced by the job scripts. Users edit those; this file holds what they share:
#   $tessera $threads $ranks $results   the program, the allocation's shape, the result files' name
#   "${boards[@]}" "${options[@]}"      BOARDS and OPTIONS, split as a shell would
#   "${mpi[@]}"                         what starts the ranks
#   "${resume[@]}"                      options to write a checkpoint and resume from it
#   launch COMMAND...                   echoes a command and runs it; with DRY_RUN=1 only echoes
#   launch_resumable COMMAND...         the same for one that writes a checkpoint and ends at USR1:
#                                       the job is then requeued and resumes from its checkpoint,
#                                       unless this run made no progress

# What SLURM sends before the limit must not end the script where nothing runs yet.
told_to_stop=
terminated=
woken=
trap 'told_to_stop=1 woken=1; kill -USR1 "$child" 2>/dev/null || true' USR1
child=

[ "${DRY_RUN:-}" != 0 ] || DRY_RUN=
tessera=${TESSERA:-tessera}
threads=${SLURM_CPUS_PER_TASK:-1}
nodes=${SLURM_JOB_NUM_NODES:-1}
# A request of nodes alone leaves SLURM_NTASKS unset, and means one task per node.
ranks=${SLURM_NTASKS:-$nodes}
job=${SLURM_ARRAY_JOB_ID:-${SLURM_JOB_ID:-0}}
element=${SLURM_ARRAY_TASK_ID:+_$SLURM_ARRAY_TASK_ID}
results=${RESULTS:-tessera-$job}$element
job+=$element
checkpoint=${CHECKPOINT:+$CHECKPOINT$element}
checkpoint=${checkpoint:-$results.checkpoint}
[ -z "${CHECKPOINT:-}" ] || [ -n "${DRY_RUN:-}" ] || [ -e "$checkpoint" ] ||
  echo "note: there is no checkpoint $checkpoint yet; the job starts from the beginning" >&2
resume=(--checkpoint "$checkpoint" --checkpoint-every "${CHECKPOINT_EVERY:-30s}" --resume)

refuse_with() { # CODE REASON
  echo "$2" >&2
  exit "$1"
}
refuse() { refuse_with 2 "$*"; }
for variable in PARTS MAX_RESTARTS; do
  [[ ${!variable:-1} =~ ^[0-9]{1,9}$ ]] || refuse "$variable=${!variable}: expected a whole number"
done

# split NAME TEXT: the words of TEXT into the array NAME; quotes keep words together.
split() {
  local words
  words=$(xargs -r -n 1 printf '%s\n' <<<"$2" 2>/dev/null) || refuse "${1^^}=$2: a quote is not closed"
  mapfile -t "$1" <<<"$words"
  [ -n "$words" ] || eval "$1=()"
}
split boards "${BOARDS:---set korf100:1-10}"
split options "${OPTIONS:-}"
split mapping "${MAPPING:---bind-to none}"
# sbatch --export=NAMES would keep the rest of this environment from what srun starts, mpirun's daemons too.
export SLURM_EXPORT_ENV=ALL

[ "$ranks" -ge "$nodes" ] || refuse "$ranks tasks on $nodes nodes would leave nodes idle; ask for --nodes $ranks, or --ntasks-per-node 1"
if [ -z "${DRY_RUN:-}" ] && ! command -v "$tessera" >/dev/null; then
  refuse "$tessera: no such program; give its path: TESSERA=/path/to/tessera sbatch ..."
fi

# Threads are given; where ranks of a node are not to share its CPUs, MAPPING="--map-by slot:pe=8"
# binds each to 8 cores. Not by default: SLURM may count hardware threads where Open MPI counts cores.
case ${LAUNCHER:-mpirun} in
  mpirun)
    # Else srun, which mpirun starts its daemons with, would give a daemon the CPUs of one rank.
    unset SRUN_CPUS_PER_TASK
    mpi=(mpirun -np "$ranks" "${mapping[@]}")
    # Under Open MPI 4 all jobs of a user on a node share one session folder, and one job may remove it
    # while another enters it (1 of 200 short jobs failed so). Small jobs get one of their own.
    if [ "$nodes" = 1 ] && [ -z "${DRY_RUN:-}" ]; then
      session=$(mktemp -d "${TMPDIR:-/tmp}/tessera-job-XXXXXX")
      export OMPI_MCA_orte_tmpdir_base=$session
      trap 'rmdir "$session" 2>/dev/null || true' EXIT
    fi
    ;;
  srun)
    export SRUN_CPUS_PER_TASK=$threads # srun does not take it over from sbatch since 22.05
    mpi=(srun --mpi=pmix --ntasks="$ranks" --kill-on-bad-exit=1)
    ;;
  *) refuse "LAUNCHER=$LAUNCHER is unknown, expected mpirun or srun" ;;
esac

show() {
  printf '+'
  printf ' %q' "$@"
  printf '\n'
}

launch() {
  show "$@"
  [ -n "${DRY_RUN:-}" ] || "$@"
}

# Changes when a run makes progress: the checkpoint's records (of a census its finished levels), and
# the finished tables.
progress() {
  {
    if [ -d "$checkpoint" ]; then
      grep -hs '^widths ' "$checkpoint"/*.manifest | sort
    elif [ -e "$checkpoint" ]; then
      cat "$checkpoint"
    fi
    # Not `tessera pdb list`, which reads them all and refuses a damaged one.
    ls -l --time-style=full-iso "$tables"/*.pdb 2>/dev/null || true
  } | cksum
}
# The folder of tables.
tables=${TESSERA_PDB_DIR:-${XDG_CACHE_HOME:-${HOME:-}/.cache}/tessera}
for ((i = 0; i < ${#options[@]}; ++i)); do
  case ${options[i]} in
    --pdb-dir) tables=${options[i + 1]:-} ;;
    --pdb-dir=*) tables=${options[i]#*=} ;;
  esac
done

# The script sets these options itself; given twice, one of the two values would be lost.
refuse_own_options() { # THE FILES THAT THE SCRIPT WRITES
  local word
  for word in "${options[@]}"; do
    case $word in
      --json | --json=* | --csv | --csv=*)
        refuse "OPTIONS: $word: the script writes $1; RESULTS=NAME sets the name" ;;
      --checkpoint | --checkpoint=* | --checkpoint-every | --checkpoint-every=*)
        refuse "OPTIONS: $word: set CHECKPOINT=PATH and CHECKPOINT_EVERY=TIME instead" ;;
    esac
  done
}

# What SLURM knows about this job: nothing outside a job, where it would show all jobs. Of an array
# this element: the number of its last one is that of the array.
job_facts() { [ -z "${SLURM_JOB_ID:-}" ] || timeout 5 scontrol show job "$job" 2>/dev/null || true; }

# TERM to the script alone, as by --signal=B:TERM@120, scancel --batch --signal=TERM or outside a job,
# means what USR1 does. When SLURM ends a job, it sends TERM to the ranks, too, and waits for them; it
# may then requeue the job, but not at its time limit.
on_term() {
  woken=1
  case ${SLURM_JOB_ID:-none}:$(job_facts) in
    none:* | *JobState=RUNNING*)
      told_to_stop=1
      kill -USR1 "$child" 2>/dev/null || true
      ;;
    *Reason=TimeLimit*) ;;
    *) terminated=1 told_to_stop='' ;;
  esac
}

launch_resumable() {
  refuse_own_options "$results.jsonl"
  local code=0 again before
  [ "${SLURM_RESTART_COUNT:-0}" = 0 ] || echo "restart $SLURM_RESTART_COUNT of job $job, on ${SLURM_JOB_NODELIST:-?}"
  show "$@"
  [ -z "${DRY_RUN:-}" ] || return 0
  if [[ $(job_facts) =~ TimeLimit=00:0[0-4]: ]]; then
    echo "warning: the time limit is shorter than 5 minutes: most of it is spent on restarts" >&2
  fi
  trap on_term TERM
  before=$(progress)
  "$@" &
  child=$!
  [ -z "$told_to_stop" ] || kill -USR1 "$child"
  wait "$child" || code=$?
  # A trap ends the wait, not the child; once that is gone and known, there is none to wait for.
  while [ -n "$woken" ]; do
    woken='' again=0
    wait "$child" 2>/dev/null || again=$?
    # bash 5.2 says -1 if the child ended while the trap ran.
    [ "$again" = 127 ] || [ "$again" = -1 ] || code=$again
  done
  child=
  trap - TERM
  # 3: a checkpoint stands. Above 128: the signal met ranks that were just starting.
  if [ -n "$told_to_stop" ] && { [ "$code" = 3 ] || [ "$code" -gt 128 ]; }; then
    [ "$(progress)" = "$before" ] || requeue "$code"
    # It would do the same again, up to MAX_RESTARTS times.
    case $code in
      3) echo "job $job made no progress in this run and is not requeued; submit it with a longer --time" >&2 ;;
      138) echo "job $job was stopped while its ranks were starting, and is not requeued; submit it again" >&2 ;;
    esac
  fi
  # 0, 2 and 6: answered, or the same request would fail again.
  case $code in
    0 | 2 | 6) ;;
    5) [ ! -e "$checkpoint" ] || advise_to_resume "ended with 5, for lack of memory or disk" ;;
    *) [ -n "$terminated" ] || [ ! -e "$checkpoint" ] || advise_to_resume "ended with $code" ;;
  esac
  return "$code"
}

# How a user resumes a job that does not return to the queue by itself.
advise_to_resume() { # WHAT HAPPENED
  local request="CHECKPOINT=$checkpoint"
  if [ -n "${CHECKPOINT:-}" ]; then
    request="CHECKPOINT=$CHECKPOINT"
  elif [ -n "$element" ]; then # each element appends its own number
    request="RESULTS=${results%"$element"}"
  fi
  [ -z "$element" ] || request+=" PARTS=${parts:-N} and --array=${element#_}"
  echo "job $job $1; $checkpoint is kept; to resume, submit the same request with $request" >&2
}

# Ends the script, and puts the job back into the queue.
requeue() { # CODE
  local count=${SLURM_RESTART_COUNT:-0}
  if [ "$count" -ge "${MAX_RESTARTS:-100}" ]; then
    advise_to_resume "is not requeued after $count restarts (MAX_RESTARTS allows more)"
  else
    if [ -n "${SLURM_JOB_ID:-}" ]; then
      # Before the request, which ends this script.
      echo "job $job goes back into the queue, $checkpoint stays"
      if scontrol requeue "$job"; then exit 0; fi
    fi
    advise_to_resume "could not be requeued"
  fi
  exit "$1"
}
