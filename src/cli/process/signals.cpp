// SPDX-License-Identifier: MIT
#include "cli/process/signals.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstring>

#include "base/mapped_file.hpp"
#include "cli/process/exit_code.hpp"

namespace tessera {
namespace {

std::atomic<bool> early{false};
std::atomic<bool>* stop_flag = &early;

void set_flag(int) {
  stop_flag->store(true, std::memory_order_relaxed);
}

void handle(int signal, void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

bool is_ignored(int signal) {
  struct sigaction action {};
  sigaction(signal, nullptr, &action);
  return action.sa_handler == SIG_IGN;
}

// As nohup requests. Read before libraries are initialized: UCX, which Open MPI 5 loads, installs
// its own handler. Not with sanitizers, whose libraries are not ready then.
bool hang_up_ignored = false;

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
void read_hang_up() {
  hang_up_ignored = is_ignored(SIGHUP);
}

[[gnu::section(".preinit_array"), gnu::used]] void (*const read_hang_up_first)() = read_hang_up;
#endif

// A job may be stopped by a signal to the process and one to its group, which arrive together.
constexpr std::int64_t once_ns = 1'000'000'000;
std::atomic<std::int64_t> first_ns{0};

void stop_or_end(int signal) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const std::int64_t now_ns = now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
  std::int64_t first = 0;
  set_flag(signal);
  if (first_ns.compare_exchange_strong(first, now_ns) || now_ns - first < once_ns) return;
  handle(signal, SIG_DFL, 0);
  raise(signal);
}

void write_text(const char* text) {
  (void)!write(STDERR_FILENO, text, std::strlen(text));
}

void name_truncated_file(int signal, siginfo_t* info, void*) {
  if (const char* const path = mapped_path_at(info->si_addr)) {
    write_text("tessera: ");
    write_text(path);
    write_text(": was truncated or cannot be read any more, while in use\n");
    _exit(exit_corrupt);
  }
  handle(signal, SIG_DFL, 0);  // the instruction is repeated and ends the process
}

std::atomic<int> late_code{0};

void listen(std::atomic<bool>& interrupted) {
  stop_flag = &interrupted;
  static_assert(std::atomic<bool>::is_always_lock_free);  // otherwise not async-signal-safe
  static_assert(std::atomic<std::int64_t>::is_always_lock_free);
  remember_user_signals();
  if (early.load(std::memory_order_relaxed)) interrupted = true;
}

}  // namespace

void explain_truncated_files() {
  struct sigaction action {};
  action.sa_sigaction = name_truncated_file;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, nullptr);
}

void settle_streams() {
  handle(SIGPIPE, SIG_IGN, 0);
  handle(SIGXFSZ, SIG_IGN, 0);
  // A new file takes the lowest free number, that of the closed stream, since those below are open.
  // Writes to a closed standard output then fail; so do those to /dev/stdout.
  constexpr const char* stand_ins[] = {"/dev/null", "/dev/full", "/dev/null"};
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    const int flags = fd == STDOUT_FILENO ? O_RDONLY : O_RDWR;
    if (fcntl(fd, F_GETFD) == -1) (void)open(stand_ins[fd], flags);
  }
}

void remember_user_signals() {
  for (const int signal : {SIGUSR1, SIGUSR2}) handle(signal, set_flag, SA_RESTART);
}

void stop_on_signals(std::atomic<bool>& interrupted) {
  handle(SIGINT, stop_or_end, 0);
  handle(SIGTERM, stop_or_end, 0);
  handle(SIGHUP, hang_up_ignored || is_ignored(SIGHUP) ? SIG_IGN : stop_or_end, 0);
  listen(interrupted);
}

void exit_after(unsigned seconds, int code) {
  late_code = code;
  handle(
      SIGALRM, [](int) { _exit(late_code); }, 0);
  alarm(seconds);
}

void note_signals(std::atomic<bool>& interrupted) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (!is_ignored(signal)) handle(signal, set_flag, SA_RESTART);
  }
  listen(interrupted);
}

}  // namespace tessera
