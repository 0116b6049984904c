# SPDX-License-Identifier: MIT
# Sourced by the scripts that try things on a bare Debian. Needs root, debootstrap and namespaces.

# Prints why this machine cannot make one; nothing where it can.
no_debian_root() {
  local reason
  if [ "$(id -u)" != 0 ]; then echo "only root can make one"; return; fi
  command -v debootstrap >/dev/null || { echo "debootstrap is not on this machine"; return; }
  reason=$(unshare --mount --pid --fork true 2>&1) || echo "namespaces are not allowed here: ${reason##*: }"
}

# The Debian archive that this machine uses.
debian_archive() {
  apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 2>/dev/null | grep -m 1 '/debian/*$' || true
}

# make_debian_root RELEASE FOLDER: a minimal system, with this machine's proxy and name server.
make_debian_root() {
  local archive
  archive=$(debian_archive)
  debootstrap --variant=minbase "$1" "$2" ${archive:+"$archive"} || return
  apt-config dump Acquire | grep -i proxy >"$2/etc/apt/apt.conf.d/90proxy" || true
  cp -L /etc/resolv.conf "$2/etc/"
  printf '127.0.0.1 localhost %s\n' "$(hostname)" >"$2/etc/hosts"
}

# in_debian_root FOLDER [NAME=VALUE...] COMMAND...: as root there, in an environment of its own. All
# that it started ends with it, and all that was mounted for it is gone then. With SHARED=FOLDER that
# folder is seen at /var/cache/shared.
in_debian_root() {
  unshare --mount --pid --fork --kill-child bash -euc '
    clean=$1
    shift
    mount --make-rprivate /
    mount --bind "$clean" "$clean"
    mount -t proc proc "$clean/proc"
    mount --rbind /sys "$clean/sys"
    mount --rbind /dev "$clean/dev"
    mount -t tmpfs -o mode=1777 shm "$clean/dev/shm"
    if [ -n "${SHARED:-}" ]; then
      mkdir -p "$clean/var/cache/shared"
      mount --bind "$SHARED" "$clean/var/cache/shared"
    fi
    # Not chroot, so that namespaces can be made within.
    cd "$clean"
    pivot_root . .
    umount --lazy .
    # Not exec: one that changes its user would outlive what started it.
    code=0
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 HOME=/root "$@" || code=$?
    exit $code' - "$@"
}
