# SPDX-License-Identifier: MIT
# Sourced by the scripts that build.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

# build PRESET [TARGET...]: configures and builds quietly; shows the log's end only where it fails.
build() {
  local preset=$1 log=build/$1.log
  shift
  mkdir -p build
  local targets=()
  [ $# -eq 0 ] || targets=(--target "$@")
  local launcher=()
  ! command -v ccache >/dev/null || launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  if ! { cmake --preset "$preset" "${launcher[@]}" &&
    cmake --build --preset "$preset" --parallel "$(nproc)" "${targets[@]}"; } >"$log" 2>&1; then
    tail -n 60 "$log" >&2
    echo "the $preset build failed; its log is $log" >&2
    exit 1
  fi
}

# What Open MPI needs to run as root, with more ranks than cores, or without an ssh client.
mpi_environment() {
  if [ "$(id -u)" = 0 ]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  fi
  export OMPI_MCA_rmaps_base_oversubscribe=1
  command -v ssh >/dev/null || export OMPI_MCA_plm=isolated
}
