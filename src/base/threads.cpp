// SPDX-License-Identifier: MIT
#include "base/threads.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <system_error>
#include <utility>

#include "base/control_group.hpp"
#include "base/error.hpp"
#include "base/memory_limit.hpp"

namespace tessera {
namespace {

std::atomic<int> running{0};  // threads of all objects

bool has_room_for_a_stack() {
  rlimit stack{};
  constexpr std::uint64_t default_bytes = std::uint64_t{8} << 20;
  const bool limited = getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur != RLIM_INFINITY;
  const std::uint64_t bytes = limited ? stack.rlim_cur : default_bytes;
  return std::ranges::none_of(memory_limits(), [&](const MemoryLimit& limit) {
    return limit.per_process && limit.free < bytes;
  });
}

// What the system refuses a thread for, as far as it can be seen.
std::string reached_limit(const std::system_error& refusal) {
  for (const ControlGroup& group : own_control_groups("/", "pids")) {
    const auto most = read_number(group.folder / "pids.max");
    const auto current = read_number(group.folder / "pids.current");
    if (most && current && *current >= *most) {
      return "pids.max of cgroup " + group.name + " is " + std::to_string(*most);
    }
  }
  if (!has_room_for_a_stack()) return "ulimit -v leaves no memory for another stack";
  rlimit processes{};
  if (geteuid() != 0 && getrlimit(RLIMIT_NPROC, &processes) == 0 &&
      processes.rlim_cur != RLIM_INFINITY) {
    return "ulimit -u allows the user " + std::to_string(processes.rlim_cur) +
           " processes and threads";
  }
  return refusal.code().message();
}

}  // namespace

Threads::Threads(int count, Work work, std::function<void()> wake)
    : work_(std::move(work)), wake_(std::move(wake)) {
  threads_.reserve(static_cast<std::size_t>(std::max(0, count)));
  try {
    for (int number = 0; number < count; ++number) {
      if (running >= most_threads) throw std::system_error(EAGAIN, std::generic_category());
      threads_.emplace_back(
          [this, number](const std::stop_token& ending) { work_(number, ending); });
      ++running;
    }
  } catch (const std::system_error& refusal) {
    const std::string limit = reached_limit(refusal);
    const std::size_t started = threads_.size();
    // A search has its threads, and as many again while it builds tables.
    const int fair = std::max(1, (running + 1) / 2);
    end();
    out_of_resources("only " + std::to_string(started) + " of " + std::to_string(count) +
                     " threads could be started (" + limit + "); try --threads " +
                     std::to_string(fair) + ", or raise the limit");
  }
}

void Threads::end() {
  if (threads_.empty()) return;
  if (wake_) wake_();
  for (std::jthread& thread : threads_) thread.request_stop();
  const auto count = static_cast<int>(threads_.size());
  threads_.clear();
  running -= count;
}

}  // namespace tessera
