# SPDX-License-Identifier: MIT
# Sourced by the scripts that build.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
. scripts/mpi.sh

export LC_ALL=C.UTF-8 # numbers with a decimal point, and messages in English

export ASAN_OPTIONS=detect_stack_use_after_return=0
export LSAN_OPTIONS=suppressions=$root/tests/sanitizers/lsan.supp:print_suppressions=0
export UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS="ignore_noninstrumented_modules=1 suppressions=$root/tests/sanitizers/tsan.supp detect_deadlocks=0"

# build PRESET [TARGET...]: configures and builds quietly; shows the log's end only where it fails.
build() {
  local preset=$1 log=build/$1.log
  shift
  mkdir -p build
  local targets=()
  [ $# -eq 0 ] || targets=(--target "$@")
  local settings=()
  # No other folder has objects for sanitizers, so that there precompiled headers are worth more.
  if command -v ccache >/dev/null && [[ $preset != ?san ]]; then
    settings=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DTESSERA_PRECOMPILE=OFF)
  fi
  export CCACHE_BASEDIR=$root  # clones in other folders share what was compiled
  if ! { cmake --preset "$preset" "${settings[@]}" &&
    cmake --build --preset "$preset" --parallel "$(nproc)" "${targets[@]}"; } >"$log" 2>&1; then
    tail -n 60 "$log" >&2
    echo "the $preset build failed; its log is $log" >&2
    exit 1
  fi
}
