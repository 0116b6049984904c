// SPDX-License-Identifier: MIT
#include "cli/signals.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>

namespace tessera {
namespace {

std::atomic<bool>* flag = nullptr;

void set_flag(int) {
  flag->store(true, std::memory_order_relaxed);
}

void handle(int signal, void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

void settle_streams() {
  handle(SIGPIPE, SIG_IGN, 0);
  handle(SIGXFSZ, SIG_IGN, 0);
  // A new file takes the lowest free number, which is the closed stream's, as those below are open.
  // Answers to a closed standard output fail as on a full disk.
  constexpr const char* stand_ins[] = {"/dev/null", "/dev/full", "/dev/null"};
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (fcntl(fd, F_GETFD) == -1) (void)open(stand_ins[fd], O_RDWR);
  }
}

void stop_on_signals(std::atomic<bool>& interrupted) {
  flag = &interrupted;
  static_assert(std::atomic<bool>::is_always_lock_free);  // else no handler may touch it
  handle(SIGINT, set_flag, static_cast<int>(SA_RESETHAND));
  handle(SIGTERM, set_flag, static_cast<int>(SA_RESETHAND));
  handle(SIGUSR1, set_flag, SA_RESTART);
}

void ignore_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGPIPE}) handle(signal, SIG_IGN, 0);
}

}  // namespace tessera
