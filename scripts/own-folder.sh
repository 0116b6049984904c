# SPDX-License-Identifier: MIT
# Sourced by the scripts that keep a cluster in a folder, which the user may name.

# own_folder FOLDER SCRIPT: makes it, empty. One that holds anything else than what SCRIPT left there is
# refused with code 2.
own_folder() {
  if [ -e "$1" ] && [ ! -d "$1" ]; then
    echo "$2: $1 is not a folder" >&2
    exit 2
  fi
  if [ -d "$1" ] && [ ! -e "$1/.$2" ] && [ -n "$(ls -A "$1")" ]; then
    echo "$2: $1 holds other files, expected a new or empty folder" >&2
    exit 2
  fi
  rm -rf "$1"
  mkdir -p "$1"
  : >"$1/.$2"
}
