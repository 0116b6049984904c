// SPDX-License-Identifier: MIT
// Preloaded: a file system without locks.
#include <sys/file.h>

#include <cerrno>

extern "C" int flock(int /*file*/, int /*operation*/) noexcept {
  errno = ENOLCK;
  return -1;
}
