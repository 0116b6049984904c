// SPDX-License-Identifier: MIT
#pragma once

#include <execinfo.h>
#include <unistd.h>

#include <array>
#include <csignal>

namespace tessera {

/// Prints the stack of this thread to the standard error after so many seconds, once: a rank that
/// waits for ever shows where. ctest ends these programs after 300 s.
inline void print_stack_when_late(unsigned seconds = 240) {
  static std::array<void*, 64> frames;
  (void)backtrace(frames.data(), 1);  // loads what it needs, which a signal handler may not
  std::signal(SIGALRM, [](int) {
    backtrace_symbols_fd(frames.data(), backtrace(frames.data(), frames.size()), STDERR_FILENO);
  });
  alarm(seconds);
}

}  // namespace tessera
